import { isAlreadyExists, isNamespaceTerminating } from '../runtime/api-error.ts';
import { itself, type Loop, managerOf, type Reconciler, type Request } from '../runtime/controller.ts';
import { isDeleting, nameOf, uidOf } from '../runtime/kube-object.ts';
import { forEach, inGrowingGroups } from '../runtime/many.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import { pods, type ReplicaSet, replicaSets } from '../runtime/resources.ts';
import { planReplicaSet, podFor } from './plan.ts';

/** Keeps as many pods as a set asks for. */
const reconcile: Reconciler = async (request) => {
  const { key, read, write, clock, events } = request;
  const set = read(replicaSets).find(key);
  if (!set || isDeleting(set)) return undefined;
  const plan = planReplicaSet(set, read(pods).ownedBy(uidOf(set)), clock.now());
  if (plan.status) await write(replicaSets).replace(set, { ...set, status: plan.status }, 'status');
  await forEach(plan.delete, async (pod) => {
    await write(pods).delete(pod);
    events.record(set, { reason: 'SuccessfulDelete', action: 'Deleting', note: `Deleted pod: ${nameOf(pod)}` });
  });
  await inGrowingGroups(Array.from({ length: plan.create }), () => create(request, set));
  return plan.checkAgainAfter;
};

async function create({ write, events }: Request, set: ReplicaSet): Promise<void> {
  const pod = podFor(set, randomSuffix());
  try {
    await write(pods).create(pod);
  } catch (error) {
    if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
    const note = `Error creating: ${error instanceof Error ? error.message : error}`;
    events.record(set, { type: 'Warning', reason: 'FailedCreate', action: 'Creating', note });
    throw error;
  }
  events.record(set, { reason: 'SuccessfulCreate', action: 'Creating', note: `Created pod: ${nameOf(pod)}` });
}

export const replicaSetLoops: readonly Loop[] = [
  { name: 'replicaset', watches: [itself(replicaSets), managerOf(pods, 'ReplicaSet')], concurrency: 5, reconcile },
];
