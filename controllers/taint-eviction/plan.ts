import { isDeleting, millisecondsOf } from '../runtime/kube-object.ts';
import { tolerates } from '../runtime/pods/pod-placement.ts';
import type { Node, Pod } from '../runtime/resources.ts';

/**
 * Milliseconds until a pod has to leave its node: 0 when a taint with the effect NoExecute is not tolerated or no longer,
 * undefined when it may stay. @param since when a taint was first seen that does not say when it was added
 */
export function waitBeforeEviction(pod: Pod, node: Node, since: number, now: number): number | undefined {
  if (isDeleting(pod)) return undefined;
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const waits = taints.flatMap((taint) => {
    const tolerating = (pod.spec?.tolerations ?? []).filter((each) => tolerates(each, taint));
    if (tolerating.length === 0) return 0;
    const seconds = tolerating.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
    // Whoever tolerates a taint for some time tolerates it for the shortest of the times.
    if (seconds.length === 0) return [];
    const added = millisecondsOf(taint.timeAdded) ?? since;
    return Math.max(0, added + Math.max(0, Math.min(...seconds)) * 1_000 - now);
  });
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

export const hasNoExecute = (node: Node): boolean =>
  (node.spec?.taints ?? []).some(({ effect }) => effect === 'NoExecute');
