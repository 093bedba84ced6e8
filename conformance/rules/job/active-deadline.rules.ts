import { pass, startJob } from '../../checks/pods/job-runs.ts';
import { defineRule } from '../../rule.ts';
import { acceptsInvalid, storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { conditionOf } from '../../verbs/states.ts';
import { expectRefusal } from '../field-rules.ts';
import { claims, jobReads, keepsShowing, saysNothing } from '../job-sabotages.ts';

const needs = ['job-controller'] as const;

/** Milliseconds that a Job ran before it failed. */
const ranFor = (job: Json): number =>
  Date.parse(conditionOf(job, 'Failed').lastTransitionTime) - Date.parse(job.status.startTime);

export default [
  // `activeDeadlineSeconds` is more than 0.
  defineRule('job.active-deadline.positive', {
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/jobs$/, instead: 422 }),
      answerStatus(422, { method: 'POST', path: /\/jobs$/, instead: 201 }),
      acceptsInvalid({ method: 'POST', path: /\/jobs$/ }),
      acceptsInvalid({ method: ['PUT', 'PATCH'], path: /\/jobs\/[^/]+$/ }),
      storesRefused({ path: /\/jobs(\/[^/]+)?$/ }),
      removeIn('spec.activeDeadlineSeconds', { method: 'GET', path: /\/jobs\/[^/]+$/ }),
    ],
    async check(context) {
      const { jobs, looser, expect } = context;
      const sample = (activeDeadlineSeconds: number) => jobs.sample({ spec: { suspend: true, activeDeadlineSeconds } });
      const made = await jobs.post(sample(1));
      expect(made.status, '1').toBe(201);
      expect((await jobs.read(made.body.metadata.name)).spec.activeDeadlineSeconds, 'as stored').toBe(1);
      const bad = sample(-1);
      expectRefusal(context, await jobs.post(bad), '-1');
      expect((await jobs.get(bad.metadata.name)).status, '-1, as stored').toBe(404);
      // Its status may be written meanwhile.
      const { resourceVersion: _version, ...metadata } = made.body.metadata;
      const changed = { spec: { activeDeadlineSeconds: -1 } };
      expectRefusal(context, await jobs.patch(metadata.name, changed), '-1, by a patch');
      const spec = { ...made.body.spec, ...changed.spec };
      expectRefusal(context, await jobs.put({ ...made.body, metadata, spec }), '-1, by an update');
      const zero = (await jobs.post(sample(0))).status;
      await looser(() => expect([400, 422], '0').toContain(zero));
    },
  }),

  // A job that has run longer than `activeDeadlineSeconds` is ended as Failed.
  defineRule('job.active-deadline.terminates', {
    needs,
    sabotage: [
      saysNothing,
      keepsShowing,
      replaceIn('status.active', { ...jobReads, with: 1 }),
      replaceIn('status.conditions.*.reason', { ...jobReads, with: 'BackoffLimitExceeded' }),
    ],
    async check(context) {
      const short = await startJob(context, { activeDeadlineSeconds: 2 });
      // A slow controller may end that one before anybody has seen its pod.
      const running = await startJob(context);
      await running.untilActive(1);
      await running.change({ activeDeadlineSeconds: 1 });
      const failed = await running.untilIs('Failed');
      const { expect } = context;
      expect(conditionOf(failed, 'Failed').reason, 'why it failed').toBe('DeadlineExceeded');
      await running.untilActive(0);
      await running.until('no pod is counted as active', ({ status }) => !status.active);
      expect(ranFor(await short.untilIs('Failed')), 'milliseconds it ran').toBeGreaterThanOrEqual(2_000);
      await short.untilActive(0);
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
      expect(ranFor(await job.untilIs('Failed')), 'milliseconds it ran').toBeGreaterThanOrEqual(1_000);
    },
  }),
];
