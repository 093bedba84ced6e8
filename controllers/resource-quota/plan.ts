import type { V1ResourceRequirements } from '@kubernetes/client-node';
import type { Wire } from '../runtime/kube-object.ts';
import { millisecondsOf } from '../runtime/kube-object.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../runtime/resources.ts';
import { formatQuantity, type Milli, parseQuantity } from './quantity.ts';

/** What a namespace holds, as far as quotas count it. */
export interface Holdings {
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly claims: readonly PersistentVolumeClaim[];
  /** How many objects there are of a kind, by `plural` or `plural.group`; undefined where that is not known yet. */
  readonly count: (resource: string) => number | undefined;
}

export type Amounts = Readonly<Record<string, string>>;

/** How much of each limit of a quota is used. Limits that nothing is known about are left out. */
export function usageOf(quota: ResourceQuota, holdings: Holdings, now: number): Amounts {
  const inSight = holdings.pods.filter((pod) => inScope(quota, pod));
  const sight = { ...holdings, pods: inSight.filter((pod) => countsAsRunning(pod, now)), allPods: inSight };
  const entries = Object.keys(quota.spec?.hard ?? {}).flatMap((name) => {
    // Scopes choose among pods; a quota that has some counts nothing else.
    if (isScoped(quota) && !isOfPods(name)) return [];
    const amount = amountOf(name, sight);
    return amount === undefined ? [] : [[name, formatQuantity(amount, inBytes.test(name))] as const];
  });
  return Object.fromEntries(entries);
}

const inBytes = /(^|[./])(memory|storage|ephemeral-storage|hugepages-.*)$/;

const isScoped = ({ spec }: ResourceQuota): boolean =>
  (spec?.scopes ?? []).length + (spec?.scopeSelector?.matchExpressions ?? []).length > 0;

const isOfPods = (name: string): boolean =>
  name === 'pods' || name === 'count/pods' || (name !== 'requests.storage' && computeName(name) !== undefined);

/** The amount that a status should say of a limit is not changed by another way to write it. */
export const isSameAmount = (a: Amounts | undefined, b: Amounts): boolean => {
  const names = Object.keys(b);
  return (
    names.length === Object.keys(a ?? {}).length &&
    names.every((name) => a?.[name] !== undefined && parseQuantity(a[name]) === parseQuantity(b[name]))
  );
};

/** Whether any amount is less than it was. */
export const isLower = (after: Amounts, before: Amounts = {}): boolean =>
  Object.entries(after).some(([name, amount]) => parseQuantity(amount) < parseQuantity(before[name]));

/** A pod that has ended uses nothing any longer, nor one whose node is silent after its grace has run out. */
function countsAsRunning({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  const leavesAt = millisecondsOf(metadata?.deletionTimestamp);
  const { deletionGracePeriodSeconds: grace } = metadata ?? {};
  return leavesAt === undefined || grace === undefined || now <= leavesAt + grace * 1000;
}

function inScope({ spec }: ResourceQuota, pod: Pod): boolean {
  const holds = (scope: string, operator = 'Exists', values: readonly string[] = []): boolean => {
    const deadline = pod.spec?.activeDeadlineSeconds;
    const bestEffort = pod.status?.qosClass === 'BestEffort';
    const priority = pod.spec?.priorityClassName ?? '';
    switch (scope) {
      case 'Terminating':
        return deadline !== undefined && deadline !== null;
      case 'NotTerminating':
        return deadline === undefined || deadline === null;
      case 'BestEffort':
        return bestEffort;
      case 'NotBestEffort':
        return !bestEffort;
      case 'PriorityClass':
        if (operator === 'In') return values.includes(priority);
        if (operator === 'NotIn') return !values.includes(priority);
        return (operator === 'Exists') === (priority !== '');
      case 'CrossNamespacePodAffinity':
        return looksElsewhere(pod);
      default:
        return false;
    }
  };
  return (
    (spec?.scopes ?? []).every((scope) => holds(scope)) &&
    (spec?.scopeSelector?.matchExpressions ?? []).every(({ scopeName, operator, values }) =>
      holds(scopeName, operator, values),
    )
  );
}

/** Looks at pods of other namespaces to find its place. */
function looksElsewhere({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => each.podAffinityTerm),
  ]);
  return terms.some(({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector);
}

const one = 1000n;
const many = (count: number): Milli => BigInt(count) * one;

interface Sight extends Holdings {
  /** Those that have ended too. */
  readonly allPods: readonly Pod[];
}

function amountOf(name: string, { pods, allPods, services, claims, count }: Sight): Milli | undefined {
  if (name === 'pods') return many(pods.length);
  if (name === 'count/pods') return many(allPods.length);
  if (name === 'services.nodeports')
    return many(
      services.reduce((sum, { spec }) => sum + (spec?.ports ?? []).filter((port) => port.nodePort).length, 0),
    );
  if (name === 'services.loadbalancers')
    return many(services.filter(({ spec }) => spec?.type === 'LoadBalancer').length);
  if (name === 'requests.storage') return storageOf(claims);
  const [storageClass, part] = name.split('.storageclass.storage.k8s.io/');
  if (part !== undefined) {
    const ofClass = claims.filter((claim) => storageClassOf(claim) === storageClass);
    if (part === 'requests.storage') return storageOf(ofClass);
    return part === 'persistentvolumeclaims' ? many(ofClass.length) : undefined;
  }
  const compute = computeName(name);
  if (compute) return sumOf(pods.map((pod) => podAmount(pod, ...compute)));
  const kind = countedKind(name);
  return kind === undefined ? undefined : countOf(count(kind));
}

/** Kinds of the core group whose plain name is a limit too, from before there was `count/`. */
const countedByName = [
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
];

/** The kind (`plural` or `plural.group`) whose objects a limit counts, if that is all it does. */
export function countedKind(name: string): string | undefined {
  if (name === 'count/pods') return undefined;
  if (name.startsWith('count/')) return name.slice('count/'.length);
  return countedByName.includes(name) ? name : undefined;
}

const countOf = (count: number | undefined): Milli | undefined => (count === undefined ? undefined : many(count));
const storageOf = (claims: readonly PersistentVolumeClaim[]): Milli =>
  sumOf(claims.map((claim) => parseQuantity(claim.spec?.resources?.requests?.['storage'])));
const storageClassOf = ({ metadata, spec }: PersistentVolumeClaim): string | undefined =>
  metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName;
const sumOf = (amounts: readonly Milli[]): Milli => amounts.reduce((sum, each) => sum + each, 0n);

type Side = 'requests' | 'limits';

function computeName(name: string): readonly [Side, string] | undefined {
  if (name.startsWith('requests.')) return ['requests', name.slice('requests.'.length)];
  if (name.startsWith('limits.')) return ['limits', name.slice('limits.'.length)];
  const plain = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
  return plain ? ['requests', name] : undefined;
}

/** All containers together, or the most that one init container asks for, since those run one after the other. */
export function podAmount({ spec }: Pod, side: Side, resource: string): Milli {
  const of = ({ resources }: { readonly resources?: Wire<V1ResourceRequirements> }) =>
    parseQuantity(resources?.[side]?.[resource]);
  const together = sumOf((spec?.containers ?? []).map(of));
  const most = (spec?.initContainers ?? []).map(of).reduce(larger, 0n);
  return larger(together, most) + parseQuantity(spec?.overhead?.[resource]);
}

// Math.max knows no bigints.
function larger(a: Milli, b: Milli): Milli {
  if (a > b) return a;
  return b;
}
