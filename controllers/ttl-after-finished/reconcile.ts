import { unlessNotFound } from '../runtime/api-error.ts';
import { itself, type Loop, type Reconciler } from '../runtime/controller.ts';
import { nameOf, namespaceOf, uidOf, versionOf } from '../runtime/kube-object.ts';
import { jobs } from '../runtime/resources.ts';
import { waitBeforeDeletion } from './plan.ts';

/** Deletes a job that finished as long ago as it says. */
const reconcile: Reconciler = async ({ key, read, write, client, clock }) => {
  const job = read(jobs).find(key);
  const wait = job && waitBeforeDeletion(job, clock.now());
  if (!job || wait === undefined) return undefined;
  if (wait > 0) return wait;
  // Deleting is for good, and the limit may have been raised a moment ago: look at the object itself once more.
  const fresh = await unlessNotFound(client.get(jobs, { namespace: namespaceOf(job), name: nameOf(job) }));
  if (!fresh || uidOf(fresh) !== uidOf(job)) return undefined;
  const stillWaits = waitBeforeDeletion(fresh, clock.now());
  if (stillWaits !== 0) return stillWaits;
  const preconditions = { uid: uidOf(fresh), resourceVersion: versionOf(fresh) };
  await write(jobs).delete(fresh, { propagationPolicy: 'Foreground', preconditions });
  return undefined;
};

export const ttlAfterFinishedLoops: readonly Loop[] = [
  {
    name: 'ttl-after-finished',
    watches: [itself(jobs, (job) => job.spec?.ttlSecondsAfterFinished !== undefined)],
    reconcile,
  },
];
