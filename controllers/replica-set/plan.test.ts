import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import { leastWorthFirst } from '../runtime/pods/pod-state.ts';
import type { Pod, ReplicaSet } from '../runtime/resources.ts';
import { planReplicas, replicasStatus } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const set = (spec: object = {}, status?: object): ReplicaSet =>
  ({
    metadata: { namespace: 'ns', name: 'web', uid: 's', generation: 2 },
    spec: { replicas: 3, template: { metadata: { labels: { app: 'web' } } }, ...spec },
    ...(status && { status }),
  }) as unknown as ReplicaSet;

const pod = (name: string, { ready = 0, phase = 'Running', annotations = {}, restarts = 0, more = {} } = {}): Pod =>
  ({
    metadata: { name, labels: { app: 'web' }, annotations, ...more },
    spec: { nodeName: 'n' },
    status: {
      phase,
      containerStatuses: [{ restartCount: restarts }],
      conditions: ready ? [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - ready * 1000) }] : [],
    },
  }) as unknown as Pod;

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata?.name);

describe('the number of pods', () => {
  test.each<[string, readonly Pod[], number, readonly string[]]>([
    ['is made up', [pod('a')], 2, []],
    ['is as it should be', [pod('a'), pod('b'), pod('c')], 0, []],
    ['counts no pod that has ended', [pod('a'), pod('b', { phase: 'Failed' }), pod('c')], 1, []],
    ['counts no pod that is going', [pod('a'), pod('b', { more: { deletionTimestamp: formatTime(now) } })], 2, []],
    [
      'is cut, the idle first',
      [pod('a', { ready: 1 }), pod('b', { ready: 1 }), pod('c'), pod('d', { ready: 1 })],
      0,
      ['c'],
    ],
  ])('%s', (_, pods, create, gone) => {
    const plan = planReplicas(set(), pods);
    expect([plan.create, names(plan.delete)]).toEqual([create, gone]);
  });

  test('never changes by more than 500 at once', () => {
    expect(planReplicas(set({ replicas: 2_000 }), []).create).toBe(500);
    const many = Array.from({ length: 502 }, (_, index) => pod(`p${index}`));
    expect(planReplicas(set({ replicas: 1 }), many).delete).toHaveLength(500);
    expect(planReplicas(set({ replicas: 3 }), many).delete).toHaveLength(499);
  });

  test('is one where nothing is said', () => {
    expect(planReplicas(set({ replicas: undefined }), [])).toEqual({ create: 1, delete: [] });
  });
});

test('of equal pods the cheapest goes first, then the one that restarted most', () => {
  const cost = (value: string) => ({ annotations: { 'controller.kubernetes.io/pod-deletion-cost': value } });
  const pods = [pod('dear', cost('5')), pod('plain'), pod('shaky', { restarts: 4 }), pod('cheap', cost('-5'))];
  expect(names(leastWorthFirst(pods))).toEqual(['cheap', 'shaky', 'plain', 'dear']);
});

test('of pods that are alike those go first that share a node with most others, then those that were ready last', () => {
  const on = (nodeName: string, each: Pod): Pod => ({ ...each, spec: { containers: [], ...each.spec, nodeName } });
  const pods = [
    on('one', pod('alone', { ready: 1 })),
    on('two', pod('beside', { ready: 90 })),
    on('two', pod('late', { ready: 9 })),
  ];
  expect(names(leastWorthFirst(pods))).toEqual(['late', 'beside', 'alone']);
});

test('of pods that are alike those go first whose node has most pods of all sets of their manager that have not ended', () => {
  const on = (nodeName: string, each: Pod): Pod => ({ ...each, spec: { containers: [], ...each.spec, nodeName } });
  const own = [on('one', pod('a', { ready: 1 })), on('two', pod('b', { ready: 90 }))];
  const ended = ['d', 'e'].map((name) => on('one', pod(name, { phase: 'Failed' })));
  const related = [...own, on('two', pod('c')), ...ended];
  expect(names(planReplicas(set({ replicas: 1 }), own).delete)).toEqual(['a']);
  expect(names(planReplicas(set({ replicas: 1 }), own, related).delete)).toEqual(['b']);
});

describe('the status', () => {
  test('counts what is there, and says when the next pod counts as available', () => {
    const pods = [pod('a', { ready: 20 }), pod('b', { ready: 4 }), pod('c')];
    const { status, checkAgainAfter } = replicasStatus(set({ minReadySeconds: 10 }), pods, undefined, now);
    expect(status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      observedGeneration: 2,
      conditions: [],
    });
    expect(checkAgainAfter).toBe(6_000);
  });

  test('counts no pod that has ended or is going, and tells those apart that lack a label of the template', () => {
    const template = { metadata: { labels: { app: 'web', tier: 'front' } } };
    const pods = [
      pod('a', { ready: 1 }),
      pod('b', { ready: 1, more: { labels: { app: 'web', tier: 'front', own: 'x' } } }),
      pod('c', { ready: 1, phase: 'Succeeded' }),
      pod('d', { ready: 1, more: { deletionTimestamp: formatTime(now) } }),
    ];
    expect(replicasStatus(set({ template }), pods, undefined, now).status).toMatchObject({
      replicas: 2,
      fullyLabeledReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 2,
    });
  });

  const whole = [pod('a', { ready: 1 }), pod('b', { ready: 1 })];
  const full = { ...replicasStatus(set(), whole, undefined, now).status };
  test.each(['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'])(
    'with other %s is written again',
    (count) => {
      expect(replicasStatus(set({}, full), whole, undefined, now)).toEqual({});
      expect(replicasStatus(set({}, { ...full, [count]: 7 }), whole, undefined, now).status).toEqual(full);
    },
  );

  test('that leaves zeros out is not written again', () => {
    expect(replicasStatus(set({}, { replicas: 0, observedGeneration: 2 }), [], undefined, now)).toEqual({});
  });

  test('tells of a failure once, and no more when it is over', () => {
    const failure = { reason: 'FailedCreate', message: 'exceeded quota: q' };
    const { status } = replicasStatus(set(), [], failure, now);
    const condition = { type: 'ReplicaFailure', status: 'True', ...failure, lastTransitionTime: formatTime(now) };
    expect(status?.conditions).toEqual([condition]);
    const told = set({}, status);
    expect(replicasStatus(told, [], failure, now + 60_000)).toEqual({});
    expect(replicasStatus(told, [], { ...failure, message: 'and again' }, now + 60_000)).toEqual({});
    expect(replicasStatus(told, [], undefined, now + 60_000).status?.conditions).toEqual([]);
  });
});
