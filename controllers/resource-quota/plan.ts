import type { V1ResourceRequirements } from '@kubernetes/client-node';
import type { Wire } from '../runtime/kube-object.ts';
import { isDeleting } from '../runtime/kube-object.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../runtime/resources.ts';
import { formatQuantity, type Milli, parseQuantity } from './quantity.ts';

/** What a namespace holds, as far as quotas count it. */
export interface Holdings {
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly claims: readonly PersistentVolumeClaim[];
  /** How many objects there are of a kind, by `plural` or `plural.group`; undefined for kinds that are not counted here. */
  readonly count: (resource: string) => number | undefined;
}

export type Amounts = Readonly<Record<string, string>>;

/** How much of each limit of a quota is used. Limits that nothing is known about are left out. */
export function usageOf(quota: ResourceQuota, holdings: Holdings): Amounts {
  const counted = holdings.pods.filter((pod) => countsAsRunning(pod) && inScope(quota, pod));
  const entries = Object.keys(quota.spec?.hard ?? {}).flatMap((name) => {
    const amount = amountOf(name, { ...holdings, pods: counted });
    return amount === undefined ? [] : [[name, formatQuantity(amount)] as const];
  });
  return Object.fromEntries(entries);
}

/** The amount that a status should say of a limit is not changed by another way to write it. */
export const isSameAmount = (a: Amounts | undefined, b: Amounts): boolean => {
  const names = Object.keys(b);
  return (
    names.length === Object.keys(a ?? {}).length &&
    names.every((name) => a?.[name] !== undefined && parseQuantity(a[name]) === parseQuantity(b[name]))
  );
};

/** A pod that has ended uses nothing any longer, and one whose grace has run out will not for long. */
const countsAsRunning = (pod: Pod): boolean =>
  pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !(isDeleting(pod) && !pod.spec?.nodeName);

function inScope({ spec }: ResourceQuota, pod: Pod): boolean {
  const holds = (scope: string, operator = 'Exists', values: readonly string[] = []): boolean => {
    const deadline = pod.spec?.activeDeadlineSeconds;
    const bestEffort = pod.status?.qosClass === 'BestEffort';
    const priority = pod.spec?.priorityClassName ?? '';
    switch (scope) {
      case 'Terminating':
        return deadline !== undefined;
      case 'NotTerminating':
        return deadline === undefined;
      case 'BestEffort':
        return bestEffort;
      case 'NotBestEffort':
        return !bestEffort;
      case 'PriorityClass':
        if (operator === 'In') return values.includes(priority);
        if (operator === 'NotIn') return !values.includes(priority);
        return (operator === 'Exists') === (priority !== '');
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

const one = 1000n;
const many = (count: number): Milli => BigInt(count) * one;

function amountOf(name: string, { pods, services, claims, count }: Holdings): Milli | undefined {
  if (name === 'pods') return many(pods.length);
  if (name === 'services.nodeports')
    return many(
      services.reduce((sum, { spec }) => sum + (spec?.ports ?? []).filter((port) => port.nodePort).length, 0),
    );
  if (name === 'services.loadbalancers')
    return many(services.filter(({ spec }) => spec?.type === 'LoadBalancer').length);
  if (name === 'requests.storage')
    return sumOf(claims.map((claim) => parseQuantity(claim.spec?.resources?.requests?.['storage'])));
  if (name.startsWith('count/')) return countOf(count(name.slice('count/'.length)));
  const compute = computeName(name);
  if (compute) return sumOf(pods.map((pod) => podAmount(pod, ...compute)));
  return countOf(count(name));
}

const countOf = (count: number | undefined): Milli | undefined => (count === undefined ? undefined : many(count));
const sumOf = (amounts: readonly Milli[]): Milli => amounts.reduce((sum, each) => sum + each, 0n);

type Side = 'requests' | 'limits';

function computeName(name: string): readonly [Side, string] | undefined {
  if (name.startsWith('requests.')) return ['requests', name.slice('requests.'.length)];
  if (name.startsWith('limits.')) return ['limits', name.slice('limits.'.length)];
  return ['cpu', 'memory', 'ephemeral-storage'].includes(name) ? ['requests', name] : undefined;
}

/** All containers together, or the most that one init container asks for, since those run one after the other. */
function podAmount({ spec }: Pod, side: Side, resource: string): Milli {
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
