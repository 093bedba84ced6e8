import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { preparePods } from '../../verbs/pods.ts';
import { conditionOf } from '../../verbs/states.ts';
import { fail, succeed, unscheduled } from './node-play.ts';

/** A Job whose pods wait for the rule to play their node. */
export interface JobRun {
  readonly name: string;
  /** As it was created. */
  readonly created: Json;
  readonly read: () => Promise<Json>;
  readonly until: (what: string, accept: (job: Json) => boolean) => Promise<Json>;
  /** Until the condition is True. */
  readonly untilIs: (condition: string) => Promise<Json>;
  /** All its pods, those that have ended too. */
  readonly pods: () => Promise<readonly Json[]>;
  /** Until it has so many pods that neither have ended nor are going; gives these, in order of their creation. */
  readonly untilActive: (count: number) => Promise<readonly Json[]>;
  /** Until it has one active pod, and gives that. */
  readonly nextPod: () => Promise<Json>;
  readonly change: (spec: Json) => Promise<Json>;
}

/** How many milliseconds a controller of Jobs may take: genuine ones look at their pods only once a second. */
export const untilControlled = ({ patience }: Pick<RuleContext, 'patience'>): number => 3 * patience;

const isActive = ({ metadata, status }: Json): boolean =>
  !metadata.deletionTimestamp && !['Succeeded', 'Failed'].includes(status?.phase);

/** `True`, `False`, `Unknown`, or undefined where it is not there. */
export const statusOf = (job: Json, type: string): string | undefined => conditionOf(job, type)?.status;

export const isFinished = (job: Json): boolean =>
  statusOf(job, 'Complete') === 'True' || statusOf(job, 'Failed') === 'True';

/** Creates a Job with these parts of its spec. */
export async function startJob(context: RuleContext, spec: Json = {}, metadata: Json = {}): Promise<JobRun> {
  const { jobs, pods, waitUntil } = context;
  await preparePods(context);
  const created = await jobs.create(merged({ metadata, spec: { template: { spec: unscheduled } } }, { spec }));
  const { name, uid } = created.metadata;
  const wait = { limit: untilControlled(context) };
  const read = () => jobs.read(name);
  const own = async (): Promise<readonly Json[]> =>
    (await pods.list()).items.filter((pod: Json) =>
      pod.metadata.ownerReferences?.some((owner: Json) => owner.uid === uid),
    );
  const active = async () => (await own()).filter(isActive);
  const until: JobRun['until'] = (what, accept) => waitUntil(what, read, accept, wait);
  const untilActive: JobRun['untilActive'] = (count) =>
    waitUntil(`the job has ${count} active pods`, active, ({ length }) => length === count, wait);
  return {
    name,
    created,
    read,
    until,
    untilIs: (condition) => until(`the job is ${condition}`, (job) => statusOf(job, condition) === 'True'),
    pods: own,
    untilActive,
    nextPod: async () => (await untilActive(1))[0],
    change: (changes) => jobs.merge(name, { spec: changes }),
  };
}

/** A Job of one pod that has succeeded. */
export async function finishedJob(context: RuleContext, spec: Json = {}, metadata: Json = {}): Promise<JobRun> {
  const job = await startJob(context, spec, metadata);
  await succeed(context, await job.nextPod());
  return job;
}

/** A Job that has failed with its first pod. */
export async function failedJob(context: RuleContext, spec: Json): Promise<JobRun> {
  const job = await startJob(context, { backoffLimit: 0, ...spec });
  await fail(context, await job.nextPod());
  return job;
}

/** For rules about time: nothing else can be waited for. */
export const pass = (milliseconds: number): Promise<void> => sleep(milliseconds);
