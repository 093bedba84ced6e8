import { duplicate, type FieldError, forbiddenField, internalError, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { parseCidr } from '../../base/ip.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { eachOf, repeated } from '../field-rules.ts';
import { sameValue } from '../same-value.ts';
import { defineKind, type SubresourceRules } from '../strategy.ts';
import { age, ageColumn, column, nameColumn, orNone, wideColumn } from '../table-cells.ts';
import { proxyOptions } from './connect-options.ts';
import { nodeProxy } from './connections.ts';
import { nodeAnnotationErrors } from './node-annotations.ts';
import type { Quantities } from './pod/shape.ts';
import { resourceAmount } from './resource-names.ts';
import { type Taint, validateTaints } from './taints.ts';

interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  externalID?: string;
  configSource?: unknown;
}

interface NodeStatus {
  capacity?: Quantities;
  allocatable?: Quantities;
  conditions?: { type?: string; status?: string; reason?: string; message?: string }[];
  addresses?: { type?: string; address?: string }[];
  daemonEndpoints?: { kubeletEndpoint?: { Port?: number } };
  nodeInfo?: Record<string, string>;
  config?: unknown;
}

export interface Node extends KubeObject {
  spec?: NodeSpec;
  status?: NodeStatus;
}

const infoFields = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
];

function defaults(node: Node): void {
  node.spec ??= {};
  node.status ??= {};
  const { spec, status } = node;
  if (spec.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  else if (!spec.podCIDR && spec.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0];
  if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
  status.daemonEndpoints ??= {};
  status.daemonEndpoints.kubeletEndpoint ??= { Port: 0 };
  status.nodeInfo = { ...Object.fromEntries(infoFields.map((field) => [field, ''])), ...status.nodeInfo };
}

// Errors of taints have always been told of a field that does not exist; clients know it by that name.
const taintsAt = FieldPath.of('metadata', 'taints');

const validate = (node: Node): FieldError[] => [
  ...nodeAnnotationErrors(node.metadata.annotations),
  ...validateTaints(node.spec?.taints, taintsAt),
  ...validateAmounts(node),
  ...validateRanges(node.spec?.podCIDRs),
];

const rangesAt = FieldPath.of('spec', 'podCIDRs');

/** One for each family of addresses. */
function validateRanges(ranges: readonly string[] = []): FieldError[] {
  const parsed = ranges.map(parseCidr);
  const errors = eachOf(ranges, rangesAt, (range, here) =>
    parseCidr(range) ? [] : [invalidValue(here, range, 'must be a valid CIDR value')],
  );
  if (ranges.length < 2) return errors;
  const readable = parsed.every(Boolean);
  if (!readable) errors.push(internalError(rangesAt, 'invalid CIDR among several'));
  if (!readable || ranges.length > 2 || parsed[0]?.ip.length === parsed[1]?.ip.length)
    errors.push(invalidValue(rangesAt, ranges, 'may specify no more than one CIDR for each IP family'));
  return [...errors, ...repeated(ranges, rangesAt)];
}

const validateAmounts = ({ status = {} }: Node): FieldError[] =>
  (['capacity', 'allocatable'] as const).flatMap((list) =>
    Object.entries(status[list] ?? {}).flatMap(([name, quantity]) =>
      resourceAmount(name, quantity, FieldPath.of('status', list, name)),
    ),
  );

function validateUpdate(next: Node, previous: Node): FieldError[] {
  const [after, before] = [next.spec ?? {}, previous.spec ?? {}];
  const at = FieldPath.of('spec');
  const errors: FieldError[] = [];
  const addresses = new Set<string>();
  errors.push(
    ...eachOf(next.status?.addresses, FieldPath.of('status', 'addresses'), (address, here) => {
      const key = JSON.stringify([address.type, address.address]);
      const twice = addresses.has(key);
      addresses.add(key);
      return twice ? [duplicate(here, address)] : [];
    }),
  );
  if (before.podCIDRs?.length && !sameValue(after.podCIDRs, before.podCIDRs))
    errors.push(forbiddenField(at.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  if (before.providerID && after.providerID !== before.providerID)
    errors.push(
      forbiddenField(at.child('providerID'), 'node updates may not change providerID except from "" to valid'),
    );
  if ((after.externalID ?? '') !== (before.externalID ?? ''))
    errors.push(forbiddenField(at.child('externalID'), 'may not be updated'));
  // These are checked once more as part of the update.
  return [
    ...nodeAnnotationErrors(next.metadata.annotations),
    ...errors,
    ...validateAmounts(next),
    ...validateTaints(after.taints, taintsAt),
  ];
}

/** Nodes are no longer configured through the API: what a client says of it is dropped. In place. */
function dropConfiguration({ spec, status: state }: Node): void {
  delete spec?.configSource;
  delete state?.config;
}

const status: SubresourceRules<Node> = {
  prepareUpdate(next, previous) {
    if (previous.spec) next.spec = previous.spec;
    dropConfiguration(next);
  },
  validateUpdate,
};

const rolePrefix = 'node-role.kubernetes.io/';

function rolesOf({ metadata: { labels = {} } }: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role' && value) roles.add(value);
  }
  return orNone([...roles].sort().join(','));
}

function statusText({ spec, status: state }: Node): string {
  const ready = state?.conditions?.find(({ type }) => type === 'Ready');
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (spec?.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

const addressOf = ({ status: state }: Node, type: string) =>
  orNone(state?.addresses?.find((address) => address.type === type)?.address);

const known = (text: string | undefined) => text || '<unknown>';

export const node = defineKind<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  resource: 'nodes',
  default: defaults,
  prepareCreate: dropConfiguration,
  prepareUpdate: dropConfiguration,
  validate,
  validateUpdate,
  // Nodes tell how they are with the object that they register as.
  subresources: { status: { ...status, setByCreate: true } },
  operations: { proxy: { run: nodeProxy, connects: proxyOptions('NodeProxyOptions') } },
  selectable: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  table: {
    columns: [
      nameColumn,
      column('Status'),
      column('Roles'),
      ageColumn,
      column('Version'),
      wideColumn('Internal-IP'),
      wideColumn('External-IP'),
      wideColumn('OS-Image'),
      wideColumn('Kernel-Version'),
      wideColumn('Container-Runtime'),
    ],
    cells(object, now) {
      const info = object.status?.nodeInfo;
      return [
        object.metadata.name,
        statusText(object),
        rolesOf(object),
        age(object, now),
        info?.kubeletVersion ?? '',
        addressOf(object, 'InternalIP'),
        addressOf(object, 'ExternalIP'),
        known(info?.osImage),
        known(info?.kernelVersion),
        known(info?.containerRuntimeVersion),
      ];
    },
  },
});
