import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { HorizontalPodAutoscaler, Pod, PodMetrics } from '../runtime/resources.ts';
import type { Memory } from './behavior.ts';
import { planAutoscaling } from './plan.ts';

const now = Date.UTC(2024, 0, 1, 12);
const long = formatTime(now - 3_600_000);

interface Shown {
  readonly used?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly since?: string;
  readonly started?: string;
  readonly going?: boolean;
}

/** A pod that requests a core, and what it uses. */
const pod = (name: string, { phase = 'Running', ready = true, since = long, started = long, going }: Shown): Pod =>
  ({
    metadata: { name, ...(going && { deletionTimestamp: long }) },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
    status: {
      phase,
      startTime: started,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: since }],
    },
  }) as unknown as Pod;

function sightOf(shown: readonly Shown[], current = shown.length) {
  const pods = shown.map((each, index) => pod(`p${index}`, each));
  const metrics = shown.flatMap(({ used }, index): PodMetrics[] =>
    used === undefined
      ? []
      : [
          {
            metadata: { name: `p${index}` },
            timestamp: formatTime(now - 5_000),
            window: '10s',
            containers: [{ name: 'main', usage: { cpu: used, memory: used } }],
          },
        ],
  );
  return { pods, metrics, current, now };
}

const cpu = (target: object) => ({ type: 'Resource', resource: { name: 'cpu', target } });
const half = cpu({ type: 'Utilization', averageUtilization: 50 });
const autoscaler = (spec: object = {}): HorizontalPodAutoscaler =>
  ({
    metadata: { name: 'a', generation: 3 },
    spec: { minReplicas: 1, maxReplicas: 20, metrics: [half], ...spec },
  }) as never;
const all = (count: number, shown: Shown): Shown[] => Array.from({ length: count }, () => shown);
/** Nothing of how fast it may go. */
const behavior = { scaleUp: { policies: [{ type: 'Percent', value: 900, periodSeconds: 15 }] } };
/** Nothing that was recommended keeps anything. */
const fresh: Memory = { recommended: [], changes: [] };

test('pods that request nothing have no share of it, which is told', () => {
  const sight = sightOf(all(2, { used: '1' }));
  for (const { spec } of sight.pods) if (spec?.containers[0]) spec.containers[0].resources = { requests: { cpu: '0' } };
  const { replicas, status, failure } = planAutoscaling(autoscaler(), sight, fresh);
  expect(replicas).toBeUndefined();
  expect(failure).toContain('requests');
  const active = status.conditions?.find(({ type }) => type === 'ScalingActive');
  expect(active).toMatchObject({ status: 'False', reason: 'FailedGetResourceMetric' });
});

describe('of pods that request a core each, at a goal of half,', () => {
  test.each<[string, Shown[], number | undefined]>([
    ['twice the use doubles', all(2, { used: '1' }), 4],
    ['half the use halves', all(4, { used: '250m' }), 2],
    ['use within a tenth keeps', all(4, { used: '540m' }), undefined],
    ['no use leaves the least', all(4, { used: '0' }), 1],
    ['a share of a pod is one more', all(3, { used: '700m' }), 5],
    ['a pod that says nothing is idle when more are wanted', [...all(2, { used: '1' }), {}], 4],
    ['a pod that says nothing is busy when fewer are wanted', [...all(3, { used: '100m' }), {}], 3],
    ['a pod that waits for a node is idle', [...all(3, { used: '1500m' }), { phase: 'Pending' }], 9],
    [
      'a pod that goes or has failed counts for nothing',
      [...all(3, { used: '1' }), { used: '1', going: true }, { phase: 'Failed' }],
      6,
    ],
    [
      'a pod that was never ready does not show its work',
      [
        ...all(2, { used: '1' }),
        { used: '9', ready: false, started: formatTime(now - 20_000), since: formatTime(now - 20_000) },
      ],
      4,
    ],
    [
      'a pod that has just become ready still shows its start',
      [...all(2, { used: '1' }), { used: '9', started: formatTime(now - 60_000), since: formatTime(now - 8_000) }],
      4,
    ],
    [
      'a pod that was ready before counts',
      [...all(2, { used: '1' }), { used: '1', ready: false, since: formatTime(now - 60_000) }],
      6,
    ],
  ])('%s', (_, shown, replicas) => {
    expect(planAutoscaling(autoscaler({ behavior }), sightOf(shown), fresh).replicas).toBe(replicas);
  });
});

describe('asked for', () => {
  test.each<[string, object[], number | undefined]>([
    ['an amount a pod', [cpu({ type: 'AverageValue', averageValue: '250m' })], 8],
    ['two, the one that wants more counts', [half, cpu({ type: 'AverageValue', averageValue: '100m' })], 20],
    [
      'one of a container that is not there, nothing is taken away',
      [
        cpu({ type: 'AverageValue', averageValue: '10' }),
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: 'x', target: { averageValue: '1' } },
        },
      ],
      undefined,
    ],
    ['one that nobody knows, the other may still add', [{ type: 'External' }, cpu({ averageValue: '250m' })], 8],
  ])('%s', (_, metrics, replicas) => {
    const sight = sightOf(all(2, { used: '1' }));
    expect(planAutoscaling(autoscaler({ behavior, metrics }), sight, fresh).replicas).toBe(replicas);
  });

  test('nothing that is known, it says why', () => {
    const plan = planAutoscaling(autoscaler(), sightOf([{}]), fresh, 'no metrics API');
    expect(plan).toMatchObject({ failure: 'failed to get cpu usage: no metrics API', status: { desiredReplicas: 1 } });
    expect(plan.status.conditions).toMatchObject([
      { type: 'AbleToScale', status: 'True' },
      { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric' },
    ]);
  });
});

