import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { DaemonSet, Node, Pod } from '../runtime/resources.ts';
import { affinityFor } from './placement.ts';
import { daemonSetStatus, planDaemonSet } from './plan.ts';

const now = Date.UTC(2024, 0, 1);

const set = (spec: object = {}, pod: object = {}): DaemonSet =>
  ({
    metadata: { namespace: 'ns', name: 'agent', uid: 'd', generation: 1 },
    spec: { template: { spec: { containers: [], ...pod } }, updateStrategy: { type: 'RollingUpdate' }, ...spec },
  }) as unknown as DaemonSet;

const node = (name: string, { labels = {}, taints = [] as object[] } = {}): Node =>
  ({ metadata: { name, labels }, spec: { taints } }) as unknown as Node;

const pod = (
  name: string,
  at: string,
  { hash = 'new', ready = true, phase = 'Running', age = 0, bound = true, leaving = false, readyFor = 60 } = {},
): Pod =>
  ({
    metadata: {
      name,
      labels: { 'controller-revision-hash': hash },
      creationTimestamp: formatTime(now - age * 1_000),
      ...(leaving && { deletionTimestamp: formatTime(now) }),
    },
    spec: bound ? { nodeName: at } : { affinity: affinityFor(undefined, at) },
    status: {
      phase,
      conditions: ready
        ? [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - readyFor * 1_000) }]
        : [],
    },
  }) as unknown as Pod;

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata?.name);
const plan = (subject: DaemonSet, nodes: readonly Node[], pods: readonly Pod[]) => {
  const next = planDaemonSet(subject, { nodes, pods, hash: 'new' }, now);
  return [next.create, names(next.delete)];
};

const taint = (key: string, effect = 'NoSchedule') => ({ taints: [{ key, effect }] });
const notReady = taint('node.kubernetes.io/not-ready', 'NoExecute');

describe('a daemon', () => {
  test.each<[string, DaemonSet, readonly Node[], readonly Pod[], readonly string[], readonly string[]]>([
    ['comes to every node', set(), [node('a'), node('b')], [pod('p', 'a')], ['b'], []],
    ['waits for none that is meant for the node', set(), [node('a')], [pod('p', 'a', { bound: false })], [], []],
    [
      'comes where the selector says',
      set({}, { nodeSelector: { gpu: 'yes' } }),
      [node('a', { labels: { gpu: 'yes' } }), node('b')],
      [],
      ['a'],
      [],
    ],
    ['does not come where it is not tolerated', set(), [node('a', taint('mine'))], [], [], []],
    ['stays where it would not come', set(), [node('a', taint('mine'))], [pod('p', 'a')], [], []],
    ['leaves where it may not stay', set(), [node('a', taint('mine', 'NoExecute'))], [pod('p', 'a')], [], ['p']],
    ['comes to a node that is not ready', set(), [node('a', notReady)], [], ['a'], []],
    ['is there once', set(), [node('a')], [pod('young', 'a'), pod('first', 'a', { age: 9 })], [], ['young']],
    ['goes when it failed, and comes again later', set(), [node('a')], [pod('p', 'a', { phase: 'Failed' })], [], ['p']],
    ['is not made while another is leaving', set(), [node('a')], [pod('p', 'a', { leaving: true })], [], []],
    ['goes once', set(), [node('a')], [pod('p', 'a', { phase: 'Failed', leaving: true })], [], []],
    ['goes once where its node is gone', set(), [], [pod('p', 'gone', { bound: false, leaving: true })], [], []],
    ['stays where its node is gone that it was on: others see to it', set(), [], [pod('p', 'gone')], [], []],
    [
      'of an older template leaves too where it may not stay',
      set(),
      [node('a', taint('mine', 'NoExecute'))],
      [pod('p', 'a', { hash: 'old' })],
      [],
      ['p'],
    ],
    [
      'leaves where the selector says so no more',
      set({}, { nodeSelector: { gpu: 'yes' } }),
      [node('a')],
      [pod('p', 'a')],
      [],
      ['p'],
    ],
    [
      'comes to a node that others are only to avoid',
      set(),
      [node('a', taint('mine', 'PreferNoSchedule'))],
      [],
      ['a'],
      [],
    ],
    ['goes when its node went before it came', set(), [], [pod('p', 'gone', { bound: false })], [], ['p']],
  ])('%s', (_, subject, nodes, pods, create, gone) => expect(plan(subject, nodes, pods)).toEqual([create, gone]));
});

