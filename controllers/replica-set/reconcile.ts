import { itself, type Loop, managerOf, type Reconciler } from '../runtime/controller.ts';
import { createPod } from '../runtime/create-pod.ts';
import { isDeleting, nameOf } from '../runtime/kube-object.ts';
import { forEach, inGrowingGroups } from '../runtime/many.ts';
import { claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import { type Pod, pods, type ReplicaSet, replicaSets } from '../runtime/resources.ts';
import { planReplicaSet, podFor } from './plan.ts';

const family: Family<ReplicaSet, Pod> = {
  owners: replicaSets,
  children: pods,
  selector: ({ spec }) => spec?.selector,
};

/** Keeps as many pods as a set asks for. */
const reconcile: Reconciler = async (request) => {
  const { key, read, write, clock, events } = request;
  const set = read(replicaSets).find(key);
  if (!set || isDeleting(set)) return undefined;
  const plan = planReplicaSet(set, await claimChildren(request, set, family), clock.now());
  if (plan.status) await write(replicaSets).replace(set, { ...set, status: plan.status }, 'status');
  await forEach(plan.delete, async (pod) => {
    await write(pods).delete(pod);
    events.record(set, { reason: 'SuccessfulDelete', action: 'Deleting', note: `Deleted pod: ${nameOf(pod)}` });
  });
  await inGrowingGroups(Array.from({ length: plan.create }), () =>
    createPod(request, set, podFor(set, randomSuffix())),
  );
  return plan.checkAgainAfter;
};

export const replicaSetLoops: readonly Loop[] = [
  {
    name: 'replicaset',
    watches: [itself(replicaSets), managerOf(pods, 'ReplicaSet'), orphansOf(family)],
    concurrency: 5,
    reconcile,
  },
];
