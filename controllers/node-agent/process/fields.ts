import { availableParallelism, totalmem } from 'node:os';
import { parseQuantity } from '../../resource-quota/quantity.ts';
import { nameOf, namespaceOf, uidOf } from '../../runtime/kube-object.ts';
import type { Pod } from '../../runtime/resources.ts';
import { hostIp } from '../node.ts';

export type Container = NonNullable<Pod['spec']>['containers'][number];
type Fields = NonNullable<NonNullable<NonNullable<Container['env']>[number]['valueFrom']>['fieldRef']>;
type ResourceField = NonNullable<NonNullable<NonNullable<Container['env']>[number]['valueFrom']>['resourceFieldRef']>;

/** What a pod may be told about itself (`fieldRef`). @throws Error for fields that are none */
export function fieldOf(pod: Pod, { fieldPath }: Pick<Fields, 'fieldPath'>): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(fieldPath) ?? [];
  if (map) return pod.metadata?.[map as 'labels' | 'annotations']?.[key] ?? '';
  const value = plainFields[fieldPath]?.(pod);
  if (value === undefined) throw new Error(`there is no field ${JSON.stringify(fieldPath)} to tell`);
  return value;
}

const lines = (map: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(map ?? {})
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

const plainFields: Readonly<Record<string, (pod: Pod) => string>> = {
  'metadata.name': nameOf,
  'metadata.namespace': namespaceOf,
  'metadata.uid': uidOf,
  'metadata.labels': ({ metadata }) => lines(metadata?.labels),
  'metadata.annotations': ({ metadata }) => lines(metadata?.annotations),
  'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
  'status.hostIP': () => hostIp,
  'status.podIP': ({ status }) => status?.podIP ?? '',
  'status.podIPs': ({ status }) => (status?.podIPs ?? []).map(({ ip }) => ip).join(','),
};

/** What a container may use (`resourceFieldRef`), in units of the divisor, rounded up; all of the machine without a limit. */
export function amountOf({ spec }: Pod, own: Container, reference: ResourceField): string {
  const { containerName, resource, divisor } = reference;
  const container = spec?.containers.find(({ name }) => name === containerName) ?? own;
  const [, list = '', name = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  const { limits = {}, requests = {} } = container.resources ?? {};
  const amount = (list === 'requests' ? requests[name] : undefined) ?? limits[name] ?? wholeMachine[name] ?? '0';
  const unit = parseQuantity(divisor && divisor !== '0' ? divisor : '1');
  return String((parseQuantity(amount) + unit - 1n) / unit);
}

const wholeMachine: Readonly<Record<string, string>> = {
  cpu: String(availableParallelism()),
  memory: String(totalmem()),
};
