import { startJob, untilControlled } from '../../../checks/pods/job-runs.ts';
import { fail, succeed } from '../../../checks/pods/node-play.ts';
import { defineRule } from '../../../rule.ts';
import { answerStatus, editEvent, removeIn, replaceIn, swallowEvent } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import { nameOf } from '../../../verbs/states.ts';
import type { WatchEvent } from '../../../verbs/watch.ts';
import { jobReads, podLists } from '../../job-sabotages.ts';

const needs = ['job-controller'] as const;
const jobWatch = { path: /\/jobs$/ };
const podWatch = { path: /\/pods$/ };
const finalizer = 'batch.kubernetes.io/job-tracking';

const isTracked = ({ metadata }: Json): boolean => metadata.finalizers?.includes(finalizer) ?? false;

const uncounted = ({ object }: WatchEvent, how: 'succeeded' | 'failed', uid: string): boolean =>
  object.status?.uncountedTerminatedPods?.[how]?.includes(uid) ?? false;

/** Genuine servers count them up. */
const versionOf = ({ object }: WatchEvent): number => Number(object.metadata.resourceVersion);

export default [
  // In them are the uids of pods that have ended but are not counted yet.
  defineRule('job.status.uncounted.meaning', {
    needs,
    sabotage: [
      swallowEvent('MODIFIED', jobWatch),
      editEvent('object.status.uncountedTerminatedPods.succeeded', { ...jobWatch, with: [] }),
      editEvent('object.status.uncountedTerminatedPods.failed', { ...jobWatch, with: [] }),
    ],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 2 });
      const [first, second] = await job.untilActive(2);
      for (const [pod, how, end] of [
        [first, 'succeeded', succeed],
        [second, 'failed', fail],
      ] as const) {
        const watch = await context.jobs.watch({ resourceVersion: (await job.read()).metadata.resourceVersion });
        await end(context, pod);
        await watch.next(
          `the pod that has ${how} is uncounted`,
          (event) => uncounted(event, how, pod.metadata.uid),
          untilControlled(context),
        );
        watch.close();
      }
    },
  }),

  // First the uid goes in, then the pod's finalizer goes, then the uid goes out and the count up.
  defineRule('job.status.uncounted.procedure', {
    needs,
    sabotage: [
      editEvent('object.status.uncountedTerminatedPods.succeeded', { ...jobWatch, with: [] }),
      editEvent('object.metadata.finalizers', { ...podWatch, with: [finalizer] }),
      editEvent('object.metadata.resourceVersion', { ...podWatch, with: '1' }),
      editEvent('object.metadata.resourceVersion', { ...podWatch, with: '9007199254740991' }),
      replaceIn('status.succeeded', { ...jobReads, with: 1 }),
    ],
    async check(context) {
      const { jobs, pods, expect } = context;
      const job = await startJob(context, { completions: 2, parallelism: 1 });
      const pod = await job.nextPod();
      const { uid, resourceVersion } = pod.metadata;
      const [jobEvents, podEvents] = await Promise.all([
        jobs.watch({ resourceVersion: (await job.read()).metadata.resourceVersion }),
        pods.watch({ resourceVersion }),
      ]);
      await succeed(context, pod);
      const limit = untilControlled(context);
      const noted = await jobEvents.next('the uid goes in', (event) => uncounted(event, 'succeeded', uid), limit);
      const released = await podEvents.next(
        'the finalizer goes',
        ({ object }) => object.metadata.uid === uid && !isTracked(object),
        limit,
      );
      const counted = await jobEvents.next(
        'the uid goes out, and the pod counts',
        (event) => !uncounted(event, 'succeeded', uid) && event.object.status.succeeded === 1,
        limit,
      );
      const versions = [noted, released, counted].map(versionOf);
      // Whose versions are no numbers does not tell by them what came first.
      if (versions.every(Number.isFinite))
        expect(versions, 'the uid, the finalizer, the counter').toEqual(versions.toSorted((a, b) => a - b));
      // What is counted stays so when the pod itself is gone.
      await pods.remove(nameOf(pod));
      await succeed(context, await job.nextPod());
      expect((await job.untilIs('Complete')).status.succeeded, 'one that is gone, and one that is there').toBe(2);
    },
  }),

  // `uncountedTerminatedPods` is behind the feature gate JobTrackingWithFinalizers, which is open.
  defineRule('job.status.uncounted.gate', {
    needs,
    sabotage: [
      removeIn('status.uncountedTerminatedPods', jobReads),
      removeIn('items.*.metadata.finalizers', podLists),
      replaceIn('status.completedIndexes', { ...jobReads, with: '0' }),
    ],
    async check(context) {
      const { pods, expect } = context;
      const job = await startJob(context, { completionMode: 'Indexed', completions: 2, parallelism: 1 });
      const pod = await job.nextPod();
      expect(pod.metadata.finalizers ?? [], 'finalizers of the pod').toContain(finalizer);
      await job.until('it tells of uncounted pods', ({ status }) => Boolean(status.uncountedTerminatedPods));
      await succeed(context, pod);
      await job.until('the first index is complete', ({ status }) => status.completedIndexes === '0');
      // So nobody needs the pod any longer.
      await pods.remove(nameOf(pod));
      await succeed(context, await job.nextPod());
      expect((await job.untilIs('Complete')).status.completedIndexes, 'of one whose first pod is gone').toBe('0,1');
    },
  }),

  // For old jobs it may be null.
  defineRule('job.status.uncounted.null', {
    sabotage: [
      answerStatus(422, { method: 'PATCH', path: /\/status$/ }),
      replaceIn('status.uncountedTerminatedPods', { ...jobReads, with: { succeeded: [''] } }),
    ],
    async check({ jobs, expect }) {
      const { metadata } = await jobs.create({ spec: { suspend: true } });
      // As in a Job from before there was such a field.
      const written = await jobs.patch(metadata.name, { status: { uncountedTerminatedPods: null } }, { sub: 'status' });
      expect(written.status).toBe(200);
      const shown = (await jobs.read(metadata.name)).status?.uncountedTerminatedPods;
      // A controller may have begun to count by then.
      expect([undefined, null, {}], 'what is shown').toContainEqual(shown);
    },
  }),
];
