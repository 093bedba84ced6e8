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
  { hash = 'new', ready = true, phase = 'Running', age = 0, bound = true } = {},
): Pod =>
  ({
    metadata: {
      name,
      labels: { 'controller-revision-hash': hash },
      creationTimestamp: formatTime(now - age * 1_000),
    },
    spec: bound ? { nodeName: at } : { affinity: affinityFor(undefined, at) },
    status: {
      phase,
      conditions: ready ? [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - 60_000) }] : [],
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
