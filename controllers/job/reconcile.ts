import { isNotFound, unlessNotFound } from '../runtime/api-error.ts';
import { itself, type Loop, managerOf, type Outcome, type Reconciler, type Request } from '../runtime/controller.ts';
import { isDeleting, keyFor, keyOf, namespaceOf, type OwnerReference, uidOf } from '../runtime/kube-object.ts';
import { forEach, inGrowingGroups } from '../runtime/many.ts';
import { claimChildren, type Family, orphansOf } from '../runtime/ownership.ts';
import { createPod } from '../runtime/pods/create-pod.ts';
import { deletePod } from '../runtime/pods/delete-pod.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import { type Job, jobs, type Pod, pods } from '../runtime/resources.ts';
import { isFinished, type Verdict } from './conditions.ts';
import { type JobPlan, planJob } from './plan.ts';
import { isStopped, isTracked, podFor, stoppedAnnotation, trackingFinalizer } from './pods.ts';

const family: Family<Job, Pod> = {
  owners: jobs,
  children: pods,
  selector: ({ spec }) => spec?.selector,
  finalizer: trackingFinalizer,
};

/** Runs a job: reads it and its pods, plans, acts. */
const reconcileJob: Reconciler = async (request) => {
  const { key, read, clock } = request;
  const job = read(jobs).find(key);
  if (!job || !hasKnownMode(job)) return undefined;
  const owned = read(pods).ownedBy(uidOf(job));
  if (isDeleting(job)) return release(request, owned.filter(isTracked));
  const claimed = isFinished(job) ? owned : await claimChildren(request, job, family);
  return carryOut(request, job, planJob(job, claimed, clock.now()));
};

/** Jobs of a mode that came after us are left to those who know it. */
const hasKnownMode = ({ spec }: Job): boolean =>
  ['NonIndexed', 'Indexed'].includes(spec?.completionMode ?? 'NonIndexed');

async function carryOut(request: Request, job: Job, plan: JobPlan): Promise<Outcome> {
  const { write, events } = request;
  await forEach(plan.stop, (pod) => stop(request, job, pod));
  await forEach(plan.delete, (pod) => deletePod(request, job, pod));
  if (plan.status) await write(jobs).replace(job, { ...job, status: plan.status }, 'status');
  for (const verdict of plan.news) events.record(job, newsOf(verdict));
  await release(request, plan.release);
  await inGrowingGroups(plan.create, (index) => createPod(request, job, podFor(job, index, randomSuffix())));
  return plan.checkAgainAfter;
}

/** Marks, then deletes: whoever finds the pod between the two knows that its end is no failure. */
async function stop(request: Request, job: Job, pod: Pod): Promise<void> {
  const marked = isStopped(pod)
    ? pod
    : await request.write(pods).patch(pod, { metadata: { annotations: { [stoppedAnnotation]: '' } } });
  await deletePod(request, job, marked);
}

async function release({ write }: Request, counted: readonly Pod[]): Promise<undefined> {
  await forEach(counted, async (pod) => {
    try {
      await write(pods).patch(pod, { metadata: { finalizers: withoutTracking(pod) } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}

const withoutTracking = (pod: Pod): readonly string[] =>
  (pod.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer);

function newsOf({ type, status = 'True', reason, message }: Verdict) {
  if (type === 'Complete') return { reason: 'Completed', action: 'Completing', note: 'Job completed' };
  if (type === 'Failed') return { type: 'Warning' as const, reason, action: 'Failing', note: message };
  const suspended = status === 'True';
  return { reason: suspended ? 'Suspended' : 'Resumed', action: suspended ? 'Suspending' : 'Resuming', note: message };
}

/** Lets pods go whose job is gone or not theirs any longer: nobody is left to count them. */
const releaseOrphan: Reconciler = async (request) => {
  const { key, read } = request;
  const pod = read(pods).find(key);
  if (!pod || !isTracked(pod)) return undefined;
  const owner = pod.metadata?.ownerReferences?.find(({ controller, kind }) => controller && kind === 'Job');
  if (owner && (await isThere(request, namespaceOf(pod), owner))) return undefined;
  return release(request, [pod]);
};

/** A cache may not have a young job yet, and a pod let go too early is never counted: so the server is asked. */
async function isThere({ read, client }: Request, namespace: string, owner: OwnerReference): Promise<boolean> {
  const cached = read(jobs).find(keyFor(namespace, owner.name));
  if (cached && uidOf(cached) === owner.uid) return true;
  const job = await unlessNotFound(client.get(jobs, { namespace, name: owner.name }));
  return job !== undefined && uidOf(job) === owner.uid;
}

export const jobLoops: readonly Loop[] = [
  {
    name: 'job',
    watches: [itself(jobs), managerOf(pods, 'Job'), orphansOf(family)],
    concurrency: 5,
    reconcile: reconcileJob,
  },
  {
    name: 'job-orphan-pods',
    watches: [
      itself(pods, isTracked),
      {
        resource: jobs,
        keys: (job, read) =>
          read(jobs).find(keyOf(job)) ? [] : read(pods).ownedBy(uidOf(job)).filter(isTracked).map(keyOf),
      },
    ],
    reconcile: releaseOrphan,
  },
];
