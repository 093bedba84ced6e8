import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { type Cidr, cidrContains, parseCidr } from '../../base/ip.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { portName, portNumber } from '../../base/names.ts';
import { eachOf, oneOf } from '../field-rules.ts';
import { type LabelSelectorField, validateLabelSelector } from '../label-selector-field.ts';
import { specChanged } from '../same-value.ts';
import { selectorText } from '../selector-text.ts';
import { keepSpec, keepStatus } from '../status-subresource.ts';
import { defineKind } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';

interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

interface IpBlock {
  cidr?: string;
  except?: string[];
}

interface Peer {
  podSelector?: LabelSelectorField;
  namespaceSelector?: LabelSelectorField;
  ipBlock?: IpBlock;
}

interface NetworkPolicy extends KubeObject {
  spec?: {
    podSelector?: LabelSelectorField;
    policyTypes?: string[];
    ingress?: { ports?: PolicyPort[]; from?: Peer[] }[];
    egress?: { ports?: PolicyPort[]; to?: Peer[] }[];
  };
  status?: { conditions?: unknown[] };
}

const specAt = FieldPath.of('spec');
const policyTypes = ['Ingress', 'Egress'];
const protocols = ['TCP', 'UDP', 'SCTP'];

/** A policy that does not say what it is about is about ingress, and about egress if it has such rules. */
function setDefaults(policy: NetworkPolicy): void {
  policy.spec ??= {};
  const { spec } = policy;
  spec.podSelector ??= {};
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
  if ((spec.policyTypes?.length ?? 0) === 0)
    spec.policyTypes = (spec.egress?.length ?? 0) > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

const validate = ({ spec = {} }: NetworkPolicy): FieldError[] => [
  ...validateLabelSelector(spec.podSelector, specAt.child('podSelector')),
  ...eachOf(spec.ingress, specAt.child('ingress'), (rule, here) => [
    ...eachOf(rule.ports, here.child('ports'), validatePort),
    ...eachOf(rule.from, here.child('from'), validatePeer),
  ]),
  ...eachOf(spec.egress, specAt.child('egress'), (rule, here) => [
    ...eachOf(rule.ports, here.child('ports'), validatePort),
    ...eachOf(rule.to, here.child('to'), validatePeer),
  ]),
  ...validateTypes(spec.policyTypes ?? [], specAt.child('policyTypes')),
];

function validateTypes(types: readonly string[], at: FieldPath): FieldError[] {
  if (types.length > policyTypes.length) return [invalidValue(at, types, 'must have at most two entries')];
  return eachOf(types, at, (type, here) => oneOf(type, policyTypes, here));
}

function validatePort({ protocol, port, endPort }: PolicyPort, at: FieldPath): FieldError[] {
  return [...oneOf(protocol, protocols, at.child('protocol')), ...validateRange(port, endPort, at)];
}

function validateRange(port: number | string | undefined, endPort: number | undefined, at: FieldPath): FieldError[] {
  const last = at.child('endPort');
  if (port === undefined)
    return endPort === undefined ? [] : [invalidValue(last, endPort, 'must not be set without a port')];
  if (typeof port === 'string') {
    return [
      ...(endPort === undefined ? [] : [invalidValue(last, endPort, 'must not be set for a port given by name')]),
      ...portName(port).map((problem) => invalidValue(at.child('port'), port, problem)),
    ];
  }
  const errors = portNumber(port).map((problem) => invalidValue(at.child('port'), port, problem));
  if (endPort === undefined) return errors;
  if (endPort < port) errors.push(invalidValue(last, endPort, 'must not be less than the port'));
  return [...errors, ...portNumber(endPort).map((problem) => invalidValue(last, endPort, problem))];
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: Peer, at: FieldPath): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, at.child('podSelector')),
    ...validateLabelSelector(namespaceSelector, at.child('namespaceSelector')),
    ...(ipBlock ? validateIpBlock(ipBlock, at.child('ipBlock')) : []),
  ];
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && !ipBlock) errors.push(required(at, 'a peer must be given'));
  if (selects && ipBlock) errors.push(forbiddenField(at, 'an ipBlock must stand alone'));
  return errors;
}

function validateIpBlock({ cidr = '', except }: IpBlock, at: FieldPath): FieldError[] {
  if (cidr === '') return [required(at.child('cidr'))];
  const whole = parseCidr(cidr);
  if (!whole) return [invalidValue(at.child('cidr'), cidr, 'must be a range of addresses such as 10.9.8.0/24')];
  // What comes after one that is none is not looked at.
  const unreadable = (except ?? []).findIndex((text) => !parseCidr(text));
  const read = unreadable < 0 ? except : except?.slice(0, unreadable + 1);
  return eachOf(read, at.child('except'), (text, here) => validateException(text, whole, here));
}

function validateException(text: string, whole: Cidr, at: FieldPath): FieldError[] {
  const part = parseCidr(text);
  if (!part) return [invalidValue(at, text, 'must be a range of addresses such as 10.9.8.0/24')];
  const inside = cidrContains(whole, part.ip) && part.bits > whole.bits;
  return inside ? [] : [invalidValue(at, text, 'must be a strict part of the cidr')];
}

export const networkPolicy = defineKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  // Where the kind once lived; clients still see it there in answers to invalid objects.
  validationGroup: 'extensions',
  generationRises: specChanged,
  countsEmptied: 'spec',
  default: setDefaults,
  prepareCreate: (object, { features }) => {
    if (features.enabled('NetworkPolicyStatus')) object.status = {};
    object.status ??= {};
  },
  prepareUpdate: (next, previous, { features }) => {
    // While the feature for it is off, a status that tells nothing yet is no more the server's than at the beginning.
    const kept = features.enabled('NetworkPolicyStatus') || (previous.status?.conditions?.length ?? 0) > 0;
    if (kept) keepStatus(next, previous);
    next.status ??= {};
  },
  validate,
  subresources: {
    status: {
      // While the feature for it is off, a policy has the status that it was made with.
      setByCreate: true,
      setByUpdate: true,
      prepareUpdate: (next, previous, { features }) => {
        keepSpec(next, previous);
        if (!features.enabled('NetworkPolicyStatus')) keepStatus(next, previous);
        next.status ??= {};
      },
    },
  },
  table: {
    columns: [nameColumn, column('Pod-Selector', 'Which pods of the namespace it is about.'), ageColumn],
    cells: (object, now) => [object.metadata.name, selectorText(object.spec?.podSelector), age(object, now)],
  },
});
