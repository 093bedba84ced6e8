import { amount } from '../deployment/limits.ts';
import { withCondition } from '../runtime/conditions.ts';
import {
  controllerOf,
  isDeleting,
  labelsOf,
  millisecondsOf,
  nameOf,
  type OwnerReference,
} from '../runtime/kube-object.ts';
import { isReady } from '../runtime/pods/pod-state.ts';
import type { Pod, PodDisruptionBudget } from '../runtime/resources.ts';
import { matches } from '../runtime/selector.ts';

type Status = NonNullable<PodDisruptionBudget['status']>;

/** How long an eviction may take to show as a deletion, in milliseconds, before the pod counts again. */
const evictionTime = 120_000;

/** The pods that a budget is about, those that have ended as well: as long as they are there they are expected. */
export const podsOf = ({ spec }: PodDisruptionBudget, pods: readonly Pod[]): readonly Pod[] =>
  pods.filter((pod) => matches(spec?.selector, labelsOf(pod)));

/** Whether it matters how many pods the managers want. */
const sizedByManagers = ({ spec }: PodDisruptionBudget): boolean =>
  typeof spec?.minAvailable === 'string' || (spec?.maxUnavailable ?? undefined) !== undefined;

/** Who manages the pods of a budget for which it matters how many are wanted, each once. */
export function managersOf(budget: PodDisruptionBudget, pods: readonly Pod[]): readonly OwnerReference[] {
  if (!sizedByManagers(budget)) return [];
  const managers = podsOf(budget, pods).flatMap((pod) => controllerOf(pod) ?? []);
  return [...new Map(managers.map((manager) => [manager.uid, manager])).values()];
}

export interface BudgetStatus {
  /** The status to store; undefined when it is stored already. */
  readonly status?: Status;
  /** Milliseconds until an eviction that did not happen is forgotten. */
  readonly checkAgainAfter?: number;
  /** Why nobody can say how many may be disrupted. */
  readonly failure?: string;
}

/**
 * How many pods may be disrupted.
 * @param wantedBy how many pods the controller of a pod wants in all; undefined where that is not known
 */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  wantedBy: (pod: Pod) => number | undefined,
  now: number,
): BudgetStatus {
  const own = podsOf(budget, pods);
  const { disrupted, wait } = stillDisrupted(budget, own, now);
  const healthy = own.filter((pod) => isReady(pod) && !isDeleting(pod) && !Object.hasOwn(disrupted, nameOf(pod)));
  const unknown = sizedByManagers(budget) ? own.filter((pod) => controllerOf(pod) && wantedBy(pod) === undefined) : [];
  if (unknown.length > 0) return failedStatus(budget, unknown, now);
  const { expected, desired } = needs(budget, own, wantedBy);
  const allowed = expected > 0 ? Math.max(0, healthy.length - desired) : 0;
  const verdict =
    allowed > 0
      ? { status: 'True', reason: 'SufficientPods', message: '' }
      : { status: 'False', reason: 'InsufficientPods', message: '' };
  const before = budget.status?.conditions ?? [];
  const conditions = withCondition(before, 'DisruptionAllowed', verdict, now);
  const status: Status = {
    ...budget.status,
    observedGeneration: budget.metadata?.generation ?? 0,
    currentHealthy: healthy.length,
    desiredHealthy: desired,
    expectedPods: expected,
    disruptionsAllowed: allowed,
    disruptedPods: disrupted,
    conditions: [...conditions],
  };
  const same = conditions === before && isSame(budget.status, status);
  return { ...(!same && { status }), ...(wait !== undefined && { checkAgainAfter: wait }) };
}

/** So many are named at most: servers take no message of any length. */
const mostNamed = 10;

const listed = (names: readonly string[]): string =>
  [...names.slice(0, mostNamed), ...(names.length > mostNamed ? [`and ${names.length - mostNamed} more`] : [])].join(
    ', ',
  );

/** Some pods are managed by what does not say how many it wants: none may be disrupted; what was counted before stays. */
function failedStatus(budget: PodDisruptionBudget, unknown: readonly Pod[], now: number): BudgetStatus {
  const managers = unknown.map((pod) => controllerOf(pod)).map((owner) => `${owner?.kind} ${owner?.name}`);
  const failure = `not known how many pods are wanted by ${listed([...new Set(managers)].sort())}`;
  const before = budget.status?.conditions ?? [];
  const verdict = { status: 'False', reason: 'SyncFailed', message: failure };
  const conditions = withCondition(before, 'DisruptionAllowed', verdict, now);
  if (conditions === before && budget.status?.disruptionsAllowed === 0) return { failure };
  const none = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return { status: { ...none, ...budget.status, disruptionsAllowed: 0, conditions: [...conditions] }, failure };
}

const counts = [
  'observedGeneration',
  'currentHealthy',
  'desiredHealthy',
  'expectedPods',
  'disruptionsAllowed',
] as const;

const isSame = (before: Status | undefined, next: Status): boolean =>
  counts.every((name) => before?.[name] === next[name]) &&
  Object.keys(before?.disruptedPods ?? {}).join() === Object.keys(next.disruptedPods ?? {}).join();

/** Evictions that were granted and are not seen to have happened yet. */
function stillDisrupted({ status }: PodDisruptionBudget, own: readonly Pod[], now: number) {
  const alive = new Map(own.filter((pod) => !isDeleting(pod)).map((pod) => [nameOf(pod), pod]));
  const waits: number[] = [];
  const disrupted: Record<string, string> = {};
  for (const [name, time] of Object.entries(status?.disruptedPods ?? {})) {
    const granted = millisecondsOf(time) ?? 0;
    const left = granted + evictionTime - now;
    const pod = alive.get(name);
    // One that was made after it has only the name of the one that has gone.
    const isAnother = (millisecondsOf(pod?.metadata?.creationTimestamp) ?? 0) > granted;
    if (!pod || isAnother || left <= 0) continue;
    disrupted[name] = time;
    waits.push(left);
  }
  return { disrupted, wait: waits.length > 0 ? Math.min(...waits) : undefined };
}

/** How many pods there should be, and how many of them healthy. A number of healthy ones is of those that are there. */
function needs({ spec }: PodDisruptionBudget, own: readonly Pod[], wantedBy: (pod: Pod) => number | undefined) {
  const minAvailable = spec?.minAvailable ?? undefined;
  const maxUnavailable = spec?.maxUnavailable ?? undefined;
  if (typeof minAvailable === 'number') return { expected: own.length, desired: minAvailable };
  const expected = scaleOf(own, wantedBy);
  if (maxUnavailable !== undefined) {
    return { expected, desired: Math.max(0, expected - amount(maxUnavailable, expected, Math.ceil)) };
  }
  // Who says neither protects all.
  if (minAvailable === undefined) return { expected: 0, desired: 0 };
  return { expected, desired: amount(minAvailable, expected, Math.ceil) };
}

/** What the controllers of the pods want together, each counted once; pods without one are not counted. */
function scaleOf(own: readonly Pod[], wantedBy: (pod: Pod) => number | undefined): number {
  const wanted = new Map<string | undefined, number>();
  for (const pod of own) wanted.set(controllerOf(pod)?.uid, wantedBy(pod) ?? 0);
  wanted.delete(undefined);
  return [...wanted.values()].reduce((total, each) => total + each, 0);
}
