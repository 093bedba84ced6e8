import { claimsFor, isMadeFor } from '../ephemeral-volume/plan.ts';
import { isDeleting, nameOf } from '../runtime/kube-object.ts';
import { isSelected, tolerates } from '../runtime/pods/pod-placement.ts';
import type { Node, Pod } from '../runtime/resources.ts';
import { neighbourhoodOf } from './neighbours.ts';
import { scarceResources } from './requests.ts';
import type { Sight } from './sight.ts';
import { type Claim, isLate } from './volumes.ts';

const schedulerName = 'default-scheduler';

/** Whether a pod waits for us to find it a node. */
export const isWaiting = (pod: Pod): boolean =>
  !pod.spec?.nodeName &&
  !isDeleting(pod) &&
  (pod.spec?.schedulerName ?? schedulerName) === schedulerName &&
  pod.status?.phase !== 'Succeeded' &&
  pod.status?.phase !== 'Failed';

/** The node for a pod, or why there is none. */
export type Placement = { readonly node: string } | { readonly why: string };

/** The fitting node with the fewest pods. */
export function placePod(pod: Pod, sight: Sight): Placement {
  const { nodes, podsOn, volumeObjection } = sight;
  const strangers = neighbourhoodOf(pod, sight);
  const reasons = new Map<string, number>();
  let best: { readonly name: string; readonly pods: number } | undefined;
  for (const node of nodes) {
    const name = nameOf(node);
    const there = podsOn(name);
    const own = objection(pod, node) ?? volumeObjection(node) ?? strangers(node);
    const all = own ? [own] : shortagesOf(pod, node, there);
    for (const reason of all) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (all.length > 0) continue;
    const pods = there.length;
    if (!best || pods < best.pods || (pods === best.pods && name < best.name)) best = { name, pods };
  }
  if (best) return { node: best.name };
  return { why: nowhere(nodes.length, [...reasons].map(([reason, count]) => `${count} ${reason}`).sort()) };
}

/**
 * Why a pod has to wait for a claim that it uses; undefined when it need not: where there are no classes nobody binds it, and
 * one that waits for a node would wait for ever.
 */
export function claimObjection(pod: Pod, used: Claim): string | undefined {
  const { name, claim } = used;
  if (!claim) return `persistentvolumeclaim "${name}" not found`;
  if (isDeleting(claim)) return `persistentvolumeclaim "${name}" is being deleted`;
  if (claimsFor(pod).some((own) => nameOf(own) === name) && !isMadeFor(claim, pod))
    return `persistentvolumeclaim "${name}" was not made for the pod`;
  const isAwaited = !isLate(used) && claim.spec?.storageClassName !== undefined && claim.status?.phase !== 'Bound';
  return isAwaited ? `persistentvolumeclaim "${name}" is not bound` : undefined;
}

/** Says that no node will do, and why. */
export const nowhere = (nodes: number, reasons: readonly string[]): string =>
  `0/${nodes} nodes are available${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}.`;

/** Why the pod cannot run on the node, even if it were alone there; undefined when it can. */
function objection(pod: Pod, node: Node): string | undefined {
  if (isDeleting(node)) return 'node(s) are going away';
  const tolerated = (taint: Taint) => (pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, taint));
  if (node.spec?.unschedulable && !tolerated(taintOf('unschedulable'))) return 'node(s) were unschedulable';
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const unready = taintOf(ready === 'Unknown' ? 'unreachable' : 'not-ready');
  // What mends a node has to run there before it is ready.
  if (ready !== 'True' && !tolerated(unready)) return 'node(s) were not ready';
  const taint = node.spec?.taints?.find((each) => each.effect !== 'PreferNoSchedule' && !tolerated(each));
  if (taint) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  if (!isSelected(pod.spec, node)) return "node(s) didn't match the pod's node selector";
  return undefined;
}

/** What the node has too little of, in words. */
const shortagesOf = (pod: Pod, node: Node, there: readonly Pod[]): readonly string[] =>
  scarceResources(pod, node, there).map((each) => (each === 'pods' ? 'Too many pods' : `Insufficient ${each}`));

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

/** The taint by which others keep pods away from a node that is so, whether it is there yet or not. */
const taintOf = (state: string): Taint => ({ key: `node.kubernetes.io/${state}`, effect: 'NoSchedule' });
