import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Pod, PodDisruptionBudget } from '../runtime/resources.ts';
import { budgetStatus } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const budget = (spec: object, status?: object): PodDisruptionBudget =>
  ({
    metadata: { namespace: 'ns', name: 'b', generation: 2 },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    ...(status && { status }),
  }) as PodDisruptionBudget;

const pod = (name: string, { ready = true, owner = 'set', phase = 'Running', labels = { app: 'web' } } = {}): Pod =>
  ({
    metadata: {
      name,
      uid: name,
      labels,
      ...(owner && { ownerReferences: [{ controller: true, uid: owner, kind: 'ReplicaSet', name: owner }] }),
    },
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }) as unknown as Pod;

const ended = pod('done', { ready: false, phase: 'Succeeded' });
const four = [pod('a'), pod('b'), pod('c'), pod('d', { ready: false }), ended];
const naked = [pod('x', { owner: '' })];
const wants = (count: number) => () => count;

describe('a budget', () => {
  test.each<[string, object, readonly Pod[], number, number[]]>([
    [
      'of a number counts the pods that are there, those that have ended as well',
      { minAvailable: 2 },
      four,
      9,
      [5, 2, 3, 1],
    ],
    ['of a share counts what is wanted, rounded up', { minAvailable: '50%' }, four, 5, [5, 3, 3, 0]],
    ['of unavailable ones', { maxUnavailable: 2 }, four, 4, [4, 2, 3, 1]],
    ['of a share of unavailable ones, rounded up', { maxUnavailable: '30%' }, four, 4, [4, 2, 3, 1]],
    [
      'of unavailable ones counts nothing as wanted without a controller',
      { maxUnavailable: 1 },
      naked,
      9,
      [0, 0, 1, 0],
    ],
    ['of a number counts pods without a controller', { minAvailable: 0 }, naked, 9, [1, 0, 1, 1]],
    ['that says neither allows nothing', {}, four, 9, [0, 0, 3, 0]],
    ['without pods allows nothing', { maxUnavailable: 1 }, [], 9, [0, 0, 0, 0]],
    ['is about its own pods', { minAvailable: 0 }, [pod('x', { labels: { app: 'other' } })], 9, [0, 0, 0, 0]],
    ['with an empty selector is about all', { minAvailable: 0, selector: {} }, [pod('x')], 9, [1, 0, 1, 1]],
  ])('%s', (_, spec, pods, wanted, expected) => {
    const { status } = budgetStatus(budget(spec), pods, wants(wanted), now);
    expect([status?.expectedPods, status?.desiredHealthy, status?.currentHealthy, status?.disruptionsAllowed]).toEqual(
      expected,
    );
    const allowed = (expected[3] ?? 0) > 0;
    expect(status?.conditions).toMatchObject([{ type: 'DisruptionAllowed', status: allowed ? 'True' : 'False' }]);
  });

  test('does not count a pod whose eviction was granted, until that is two minutes ago', () => {
    const disruptedPods = { a: formatTime(now - 30_000), b: formatTime(now - 121_000), gone: formatTime(now) };
    const { status, checkAgainAfter } = budgetStatus(
      budget({ minAvailable: 1 }, { disruptedPods }),
      four,
      wants(4),
      now,
    );
    expect(status?.disruptedPods).toEqual({ a: disruptedPods.a });
    expect([status?.currentHealthy, checkAgainAfter]).toEqual([2, 90_000]);
  });

  test('counts a pod that has the name of one that was evicted', () => {
    const [a, ...others] = four as [Pod, ...Pod[]];
    const pods = [{ ...a, metadata: { ...a.metadata, creationTimestamp: formatTime(now - 10_000) } }, ...others];
    const disruptedPods = { a: formatTime(now - 30_000) };
    const { status } = budgetStatus(budget({ minAvailable: 1 }, { disruptedPods }), pods, wants(4), now);
    expect([status?.disruptedPods, status?.currentHealthy]).toEqual([{}, 3]);
  });

  test('allows nothing and says why where a controller does not say how many it wants', () => {
    const known = budgetStatus(budget({ maxUnavailable: 2 }), four, wants(4), now).status;
    const wantedBy = (each: Pod) => (each.metadata?.name === 'b' ? undefined : 4);
    const pods = [...four.slice(0, 1), pod('b', { owner: 'other' })];
    const failed = budgetStatus(budget({ maxUnavailable: 2 }, known), pods, wantedBy, now);
    expect(failed.status).toMatchObject({ ...known, disruptionsAllowed: 0, conditions: [{}] });
    const failure = 'not known how many pods are wanted by ReplicaSet other';
    expect(failed.status?.conditions).toMatchObject([{ status: 'False', reason: 'SyncFailed', message: failure }]);
    expect(budgetStatus(budget({ maxUnavailable: 2 }, failed.status), pods, wantedBy, now)).toEqual({ failure });
    expect(budgetStatus(budget({ minAvailable: 1 }), pods, wantedBy, now).status?.disruptionsAllowed).toBe(1);
    const recovered = budgetStatus(budget({ maxUnavailable: 2 }, failed.status), four, wants(4), now).status;
    expect([recovered?.disruptionsAllowed, recovered?.conditions?.[0]?.status]).toEqual([1, 'True']);
  });

  test('names ten of those who do not say how many they want: servers take no message of any length', () => {
    const pods = Array.from({ length: 12 }, (_, index) => pod(`p${index}`, { owner: `job-${10 + index}` }));
    const { failure } = budgetStatus(budget({ maxUnavailable: 2 }), pods, () => undefined, now);
    expect(failure).toMatch(/ by ReplicaSet job-10, (?:ReplicaSet job-1\d, ){9}and 2 more$/);
    expect(budgetStatus(budget({ maxUnavailable: 2 }), pods.slice(2), () => undefined, now).failure).toMatch(/job-21$/);
  });

  test('counts nobody as wanting pods that no controller has, nor stops because of them', () => {
    const wantedBy = (each: Pod) => (each.metadata?.ownerReferences ? 4 : undefined);
    const { status, failure } = budgetStatus(budget({ maxUnavailable: 2 }), [...four, ...naked], wantedBy, now);
    expect([status?.expectedPods, status?.desiredHealthy, status?.currentHealthy, failure]).toEqual([
      4,
      2,
      4,
      undefined,
    ]);
  });

  test('counts no pod as healthy that is going', () => {
    const going = pod('a');
    going.metadata = { ...going.metadata, deletionTimestamp: formatTime(now) };
    const { status } = budgetStatus(budget({ minAvailable: 1 }), [going, pod('b')], wants(2), now);
    expect([status?.expectedPods, status?.currentHealthy, status?.disruptionsAllowed]).toEqual([2, 1, 0]);
  });

  test('forgets an eviction of a pod that is going', () => {
    const going = pod('a');
    going.metadata = { ...going.metadata, deletionTimestamp: formatTime(now) };
    const disruptedPods = { a: formatTime(now - 1_000) };
    const { status } = budgetStatus(budget({ minAvailable: 1 }, { disruptedPods }), [going], wants(1), now);
    expect(status?.disruptedPods).toEqual({});
  });

  const full = { ...budgetStatus(budget({ minAvailable: 1 }), four, wants(4), now).status };
  test.each<[string, object]>([
    ...['observedGeneration', 'currentHealthy', 'desiredHealthy', 'expectedPods', 'disruptionsAllowed'].map(
      (count): [string, object] => [`with other ${count}`, { [count]: 7 }],
    ),
    ['with an eviction of long ago', { disruptedPods: { gone: formatTime(0) } }],
    [
      'that says that it failed',
      { conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed' }] },
    ],
  ])('%s is written again', (_, differs) => {
    const before = budget({ minAvailable: 1 }, { ...full, ...differs });
    expect(budgetStatus(before, four, wants(4), now).status).toMatchObject({
      ...full,
      conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }],
    });
  });

  test('is written once', () => {
    const { status } = budgetStatus(budget({ minAvailable: 1 }), four, wants(4), now);
    expect(budgetStatus(budget({ minAvailable: 1 }, status), four, wants(4), now + 5_000)).toEqual({});
  });
});