describe('an update', () => {
  const nodes = ['a', 'b', 'c', 'd'].map((name) => node(name));
  const old = (at: string, ready = true) => pod(`old-${at}`, at, { hash: 'old', ready });
  const rolling = (rollingUpdate: object) => set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

  test.each<[string, DaemonSet, readonly Pod[], readonly string[], readonly string[]]>([
    ['takes one node at a time', rolling({}), ['a', 'b', 'c', 'd'].map((at) => old(at)), [], ['old-a']],
    ['waits for the new pod', rolling({}), [pod('p', 'a', { ready: false }), old('b'), old('c'), old('d')], [], []],
    ['takes what does not work first', rolling({}), [old('a'), old('b', false), old('c'), old('d')], [], ['old-b']],
    [
      'takes a share',
      rolling({ maxUnavailable: '50%' }),
      ['a', 'b', 'c', 'd'].map((at) => old(at)),
      [],
      ['old-a', 'old-b'],
    ],
    [
      'counts what does not work among what may be missing',
      rolling({ maxUnavailable: 2 }),
      [old('a', false), old('b'), old('c'), old('d')],
      [],
      ['old-a', 'old-b'],
    ],
    [
      'counts no node as missing whose old pod works beside the new one',
      rolling({ maxUnavailable: 1 }),
      [old('a'), pod('p', 'a', { ready: false }), old('b'), old('c'), old('d')],
      [],
      ['old-b'],
    ],
    [
      'waits until a new pod has worked for long enough',
      set({ minReadySeconds: 60, updateStrategy: { type: 'RollingUpdate', rollingUpdate: {} } }),
      [pod('p', 'a', { readyFor: 59 }), old('b'), old('c'), old('d')],
      [],
      [],
    ],
    [
      'with a surge goes on no further than that',
      rolling({ maxSurge: 1, maxUnavailable: 0 }),
      [old('a'), pod('p', 'a', { ready: false }), old('b'), old('c'), old('d')],
      [],
      [],
    ],
    [
      'with a surge counts nodes where nothing is left to do as done',
      rolling({ maxSurge: 1, maxUnavailable: 0 }),
      [pod('p', 'a', { ready: false }), old('b'), old('c'), old('d')],
      ['b'],
      [],
    ],
    [
      'with a surge adds the new first',
      rolling({ maxSurge: 2, maxUnavailable: 0 }),
      ['a', 'b', 'c', 'd'].map((at) => old(at)),
      ['a', 'b'],
      [],
    ],
    [
      'with a surge removes the old when the new works',
      rolling({ maxSurge: 1, maxUnavailable: 0 }),
      [old('a'), pod('p', 'a'), old('b'), old('c'), old('d')],
      [],
      ['old-a'],
    ],
    [
      'with a surge makes no pod after one that failed until that one has gone',
      rolling({ maxSurge: 1, maxUnavailable: 0 }),
      [old('a'), pod('p', 'a', { phase: 'Failed' }), old('b'), old('c'), old('d')],
      [],
      ['p'],
    ],
    [
      'on delete does nothing',
      set({ updateStrategy: { type: 'OnDelete' } }),
      ['a', 'b', 'c', 'd'].map((at) => old(at)),
      [],
      [],
    ],
  ])('%s', (_, subject, pods, create, gone) => expect(plan(subject, nodes, pods)).toEqual([create, gone]));
});

describe('the status', () => {
  const whole = { nodes: [node('a'), node('b')], pods: [pod('1', 'a')], hash: 'new' };
  const full = { ...daemonSetStatus(set(), whole, now).status };

  test.each(Object.keys(full))('with another %s is written again', (count) => {
    const before = { ...set(), status: { ...full, [count]: 7 } } as unknown as DaemonSet;
    expect(daemonSetStatus(before, whole, now).status).toEqual(full);
  });

  test('that leaves zeros out is not written again', () => {
    const { numberMisscheduled: _zero, ...left } = full;
    expect(daemonSetStatus({ ...set(), status: left } as unknown as DaemonSet, whole, now)).toEqual({});
  });

  test('keeps what it does not count', () => {
    const before = { ...set(), status: { collisionCount: 2 } } as unknown as DaemonSet;
    expect(daemonSetStatus(before, whole, now).status).toEqual({ ...full, collisionCount: 2 });
  });

  test('is looked at again when a pod has been ready for long enough', () => {
    const { status, checkAgainAfter } = daemonSetStatus(set({ minReadySeconds: 90 }), whole, now);
    expect(status).toMatchObject({ numberReady: 1, numberAvailable: 0, numberUnavailable: 2 });
    expect(checkAgainAfter).toBe(30_000);
    expect(daemonSetStatus(set(), whole, now)).not.toHaveProperty('checkAgainAfter');
  });

  test('counts a node once, by whichever of its two pods works', () => {
    const both = { nodes: [node('a')], pods: [pod('1', 'a', { ready: false }), pod('2', 'a', { hash: 'old' })] };
    expect(daemonSetStatus(set(), { ...both, hash: 'new' }, now).status).toMatchObject({
      currentNumberScheduled: 1,
      updatedNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
    });
  });
});

test('the status counts nodes, and is written once', () => {
  const nodes = [node('a'), node('b'), node('c'), node('d', taint('mine'))];
  const pods = [pod('1', 'a'), pod('2', 'b', { hash: 'old', ready: false }), pod('3', 'd')];
  const { status } = daemonSetStatus(set(), { nodes, pods, hash: 'new' }, now);
  expect(status).toEqual({
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    desiredNumberScheduled: 3,
    numberReady: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
    observedGeneration: 1,
  });
  expect(daemonSetStatus({ ...set(), ...(status && { status }) }, { nodes, pods, hash: 'new' }, now)).toEqual({});
});
