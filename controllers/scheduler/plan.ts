import { isDeleting, nameOf } from '../runtime/kube-object.ts';
import { isSelected, tolerates } from '../runtime/pod-placement.ts';
import type { Node, Pod } from '../runtime/resources.ts';

export const schedulerName = 'default-scheduler';

/** Whether a pod waits for us to find it a node. */
export const isWaiting = (pod: Pod): boolean =>
  !pod.spec?.nodeName &&
  !isDeleting(pod) &&
  (pod.spec?.schedulerName ?? schedulerName) === schedulerName &&
  pod.status?.phase !== 'Succeeded' &&
  pod.status?.phase !== 'Failed';

/** The node for a pod, or why there is none. */
export type Placement = { readonly node: string } | { readonly why: string };

/** The fitting node with the fewest pods. `load` says how many pods a node has. */
export function placePod(pod: Pod, nodes: readonly Node[], load: (node: string) => number): Placement {
  const reasons = new Map<string, number>();
  let best: { readonly name: string; readonly pods: number } | undefined;
  for (const node of nodes) {
    const name = nameOf(node);
    const pods = load(name);
    const reason = objection(pod, node, pods);
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else if (!best || pods < best.pods || (pods === best.pods && name < best.name)) best = { name, pods };
  }
  if (best) return { node: best.name };
  const parts = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort();
  return { why: `0/${nodes.length} nodes are available${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.` };
}

/** Why the pod cannot run on the node; undefined when it can. */
function objection(pod: Pod, node: Node, pods: number): string | undefined {
  if (isDeleting(node)) return 'node(s) are going away';
  const tolerated = (taint: Taint) => (pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, taint));
  if (node.spec?.unschedulable && !tolerated(unschedulable)) return 'node(s) were unschedulable';
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return 'node(s) were not ready';
  const taint = node.spec?.taints?.find((each) => each.effect !== 'PreferNoSchedule' && !tolerated(each));
  if (taint) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  if (!isSelected(pod.spec, node)) return "node(s) didn't match the pod's node selector";
  if (pods >= Number(node.status?.allocatable?.['pods'] ?? Number.POSITIVE_INFINITY)) return 'Too many pods';
  return undefined;
}

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];
const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
