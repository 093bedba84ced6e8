import { failedJob, finishedJob, type JobRun, pass, startJob, statusOf } from '../../checks/pods/job-runs.ts';
import { succeed } from '../../checks/pods/node-play.ts';
import { defineRule } from '../../rule.ts';
import { showsGone } from '../../sabotage/careless.ts';
import { answerStatus, changeRequest, notFound, removeIn } from '../../sabotage/transforms.ts';
import type { Answer, Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { conditionOf } from '../../verbs/states.ts';
import { jobReads, keepsShowing } from '../job-sabotages.ts';

const needs = ['job-controller', 'ttl-controller', 'garbage-collector'] as const;

/** Until the job fits or is gone. */
const look = (
  { jobs, waitUntil, patience }: RuleContext,
  { name }: JobRun,
  what: string,
  accept: (job: Json) => boolean,
): Promise<Answer> =>
  waitUntil(
    what,
    () => jobs.get(name),
    ({ status, body }) => status === 404 || accept(body),
    { limit: patience * 3 },
  );

const isComplete = (job: Json): boolean => statusOf(job, 'Complete') === 'True';

const untilGone = (context: RuleContext, job: JobRun): Promise<Answer> =>
  look(context, job, 'the job is gone', () => false);

const stays = answerStatus(200, { ...jobReads, instead: 404 });

const forgets = changeRequest(
  'takes 0 for every limit',
  (job) => ({ ...job, spec: { ...job.spec, ttlSecondsAfterFinished: 0 } }),
  { method: 'POST', path: /\/jobs$/ },
);

const zeroIsNone = changeRequest(
  'takes 0 for no limit',
  ({ spec: { ttlSecondsAfterFinished, ...spec }, ...job }) => ({
    ...job,
    spec: { ...spec, ...(ttlSecondsAfterFinished ? { ttlSecondsAfterFinished } : {}) },
  }),
  { method: 'POST', path: /\/jobs$/ },
);

export default [
  // A finished job stays for `ttlSecondsAfterFinished`.
  defineRule('job.ttl.meaning', {
    needs,
    sabotage: [stays, notFound(jobReads), forgets],
    async check(context) {
      const ttlSecondsAfterFinished = 2;
      const job = await startJob(context, { ttlSecondsAfterFinished });
      const pod = await job.nextPod();
      // Longer than it is to stay once it is finished: not from its start on does the time count.
      await pass(ttlSecondsAfterFinished * 1_000 + 100);
      await succeed(context, pod);
      const complete = await look(context, job, 'it is complete', isComplete);
      context.expect(complete.status, 'as soon as it is complete').toBe(200);
      const finished = conditionOf(complete.body, 'Complete').lastTransitionTime;
      const { headers } = await untilGone(context, job);
      const after = Date.parse(headers.date ?? new Date().toUTCString()) - Date.parse(finished);
      context.expect(after, 'milliseconds it stayed').toBeGreaterThanOrEqual(ttlSecondsAfterFinished * 1000);
    },
  }),

  // Without it a finished job stays for good.
  defineRule('job.ttl.unset', {
    needs,
    sabotage: [notFound({ ...jobReads, from: 4 }), forgets],
    async check(context) {
      const without = await finishedJob(context);
      const complete = await look(context, without, 'it is complete', isComplete);
      context.expect(complete.status, 'without a limit, as soon as it is complete').toBe(200);
      const other = await finishedJob(context, { ttlSecondsAfterFinished: 0 });
      await untilGone(context, other);
      context.expect((await context.jobs.get(without.name)).status, 'without a limit').toBe(200);
      // It may get one once it is finished.
      await without.change({ ttlSecondsAfterFinished: 0 });
      await untilGone(context, without);
    },
  }),

  // With 0 a finished job may go at once.
  defineRule('job.ttl.zero', {
    needs,
    sabotage: [stays, showsGone(jobReads), zeroIsNone, keepsShowing],
    async check(context) {
      const { jobs, pods, waitUntil, patience, expect } = context;
      const { metadata } = await jobs.create({ spec: { suspend: true, ttlSecondsAfterFinished: 0 } });
      const isSuspended = (job: Json): boolean => statusOf(job, 'Suspended') === 'True';
      const seen = () => jobs.read(metadata.name);
      await waitUntil('a job that has not begun tells so', seen, isSuspended, { limit: patience * 3 });
      await untilGone(context, await finishedJob(context, { ttlSecondsAfterFinished: 0 }));
      // Who collects what the job has left may hear of it a little later.
      const left = async () => (await pods.list()).items;
      const isNone = ({ length }: readonly Json[]): boolean => length === 0;
      await waitUntil('pods of a job that is gone are gone', left, isNone, { limit: patience * 3 });
      await untilGone(context, await failedJob(context, { ttlSecondsAfterFinished: 0 }));
      expect((await jobs.get(metadata.name)).status, 'a job that has not begun').toBe(200);
    },
  }),

  // Going that way, a job's finalizers are respected.
  defineRule('job.ttl.finalizers', {
    needs,
    sabotage: [stays, removeIn('metadata.deletionTimestamp', jobReads), notFound(jobReads)],
    async check(context) {
      const { jobs, expect } = context;
      const held = { finalizers: ['example.com/hold'] };
      const job = await finishedJob(context, { ttlSecondsAfterFinished: 0 }, held);
      const marked = await look(context, job, 'it is to go', ({ metadata }) => Boolean(metadata.deletionTimestamp));
      expect(marked.status, 'while it has a finalizer').toBe(200);
      await jobs.merge(job.name, { metadata: { finalizers: null } });
      await untilGone(context, job);
    },
  }),
];
