import { startJob } from '../../checks/pods/job-runs.ts';
import { fail, run, succeed } from '../../checks/pods/node-play.ts';
import { defineRule } from '../../rule.ts';
import { editEvent, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { jobReads, saysNothing } from '../job-sabotages.ts';

const needs = ['job-controller'] as const;
const patches = { method: 'PATCH', path: /\/status$/ };
const suspended = { spec: { suspend: true } };
const condition = (type: string) => ({ type, status: 'True', reason: 'Judged', message: type });

/** What is told in vain of pods that are to be counted. */
const miscounted = {
  'no list': { failed: 'f1' },
  'a pod twice': { failed: ['f1', 'f2', 'f1'] },
  'a pod that failed and succeeded': { failed: ['f1', 'f2'], succeeded: ['s1', 'f2'] },
  'no pod': { succeeded: ['s1', ''] },
};

export default [
  // Conditions are merged by their type.
  defineRule('job.status.conditions.merge', {
    sabotage: [replaceIn('status.conditions', { method: 'GET', path: /\/jobs\// }), loseWrite(patches)],
    async check({ jobs, expect }) {
      const { metadata } = await jobs.create(suspended);
      for (const type of ['Failed', 'Complete']) {
        const patch = { status: { conditions: [condition(type)] } };
        expect((await jobs.patch(metadata.name, patch, { type: 'strategic', sub: 'status' })).status).toBe(200);
      }
      const types = ((await jobs.read(metadata.name)).status.conditions ?? []).map((one: Json) => one.type);
      expect(types).toEqual(expect.arrayContaining(['Complete', 'Failed']));
    },
  }),

  // `uncountedTerminatedPods` has two lists of texts, failed and succeeded.
  defineRule('job.status.uncounted.shape', {
    sabotage: [
      loseWrite(patches),
      editEvent('object.status.uncountedTerminatedPods.failed', { path: /\/jobs$/, with: 'f1' }),
    ],
    async check({ jobs, expect }) {
      const { metadata } = await jobs.create(suspended);
      const uncountedTerminatedPods = { failed: ['f1', 'f2'], succeeded: ['s1'] };
      const watch = await jobs.watch({ resourceVersion: metadata.resourceVersion });
      expect((await jobs.patch(metadata.name, { status: { uncountedTerminatedPods } }, { sub: 'status' })).status).toBe(
        200,
      );
      // A controller takes out at once what names no pod.
      const { object } = await watch.next('they are stored', ({ object: { status } }) =>
        Boolean(status?.uncountedTerminatedPods?.failed),
      );
      watch.close();
      expect(object.status.uncountedTerminatedPods).toEqual(uncountedTerminatedPods);
      for (const [what, uncounted] of Object.entries(miscounted)) {
        const status = { uncountedTerminatedPods: uncounted };
        const wrong = await jobs.patch(metadata.name, { status }, { sub: 'status' });
        expect([400, 422], what).toContain(wrong.status);
      }
    },
  }),

  // `active` is how many pods are pending or running.
  defineRule('job.status.active', {
    needs,
    sabotage: [removeIn('status.active', jobReads), replaceIn('status.active', { ...jobReads, with: 2 })],
    async check(context) {
      const { expect } = context;
      const job = await startJob(context, { completions: 2, parallelism: 2 });
      const [first, second] = await job.untilActive(2);
      await run(context, first);
      await job.until('a pending and a running pod are active', ({ status }) => status.active === 2);
      await succeed(context, second);
      await job.until('one that has ended is not', ({ status }) => status.active === 1);
      const failing = await startJob(context, { completions: 2, parallelism: 2 });
      const [failed] = await failing.untilActive(2);
      await fail(context, failed);
      const { status: told } = await failing.until('a failure is counted', ({ status }) => status.failed === 1);
      expect(told.active ?? 0, 'of two, when one has failed').toBeGreaterThanOrEqual(1);
      const other = await startJob(context, { completions: 3, parallelism: 3 });
      await other.until('three are active', ({ status }) => status.active === 3);
      await other.change({ parallelism: 1 });
      await other.until('of three no more than may be are active', ({ status }) => status.active === 1);
    },
  }),

  // `failed` is how many pods have failed.
  defineRule('job.status.failed', {
    needs,
    sabotage: [removeIn('status.failed', jobReads), replaceIn('status.failed', { ...jobReads, with: 1 })],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 2 });
      const pods = await job.untilActive(2);
      context.expect((await job.read()).status.failed ?? 0, 'at first').toBe(0);
      await Promise.all(pods.map((pod) => fail(context, pod)));
      await job.until('both have failed', ({ status }) => status.failed === 2);
    },
  }),

  // `succeeded` is how many pods have succeeded.
  defineRule('job.status.succeeded', {
    needs,
    sabotage: [removeIn('status.succeeded', jobReads), replaceIn('status.succeeded', { ...jobReads, with: 1 })],
    async check(context) {
      const job = await startJob(context, { completions: 3, parallelism: 3 });
      const [first, second] = await job.untilActive(3);
      context.expect((await job.read()).status.succeeded ?? 0, 'at first').toBe(0);
      await Promise.all([first, second].map((pod) => succeed(context, pod)));
      await job.until('two have succeeded', ({ status }) => status.succeeded === 2);
    },
  }),

  // `ready` is how many pods are ready.
  defineRule('job.status.ready', {
    needs,
    sabotage: [
      removeIn('status.ready', jobReads),
      replaceIn('status.ready', { ...jobReads, with: 2 }),
      replaceIn('status.active', { ...jobReads, with: 1 }),
    ],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 2 });
      const [first, second] = await job.untilActive(2);
      context.expect((await job.read()).status.ready ?? 0, 'at first').toBe(0);
      // It runs, and is not ready for all that.
      await run(context, second, { ready: false });
      await run(context, first);
      await job.until('one of two is ready', ({ status }) => status.ready === 1);
      await succeed(context, first);
      const { status } = await job.until('one has succeeded', (seen) => seen.status.succeeded === 1);
      context.expect(status.ready ?? 0, 'with one that runs and is not ready').toBe(0);
      await run(context, second);
      await job.until('the other is ready', (seen) => seen.status.ready === 1);
      await succeed(context, second);
      const { status: ended } = await job.untilIs('Complete');
      context.expect(ended.ready ?? 0, 'when both have succeeded').toBe(0);
      context.expect(ended.active ?? 0, 'when both have succeeded, active').toBe(0);
    },
  }),

  // `ready` is behind the feature gate JobReadyPods, which is open.
  defineRule('job.status.ready.gate', {
    needs,
    sabotage: removeIn('status.ready', jobReads),
    async check(context) {
      const job = await startJob(context);
      await run(context, await job.nextPod());
      await job.until('ready pods are counted', ({ status }) => typeof status.ready === 'number');
    },
  }),

  // `completionTime` comes with success and with nothing else.
  defineRule('job.status.completion-time', {
    needs,
    sabotage: [
      removeIn('status.completionTime', jobReads),
      replaceIn('status.completionTime', { ...jobReads, with: '2024-05-06T07:08:09Z' }),
      saysNothing,
    ],
    async check(context) {
      const { expect } = context;
      const good = await startJob(context);
      const pod = await good.nextPod();
      expect((await good.read()).status.completionTime, 'while it runs').toBeUndefined();
      await succeed(context, pod);
      expect((await good.untilIs('Complete')).status.completionTime, 'with success').toBeTypeOf('string');
      const bad = await startJob(context, { backoffLimit: 0 });
      await fail(context, await bad.nextPod());
      expect((await bad.untilIs('Failed')).status.completionTime, 'without success').toBeUndefined();
    },
  }),
];
