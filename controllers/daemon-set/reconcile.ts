import {
  bringing,
  itself,
  type Loop,
  managerOf,
  type Outcome,
  type Read,
  type Request,
} from '../runtime/controller.ts';
import { isDeleting, keyOf, labelsOf, nameOf, uidOf } from '../runtime/kube-object.ts';
import { forEach, inGrowingGroups } from '../runtime/many.ts';
import { childrenOf, claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { createPod } from '../runtime/pods/create-pod.ts';
import { deletePod } from '../runtime/pods/delete-pod.ts';
import { hasFailed } from '../runtime/pods/pod-state.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import {
  controllerRevisions,
  type DaemonSet,
  daemonSets,
  type Node,
  nodes,
  type Pod,
  pods,
} from '../runtime/resources.ts';
import { currentRevision, dropOutdated, revisionHashLabel, revisionsOf } from '../runtime/revisions.ts';
import { FailedPods } from './failed-pods.ts';
import { nodeOf, suitability } from './placement.ts';
import { daemonSetStatus, planDaemonSet } from './plan.ts';
import { podFor } from './pods.ts';

const family: Family<DaemonSet, Pod> = {
  owners: daemonSets,
  children: pods,
  selector: ({ spec }) => spec?.selector,
};

/** Keeps one pod on every node that suits. */
async function reconcile(request: Request, failed: FailedPods): Promise<Outcome> {
  const { key, read, write, clock } = request;
  const set = read(daemonSets).find(key);
  if (!set || isDeleting(set)) return undefined;
  const revision = await currentRevision(request, set, family);
  const hash = labelsOf(revision)[revisionHashLabel] ?? '';
  const all = read(nodes).all();
  const claimed = await claimChildren(request, set, family);
  const plan = planDaemonSet(set, { nodes: all, pods: claimed, hash }, clock.now());
  const { go, wait } = inTime(set, plan.delete, failed, clock.now());
  let failure: unknown;
  try {
    await act(request, set, { ...plan, delete: go }, hash);
  } catch (error) {
    failure = error;
  }
  const left = childrenOf(read, set, family);
  const revisionOf = (pod: Pod) => `${nameOf(set)}-${labelsOf(pod)[revisionHashLabel] ?? ''}`;
  await dropOutdated(request, set, [nameOf(revision), ...left.map(revisionOf)]);
  const { status, checkAgainAfter } = daemonSetStatus(set, { nodes: all, pods: left, hash }, clock.now());
  if (status) await write(daemonSets).replace(set, { ...set, status }, 'status');
  if (failure) throw failure;
  const next = Math.min(wait, checkAgainAfter ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? next : undefined;
}

/** Which of these pods go now, and in how many milliseconds, if at all, the next of the others. */
function inTime(set: DaemonSet, leaving: readonly Pod[], failed: FailedPods, now: number) {
  const waits = new Map(
    leaving.filter(hasFailed).map((pod) => [pod, failed.waitBeforeReplacing(`${uidOf(set)} ${nodeOf(pod)}`, now)]),
  );
  return { go: leaving.filter((pod) => !waits.get(pod)), wait: Math.min(...[...waits.values()].filter(Boolean)) };
}

async function act(request: Request, set: DaemonSet, plan: ReturnType<typeof planDaemonSet>, hash: string) {
  await forEach(plan.delete, (pod) => deletePod(request, set, pod));
  await inGrowingGroups(plan.create, (node) => createPod(request, set, podFor(set, node, hash, randomSuffix())));
}

/** A heartbeat changes a node too: only those sets come that would have it otherwise than they have it. */
const setsOtherwise = (node: Node, read: Read): readonly string[] =>
  read(daemonSets)
    .all()
    .filter((set) => {
      const { starts } = suitability(set, node);
      const has = read(pods)
        .ownedBy(uidOf(set))
        .some((pod) => pod.spec?.nodeName === nameOf(node));
      return starts !== has || !read(nodes).find(nameOf(node));
    })
    .map(keyOf);

export function daemonSetLoops(): readonly Loop[] {
  const failed = new FailedPods();
  return [
    {
      name: 'daemonset',
      watches: [
        itself(daemonSets),
        managerOf(pods, 'DaemonSet'),
        orphansOf(family),
        orphansOf(revisionsOf(family)),
        managerOf(controllerRevisions, 'DaemonSet'),
        bringing(nodes, setsOtherwise),
      ],
      concurrency: 2,
      reconcile: (request) => reconcile(request, failed),
    },
  ];
}
