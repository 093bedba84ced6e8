import { expect, test } from 'vitest';
import { FakeClock } from '../../runtime/fake-clock.fixture.ts';
import type { Probe } from './probe.ts';
import { Prober, type ProberParts } from './prober.ts';

const grace = 30_000;
const settle = () => new Promise(setImmediate);

/** What a prober finds out: the probe finds the container well or ill, each time it asks, and then always as it did last. */
function probing(kind: keyof ProberParts['probes'], probe: Omit<Probe, 'exec'>, ...answers: ('well' | 'ill')[]) {
  const clock = new FakeClock();
  const over = new AbortController();
  const told: string[] = [];
  let asked = 0;
  const prober = new Prober({
    probes: { [kind]: { exec: { command: ['look'] }, ...probe } },
    clock,
    grace,
    asker: {
      exec: async () => (answers[Math.min(asked++, answers.length - 1)] === 'well' ? 0 : 1),
      portOf: Number,
    },
    say: (reason, message) => told.push(`${reason}: ${message}`),
    hasStarted: () => told.push('started'),
    isReady: (ready) => told.push(ready ? 'ready' : 'not ready'),
    async end(milliseconds) {
      told.push(`ended within ${milliseconds}`);
      over.abort();
    },
  });
  void prober.run(over.signal);
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await settle();
  };
  /** Lets so many seconds pass, one after the other. Answers how often was asked by then. */
  const after = async (seconds: number) => {
    await pass(0);
    for (let second = 0; second < seconds; second += 1) await pass(1_000);
    return asked;
  };
  return { told, after, over, clock };
}

const unhealthy = (name: string) => `Unhealthy: ${name} probe failed: command exited with 1`;

test('a probe asks every ten seconds unless it says otherwise, after its delay', async () => {
  const plain = probing('readinessProbe', {}, 'well');
  expect(await plain.after(0)).toBe(1);
  expect(await plain.after(9)).toBe(1);
  expect(await plain.after(1)).toBe(2);
  const slow = probing('readinessProbe', { initialDelaySeconds: 5, periodSeconds: 2 }, 'well');
  expect(await slow.after(4)).toBe(0);
  expect(await slow.after(1)).toBe(1);
  expect(await slow.after(2)).toBe(2);
});

test('a container is ready after so many successes, and not ready after so many failures in a row', async () => {
  const answers = ['ill', 'well', 'well', 'ill', 'well', 'ill', 'ill'] as const;
  const { told, after } = probing(
    'readinessProbe',
    { periodSeconds: 1, successThreshold: 2, failureThreshold: 2 },
    ...answers,
  );
  await after(0);
  await after(2);
  expect(told).toEqual(['started', 'ready']);
  await after(3);
  expect(told).toEqual(['started', 'ready']);
  await after(1);
  expect(told).toEqual(['started', 'ready', 'not ready', unhealthy('Readiness')]);
});

test.each([
  ['as its pod says', {}, grace],
  ['as its probe says', { terminationGracePeriodSeconds: 0 }, 0],
])('a container that does not live, three times, ends within a time %s', async (_, probe, within) => {
  const { told, after } = probing('livenessProbe', { periodSeconds: 1, ...probe }, 'ill');
  await after(1);
  expect(told).toEqual(['started']);
  await after(1);
  expect(told).toEqual(['started', unhealthy('Liveness'), `ended within ${within}`]);
  expect(await after(60)).toBe(3);
});

test('a container has started with the first success of its probe, which is not asked again', async () => {
  const { told, after } = probing('startupProbe', { periodSeconds: 1 }, 'ill', 'ill', 'well');
  await after(1);
  expect(told).toEqual([]);
  await after(1);
  expect(told).toEqual(['started']);
  expect(await after(60)).toBe(3);
});

test('a container that never starts ends, and is asked nothing else', async () => {
  const { told, after } = probing('startupProbe', { periodSeconds: 1, failureThreshold: 1 }, 'ill');
  await after(60);
  expect(told).toEqual([unhealthy('Startup'), `ended within ${grace}`]);
});

test('of a container that is over nothing is asked', async () => {
  const { after, over, clock } = probing('readinessProbe', {}, 'well');
  expect(await after(0)).toBe(1);
  over.abort();
  expect(await after(60)).toBe(1);
  expect(clock.next).toBeUndefined();
});
