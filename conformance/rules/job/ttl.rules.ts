import { defineRule } from '../../rule.ts';
import { answerStatus, notFound, removeIn } from '../../sabotage/transforms.ts';
import type { Answer } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { conditionOf, finishedJob, type JobRun } from '../../verbs/job-runs.ts';
import { jobReads } from '../job-sabotages.ts';

const needs = ['job-controller', 'ttl-controller', 'garbage-collector'] as const;

const untilGone = ({ jobs, waitUntil, patience }: RuleContext, { name }: JobRun): Promise<Answer> =>
  waitUntil(
    'the job is gone',
    () => jobs.get(name),
    ({ status }) => status === 404,
    { limit: patience * 3 },
  );

const stays = answerStatus(200, { ...jobReads, instead: 404 });

export default [
  defineRule('job.ttl.meaning', {
    needs,
    sabotage: [stays, notFound({ ...jobReads, from: 2 })],
    async check(context) {
      const ttlSecondsAfterFinished = 2;
      const job = await finishedJob(context, { ttlSecondsAfterFinished });
      const finished = conditionOf(await job.untilIs('Complete'), 'Complete').lastTransitionTime;
      const { headers } = await untilGone(context, job);
      const after = Date.parse(headers.date ?? new Date().toUTCString()) - Date.parse(finished);
      context.expect(after, 'milliseconds it stayed').toBeGreaterThanOrEqual(ttlSecondsAfterFinished * 1000);
    },
  }),

  defineRule('job.ttl.unset', {
    needs,
    sabotage: notFound({ ...jobReads, from: 4 }),
    async check(context) {
      const without = await finishedJob(context);
      await without.untilIs('Complete');
      const other = await finishedJob(context, { ttlSecondsAfterFinished: 0 });
      await untilGone(context, other);
      context.expect((await context.jobs.get(without.name)).status, 'without a limit').toBe(200);
    },
  }),

  defineRule('job.ttl.zero', {
    needs,
    sabotage: stays,
    async check(context) {
      await untilGone(context, await finishedJob(context, { ttlSecondsAfterFinished: 0 }));
    },
  }),

  defineRule('job.ttl.finalizers', {
    needs,
    sabotage: [stays, removeIn('metadata.deletionTimestamp', jobReads), notFound(jobReads)],
    async check(context) {
      const { jobs, expect } = context;
      const held = { finalizers: ['example.com/hold'] };
      const job = await finishedJob(context, { ttlSecondsAfterFinished: 0 }, held);
      await job.until('it is to go', ({ metadata }) => Boolean(metadata.deletionTimestamp));
      expect((await jobs.get(job.name)).status, 'while it has a finalizer').toBe(200);
      await jobs.merge(job.name, { metadata: { finalizers: null } });
      await untilGone(context, job);
    },
  }),
];