describe('the bounds', () => {
  test.each<[string, object, number, string, number | undefined, string]>([
    ['the most', { maxReplicas: 5 }, 4, '1', 5, 'TooManyReplicas'],
    ['the least', { minReplicas: 3 }, 4, '0', 3, 'TooFewReplicas'],
    ['doubling at a time, or four more', {}, 2, '9', 6, 'ScaleUpLimit'],
    [
      'a policy of fewer',
      {
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
        },
      },
      8,
      '0',
      7,
      'ScaleDownLimit',
    ],
    ['no way down', { behavior: { scaleDown: { selectPolicy: 'Disabled' } } }, 8, '0', undefined, 'ScaleDownLimit'],
  ])('%s', (_, spec, count, used, replicas, reason) => {
    const plan = planAutoscaling(autoscaler(spec), sightOf(all(count, { used })), fresh);
    expect(plan.replicas).toBe(replicas);
    expect(plan.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'ScalingLimited', status: 'True', reason }),
    );
  });

  test('are kept without asking any metric', () => {
    const plan = planAutoscaling(autoscaler({ minReplicas: 3 }), sightOf([{}]), fresh);
    expect(plan).toMatchObject({ replicas: 3, reason: 'Current number of replicas below Spec.MinReplicas' });
    expect(plan.status.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'AbleToScale SucceededRescale',
    ]);
  });

  test('a target that wants none is left alone', () => {
    const plan = planAutoscaling(autoscaler(), sightOf([], 0), fresh);
    expect(plan.replicas).toBeUndefined();
    expect(plan.status.conditions).toContainEqual(expect.objectContaining({ reason: 'ScalingDisabled' }));
  });
});

describe('what was before', () => {
  const idle = sightOf(all(4, { used: '0' }));

  test('keeps pods for five minutes, also from the start of a process', () => {
    const first = planAutoscaling(autoscaler(), idle, undefined);
    expect(first.replicas).toBeUndefined();
    expect(first.status.conditions).toContainEqual(expect.objectContaining({ reason: 'ScaleDownStabilized' }));
    const early = planAutoscaling(autoscaler(), { ...idle, now: now + 299_000 }, first.memory);
    expect(early.replicas).toBeUndefined();
    expect(planAutoscaling(autoscaler(), { ...idle, now: now + 301_000 }, early.memory).replicas).toBe(1);
  });

  test('keeps pods for five minutes after they were last asked for', () => {
    const busy = planAutoscaling(autoscaler(), sightOf(all(4, { used: '500m' })), fresh);
    const later = (seconds: number) =>
      planAutoscaling(autoscaler(), { ...idle, now: now + seconds * 1_000 }, busy.memory).replicas;
    expect([busy.replicas, later(299), later(301)]).toEqual([undefined, undefined, 1]);
  });

  test('is what policies count from', () => {
    const spec = { behavior: { scaleUp: { policies: [{ type: 'Pods', value: 3, periodSeconds: 60 }] } } };
    const busy = sightOf(all(4, { used: '1' }));
    const first = planAutoscaling(autoscaler(spec), busy, fresh);
    expect(first.replicas).toBe(7);
    const again = { ...sightOf(all(7, { used: '1' })), now: now + 59_000 };
    expect(planAutoscaling(autoscaler(spec), again, first.memory).replicas).toBeUndefined();
    expect(planAutoscaling(autoscaler(spec), { ...again, now: now + 61_000 }, first.memory).replicas).toBe(10);
  });
});

test.each<[string, ReturnType<typeof planAutoscaling>, string]>([
  ['was asked for more', planAutoscaling(autoscaler(), sightOf(all(2, { used: '1' })), fresh), 'SucceededRescale'],
  ['could not be measured', planAutoscaling(autoscaler(), sightOf([{}]), fresh, 'no metrics API'), 'SucceededGetScale'],
  ['is left as it is', planAutoscaling(autoscaler(), sightOf(all(2, { used: '500m' })), fresh), 'ReadyForNewScale'],
])('a target can be scaled that %s', (_, { status }, reason) => {
  const able = status.conditions?.find(({ type }) => type === 'AbleToScale');
  expect([able?.status, able?.reason]).toEqual(['True', reason]);
});

test('the status says what was seen', () => {
  const { status } = planAutoscaling(autoscaler(), sightOf(all(2, { used: '1' })), fresh);
  expect(status).toMatchObject({
    observedGeneration: 3,
    currentReplicas: 2,
    desiredReplicas: 4,
    lastScaleTime: formatTime(now),
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 100, averageValue: '1' } } },
    ],
  });
});

test.each([
  ['memory', { averageUtilization: 50, averageValue: '512Mi' }],
  ['cpu', { averageUtilization: 100, averageValue: '1' }],
])('the status says what was seen of a container: %s', (name, current) => {
  const target = { type: 'Utilization', averageUtilization: 50 };
  const metrics = [{ type: 'ContainerResource', containerResource: { name, container: 'main', target } }];
  const used = name === 'cpu' ? '1' : '512Mi';
  const { status } = planAutoscaling(autoscaler({ metrics }), sightOf(all(2, { used })), fresh);
  const told = { type: 'ContainerResource', containerResource: { name, container: 'main', current } };
  expect(status.currentMetrics).toEqual([told]);
});
