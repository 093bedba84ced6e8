import { annotationOf, isDeleting, millisecondsOf, olderFirst } from '../kube-object.ts';
import type { Pod } from '../resources.ts';

export const hasSucceeded = (pod: Pod): boolean => pod.status?.phase === 'Succeeded';
export const hasFailed = (pod: Pod): boolean => pod.status?.phase === 'Failed';

/** Whether a pod is running or still may, be it on its way out. */
export const mayRun = (pod: Pod): boolean => !hasSucceeded(pod) && !hasFailed(pod);

/** Whether a pod is running or still may: neither ended nor on its way out. */
export const isAlive = (pod: Pod): boolean => mayRun(pod) && !isDeleting(pod);

const readyCondition = (pod: Pod) => pod.status?.conditions?.find(({ type }) => type === 'Ready');

export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

/** Milliseconds until the pod has been ready for so long; 0 when it has, undefined when it is not ready. */
export function waitUntilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined;
  // The clock of whoever said so may be ahead.
  if (minReadySeconds === 0) return 0;
  const since = millisecondsOf(readyCondition(pod)?.lastTransitionTime) ?? now;
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

/** When to look again at pods that wait so long to be available. */
export function checkAgain(waits: readonly (number | undefined)[]): { readonly checkAgainAfter?: number } {
  const later = waits.filter((wait) => wait !== undefined && wait > 0) as number[];
  return later.length > 0 ? { checkAgainAfter: Math.min(...later) } : {};
}

const deletionCost = (pod: Pod): number =>
  Number(annotationOf(pod, 'controller.kubernetes.io/pod-deletion-cost') ?? 0) || 0;
const restarts = (pod: Pod): number =>
  (pod.status?.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);

/** Since when a pod has been ready, in milliseconds; 0 where it is not, or does not say. */
const readySince = (pod: Pod): number =>
  isReady(pod) ? (millisecondsOf(readyCondition(pod)?.lastTransitionTime) ?? 0) : 0;

type Order = (a: Pod, b: Pod) => number;

const progress = (pod: Pod): number =>
  (pod.spec?.nodeName ? 4 : 0) + (pod.status?.phase === 'Running' ? 2 : 0) + (isReady(pod) ? 1 : 0);
const byProgress: Order = (a, b) => progress(a) - progress(b);
const bySteadiness: Order = (a, b) => readySince(b) - readySince(a) || restarts(b) - restarts(a) || olderFirst(b, a);

/** Pods that have done least come first: without a node, not running, not ready, ready since lately, restarted often, young. */
export const leastDoneFirst = (pods: readonly Pod[]): readonly Pod[] =>
  [...pods].sort((a, b) => byProgress(a, b) || bySteadiness(a, b));

/**
 * As `leastDoneFirst`; of those that are as far, the ones that are cheap by their own word, then those with most others on
 * their node. They are the first that a set gives up.
 * @param others the pods to count on a node: these themselves, and those that do the same work
 */
export function leastWorthFirst(pods: readonly Pod[], others: readonly Pod[] = pods): readonly Pod[] {
  const onNodes = Map.groupBy(others, ({ spec }) => spec?.nodeName ?? '');
  const beside = ({ spec }: Pod) => (spec?.nodeName ? (onNodes.get(spec.nodeName)?.length ?? 0) : 0);
  return [...pods].sort(
    (a, b) => byProgress(a, b) || deletionCost(a) - deletionCost(b) || beside(b) - beside(a) || bySteadiness(a, b),
  );
}
