import { messageOf } from '../runtime/api-error.ts';
import { itself, type Loop, managerOf, type Outcome, type Request } from '../runtime/controller.ts';
import { controllerOf, isDeleting, uidOf } from '../runtime/kube-object.ts';
import { forEach, inGrowingGroups } from '../runtime/many.ts';
import { childrenOf, claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { createPod } from '../runtime/pods/create-pod.ts';
import { deletePod } from '../runtime/pods/delete-pod.ts';
import { podFromTemplate, podName } from '../runtime/pods/pod-from-template.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import { type Pod, pods, type ReplicaSet, type Resource, replicaSets } from '../runtime/resources.ts';
import { planReplicas, type ReplicaFailure, type ReplicaOwner, replicasStatus } from './plan.ts';

const family: Family<ReplicaSet, Pod> = {
  owners: replicaSets,
  children: pods,
  selector: ({ spec }) => spec?.selector,
};

/** The loop of a kind that keeps as many pods as each of its objects asks for. */
export const replicaLoop = <O extends ReplicaOwner>(name: string, owners: Family<O, Pod>): Loop => ({
  name,
  watches: [itself(owners.owners), managerOf(pods, owners.owners.kind), orphansOf(owners)],
  concurrency: 5,
  reconcile: (request) => reconcile(request, owners),
});

/** Acts first, then tells: what was created counts in the status at once, and what could not be is its condition. */
async function reconcile<O extends ReplicaOwner>(request: Request, owners: Family<O, Pod>): Promise<Outcome> {
  const { key, read, write, clock } = request;
  const owner = read(owners.owners).find(key);
  if (!owner || isDeleting(owner)) return undefined;
  const failed = await act(request, owner, await claimChildren(request, owner, owners), owners);
  const { status, checkAgainAfter } = replicasStatus(owner, childrenOf(read, owner, owners), failed?.told, clock.now());
  if (status) await write(owners.owners).replace(owner, { ...owner, status } as O, 'status');
  if (failed) throw failed.error;
  return checkAgainAfter;
}

/** The pods of all owners of this kind that have the same manager; undefined for one that has none. */
function relatedPods(
  { read }: Request,
  owner: ReplicaOwner,
  owners: Resource<ReplicaOwner>,
): readonly Pod[] | undefined {
  const manager = controllerOf(owner);
  const siblings = manager && read(owners).ownedBy(manager.uid);
  return siblings?.flatMap((sibling) => read(pods).ownedBy(uidOf(sibling)));
}

/** Creates and deletes as planned. Answers what went wrong. */
async function act<O extends ReplicaOwner>(
  request: Request,
  owner: O,
  claimed: readonly Pod[],
  { owners }: Family<O, Pod>,
): Promise<{ readonly error: unknown; readonly told: ReplicaFailure } | undefined> {
  const plan = planReplicas(owner, claimed, relatedPods(request, owner, owners));
  try {
    await forEach(plan.delete, (pod) => deletePod(request, owner, pod));
    await inGrowingGroups(Array.from({ length: plan.create }), () => {
      const name = podName(owner, randomSuffix());
      return createPod(request, owner, podFromTemplate(owners, owner, owner.spec?.template, name));
    });
    return undefined;
  } catch (error) {
    const reason = plan.delete.length > 0 ? 'FailedDelete' : 'FailedCreate';
    return { error, told: { reason, message: messageOf(error) } };
  }
}

export const replicaSetLoops: readonly Loop[] = [replicaLoop('replicaset', family)];
