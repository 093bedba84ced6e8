import { defineRule } from '../../rule.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { conditionOf, pass, startJob } from '../../verbs/job-runs.ts';
import { claims, keepsShowing, saysNothing } from '../job-sabotages.ts';

const needs = ['job-controller'] as const;

export default [
  // `activeDeadlineSeconds` is more than 0.
  defineRule('job.active-deadline.positive', {
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/jobs$/, instead: 422 }),
      answerStatus(422, { method: 'POST', path: /\/jobs$/, instead: 201 }),
    ],
    async check({ jobs, looser, expect }) {
      const post = async (activeDeadlineSeconds: number) =>
        (await jobs.post(jobs.sample({ spec: { suspend: true, activeDeadlineSeconds } }))).status;
      expect(await post(1), '1').toBe(201);
      expect([400, 422], '-1').toContain(await post(-1));
      const zero = await post(0);
      await looser(() => expect([400, 422], '0').toContain(zero));
    },
  }),

  // A job that has run longer than `activeDeadlineSeconds` is ended as Failed.
  defineRule('job.active-deadline.terminates', {
    needs,
    sabotage: [saysNothing, keepsShowing],
    async check(context) {
      const job = await startJob(context, { activeDeadlineSeconds: 2 });
      await job.untilActive(1);
      await job.untilIs('Failed');
      await job.untilActive(0);
    },
  }),

  // While suspended a job's time does not run, and it begins anew.
  defineRule('job.active-deadline.suspended', {
    needs,
    sabotage: [saysNothing, claims('Failed')],
    async check(context) {
      const { expect } = context;
      const job = await startJob(context, { activeDeadlineSeconds: 1, suspend: true });
      await job.untilIs('Suspended');
      await pass(1_500);
      expect(conditionOf(await job.read(), 'Failed'), 'suspended for longer than the deadline').toBeUndefined();
      await job.change({ suspend: false });
      const ended = await job.untilIs('Failed');
      const ran = Date.parse(conditionOf(ended, 'Failed').lastTransitionTime) - Date.parse(ended.status.startTime);
      expect(ran, 'milliseconds it ran').toBeGreaterThanOrEqual(1_000);
    },
  }),
];
