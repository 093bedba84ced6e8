import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isConflict, isNotFound } from '../runtime/api-error.ts';
import { type Clock, formatTime } from '../runtime/clock.ts';
import { nameOf, uidOf } from '../runtime/kube-object.ts';
import { type Job, jobs, type Pod, pods } from '../runtime/resources.ts';
import { startControllers } from '../start.ts';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import type { Fate, Relay } from '../testing/relay.fixture.ts';
import { isFinished } from './conditions.ts';
import { trackingFinalizer } from './pods.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

/** Time that passes a thousand times as fast, so that the wait after a failed pod is short. */
const start = Date.now();
const hastyClock: Clock = {
  now: () => start + (Date.now() - start) * 1000,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds / 1000);
    return () => clearTimeout(timer);
  },
};

/** What the pods of a job came to, counted by who plays the node. */
interface Tally {
  readonly succeeded: Set<string>;
  readonly failed: Set<string>;
}

/** Plays the node: every pod ends at once; the second of a job fails, the others succeed. */
async function playNode(namespace: string, tally: Tally): Promise<void> {
  const { items } = await lab.client.list(pods, { namespace });
  for (const pod of items) {
    if (tally.succeeded.has(uidOf(pod)) || tally.failed.has(uidOf(pod)) || pod.metadata?.deletionTimestamp) continue;
    const fails = tally.failed.size === 0 && tally.succeeded.size === 1;
    (fails ? tally.failed : tally.succeeded).add(uidOf(pod));
    await end(pod, fails ? 'Failed' : 'Succeeded');
  }
}

async function end(pod: Pod, phase: string): Promise<void> {
  const finishedAt = formatTime(hastyClock.now());
  const state = { terminated: { exitCode: phase === 'Failed' ? 1 : 0, startedAt: finishedAt, finishedAt } };
  const status = {
    ...pod.status,
    phase,
    containerStatuses: [{ name: 'a', image: 'b', imageID: '', ready: false, restartCount: 0, state }],
  };
  try {
    await lab.client.replace(pods, { ...pod, status }, 'status');
  } catch (error) {
    if (isConflict(error) && !isNotFound(error))
      return end(await lab.client.get(pods, { namespace: pod.metadata?.namespace ?? '', name: nameOf(pod) }), phase);
    throw error;
  }
}

/** Runs the job controller until `deathAfter` of its writes have been made, or for good. */
async function runController(relay: Relay, { deathAfter, lastWrite }: { deathAfter?: number; lastWrite?: Fate }) {
  let writes = 0;
  let dead: () => void = () => {};
  const death = new Promise<void>((resolve) => {
    dead = resolve;
  });
  relay.fate = (method, path) => {
    if (deathAfter === undefined || method === 'GET' || path.includes('/events')) return 'pass';
    writes += 1;
    if (writes < deathAfter) return 'pass';
    dead();
    return writes === deathAfter && lastWrite ? lastWrite : 'lose request';
  };
  const running = await startControllers({ kubeconfig: relay.kubeconfig, controllers: ['job'] }, { clock: hastyClock });
  return { running, death, writes: () => writes };
}

interface Story {
  readonly completionMode: 'NonIndexed' | 'Indexed';
  readonly suspendLater?: boolean;
}

async function finish(namespace: string, tally: Tally): Promise<Job> {
  return eventually(async () => {
    await playNode(namespace, tally);
    const job = await lab.client.get(jobs, { namespace, name: 'j' });
    return isFinished(job) ? job : undefined;
  });
}

async function createJob(namespace: string, { completionMode }: Story): Promise<void> {
  const metadata = { name: namespace };
  await lab.client.create(
    { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
    { metadata },
    {},
  );
  await lab.client.create(
    { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true },
    { metadata: { name: 'default' } },
    { namespace },
  );
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
  await lab.client.create(
    jobs,
    { metadata: { name: 'j' }, spec: { completions: 3, parallelism: 2, completionMode, template } },
    { namespace },
  );
}

function expectExact(job: Job, all: readonly Pod[], tally: Tally): void {
  expect(job.status?.succeeded, 'succeeded').toBe(tally.succeeded.size);
  expect(job.status?.failed, 'failed').toBe(tally.failed.size);
  expect(job.status?.succeeded).toBe(3);
  expect([
    job.status?.uncountedTerminatedPods?.succeeded ?? [],
    job.status?.uncountedTerminatedPods?.failed ?? [],
  ]).toEqual([[], []]);
  expect(all.filter(({ metadata }) => metadata?.finalizers?.includes(trackingFinalizer))).toEqual([]);
  expect(all).toHaveLength(tally.succeeded.size + tally.failed.size);
}

const fates: readonly Fate[] = ['pass', 'lose answer', 'lose request'];

describe.each(['NonIndexed', 'Indexed'] as const)(
  'a %s job of three completions with one failure',
  (completionMode) => {
    test.each(fates)('counts every pod once whenever its controller is killed (last write: %s)', async (lastWrite) => {
      const relay = await lab.relay();
      for (let deathAfter = 1; ; deathAfter += 1) {
        const namespace = `${completionMode}-${lastWrite}-${deathAfter}`.toLowerCase().replaceAll(' ', '-');
        await createJob(namespace, { completionMode });
        const tally: Tally = { succeeded: new Set(), failed: new Set() };
        const first = await runController(relay, { deathAfter, lastWrite });
        const done = await Promise.race([first.death, finish(namespace, tally)]);
        await first.running.stop();
        const second = await runController(relay, {});
        const job = done ?? (await finish(namespace, tally));
        await second.running.stop();
        const { items } = await lab.client.list(pods, { namespace });
        expectExact(job, items, tally);
        if (done) {
          // It was never killed: every write has had its turn.
          expect(deathAfter).toBeGreaterThan(12);
          return;
        }
      }
    });
  },
);
