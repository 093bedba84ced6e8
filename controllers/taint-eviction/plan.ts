import { isDeleting, millisecondsOf } from '../runtime/kube-object.ts';
import { tolerates } from '../runtime/pods/pod-placement.ts';
import type { Node, Pod } from '../runtime/resources.ts';

/**
 * Milliseconds until a pod has to leave its node: 0 when a taint with the effect NoExecute is not tolerated or no longer,
 * undefined when it may stay. @param since when it was first seen that the pod bears some taint for a time alone: for taints
 * that do not say when they were added
 */
export function waitBeforeEviction(pod: Pod, node: Node, since: number, now: number): number | undefined {
  if (isDeleting(pod)) return undefined;
  // Who came to a node that was tainted before has its time all the same: else it went, and came again, without an end.
  const came = millisecondsOf(pod.status?.startTime ?? pod.metadata?.creationTimestamp) ?? 0;
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const waits = taints.flatMap((taint) => {
    const tolerating = (pod.spec?.tolerations ?? []).filter((each) => tolerates(each, taint));
    if (tolerating.length === 0) return 0;
    const seconds = tolerating.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
    // Whoever tolerates a taint for some time tolerates it for the shortest of the times.
    if (seconds.length === 0) return [];
    const added = Math.max(came, millisecondsOf(taint.timeAdded) ?? since);
    return Math.max(0, added + Math.max(0, Math.min(...seconds)) * 1_000 - now);
  });
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

export const hasNoExecute = (node: Node): boolean =>
  (node.spec?.taints ?? []).some(({ effect }) => effect === 'NoExecute');
