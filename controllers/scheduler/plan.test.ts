import { describe, expect, test } from 'vitest';
import type { Node, PersistentVolumeClaim, Pod } from '../runtime/resources.ts';
import { isLoner } from './neighbours.ts';
import { claimObjection, isWaiting, placePod } from './plan.ts';
import type { Sight } from './sight.ts';

const node = (
  name: string,
  more: {
    ready?: string;
    taints?: object[];
    unschedulable?: boolean;
    labels?: Record<string, string>;
    pods?: string;
    room?: Record<string, string>;
  } = {},
): Node =>
  ({
    metadata: { name, labels: more.labels ?? {} },
    spec: { taints: more.taints ?? [], unschedulable: more.unschedulable },
    status: {
      allocatable: { pods: more.pods ?? '10', ...more.room },
      conditions: [{ type: 'Ready', status: more.ready ?? 'True' }],
    },
  }) as unknown as Node;

const pod = (spec: object = {}): Pod => ({ metadata: { name: 'p' }, spec: { containers: [], ...spec } }) as Pod;

const sightOf = (nodes: readonly Node[], there: Record<string, Pod[]>): Sight => ({
  nodes,
  podsOn: (name) => there[name] ?? [],
  loners: Object.values(there).flat().filter(isLoner),
  volumeObjection: () => undefined,
  labelsOfNamespace: (name) => ({ team: name }),
});

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

test.each<[string, Pod, Node[], object]>([
  ['the node with the fewest pods', pod(), [node('busy'), node('idle')], { node: 'idle' }],
  ['no node at all', pod(), [], { why: '0/0 nodes are available.' }],
  [
    'not a node that is not ready',
    pod(),
    [node('n', { ready: 'False' })],
    { why: '0/1 nodes are available: 1 node(s) were not ready.' },
  ],
  [
    'one that is not ready for who tolerates that',
    pod({ tolerations: [{ operator: 'Exists' }] }),
    [node('n', { ready: 'Unknown' })],
    { node: 'n' },
  ],
  [
    'not one that is silent for who tolerates another state',
    pod({ tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] }),
    [node('n', { ready: 'Unknown' })],
    { why: '0/1 nodes are available: 1 node(s) were not ready.' },
  ],
  [
    'not a cordoned node',
    pod(),
    [node('n', { unschedulable: true })],
    { why: '0/1 nodes are available: 1 node(s) were unschedulable.' },
  ],
  [
    'not a tainted node',
    pod(),
    [node('n', { taints: [taint] })],
    { why: '0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.' },
  ],
  [
    'a tainted node for who tolerates it',
    pod({ tolerations: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] }),
    [node('n', { taints: [taint] })],
    { node: 'n' },
  ],
  [
    'a tainted node for who tolerates all',
    pod({ tolerations: [{ operator: 'Exists' }] }),
    [node('n', { taints: [taint] })],
    { node: 'n' },
  ],
  [
    'not a tainted node for who tolerates another value',
    pod({ tolerations: [{ key: 'k', value: 'w' }] }),
    [node('n', { taints: [taint] })],
    { why: '0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.' },
  ],
  [
    'a node that is only avoided if possible',
    pod(),
    [node('n', { taints: [{ ...taint, effect: 'PreferNoSchedule' }] })],
    { node: 'n' },
  ],
  [
    'only a node with the labels',
    pod({ nodeSelector: { disk: 'fast' } }),
    [node('a'), node('b', { labels: { disk: 'fast' } })],
    { node: 'b' },
  ],
  ['not a full node', pod(), [node('n', { pods: '0' })], { why: '0/1 nodes are available: 1 Too many pods.' }],
])('%s', (_, subject, nodes, expected) =>
  expect(placePod(subject, sightOf(nodes, { busy: Array.from({ length: 5 }, () => pod()) }))).toEqual(expected),
);

test.each<[string, string | undefined, number, object]>([
  ['a thousand, as servers write it, and one more fits', '1k', 999, { node: 'n' }],
  ['a thousand, and none fits', '1k', 1_000, { why: '0/1 nodes are available: 1 Too many pods.' }],
  ['as many as come, where it does not say', undefined, 1_000, { node: 'n' }],
])('a node has room for %s', (_, pods, count, expected) => {
  const there = Array.from({ length: count }, () => pod());
  const subject = node('n');
  subject.status = { ...subject.status, allocatable: pods === undefined ? {} : { pods } };
  expect(placePod(pod(), sightOf([subject], { n: there }))).toEqual(expected);
});

describe('room', () => {
  const asking = (requests: Record<string, string>, more: object = {}) =>
    pod({ containers: [{ name: 'c', resources: { requests } }], ...more });
  const room = { cpu: '2', memory: '1Gi' };

  test.each<[string, Pod, Pod[], object]>([
    ['is enough for all together', asking({ cpu: '500m' }), [asking({ cpu: '1500m' })], { node: 'n' }],
    [
      'is too little beside what others have asked for',
      asking({ cpu: '501m', memory: '1Mi' }),
      [asking({ cpu: '1500m' })],
      { why: '0/1 nodes are available: 1 Insufficient cpu.' },
    ],
    [
      'is too little of several things',
      asking({ cpu: '100', memory: '2Gi' }),
      [],
      { why: '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.' },
    ],
    [
      'is none of what the node does not have',
      asking({ 'nvidia.com/gpu': '1' }),
      [],
      { why: '0/1 nodes are available: 1 Insufficient nvidia.com/gpu.' },
    ],
    [
      'is needed for the largest init container',
      asking({ cpu: '1' }, { initContainers: [{ name: 'i', resources: { requests: { cpu: '3' } } }] }),
      [],
      { why: '0/1 nodes are available: 1 Insufficient cpu.' },
    ],
    ['does not matter to who asks for none', pod(), [asking({ cpu: '2' })], { node: 'n' }],
  ])('%s', (_, subject, there, expected) =>
    expect(placePod(subject, sightOf([node('n', { room })], { n: there }))).toEqual(expected),
  );
});

describe('neighbours', () => {
  const hostname = 'kubernetes.io/hostname';
  const nodes = ['a', 'b'].map((name) => node(name, { labels: { [hostname]: name, zone: 'z' } }));
  const labelSelector = { matchLabels: { app: 'web' } };
  const web = (side?: string, term: object = {}, namespace = 'ns'): Pod => {
    const required = [{ labelSelector, topologyKey: hostname, ...term }];
    const affinity = side && { [side]: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    return { ...pod({ affinity }), metadata: { name: 'w', namespace, labels: { app: 'web' } } };
  };
  const nobody = { ...pod(), metadata: { name: 'x', namespace: 'ns' } };
  const alone = 'podAntiAffinity';
  const none = (why: string) => ({ why: `0/2 nodes are available: 2 node(s) didn't match ${why}.` });

  test.each<[string, Pod, Record<string, Pod[]>, object]>([
    ['a replica goes where none is', web(alone), { a: [web(alone)], b: [nobody, nobody] }, { node: 'b' }],
    [
      'a replica more than nodes waits',
      web(alone),
      { a: [web(alone)], b: [web(alone)] },
      none("the pod's anti-affinity to others"),
    ],
    [
      'those that are there may want to be alone too',
      web(),
      { a: [web(alone, { topologyKey: 'zone' })] },
      none('the anti-affinity of pods there'),
    ],
    ['pods of other namespaces do not matter', web(alone), { a: [web('', {}, 'other')], b: [nobody] }, { node: 'a' }],
    [
      'unless they are named',
      web(alone, { namespaces: ['other'] }),
      { a: [web('', {}, 'other')], b: [nobody] },
      { node: 'b' },
    ],
    [
      'or selected',
      web(alone, { namespaceSelector: { matchLabels: { team: 'other' } } }),
      { a: [web('', {}, 'other')], b: [nobody] },
      { node: 'b' },
    ],
    ['a pod goes to those it wants to be with', web('podAffinity'), { b: [web()] }, { node: 'b' }],
    ['the first of those that want to be together goes anywhere', web('podAffinity'), {}, { node: 'a' }],
    [
      'with others alone it waits for them',
      web('podAffinity', { labelSelector: { matchLabels: { app: 'db' } } }),
      {},
      none("the pod's affinity to others"),
    ],
  ])('%s', (_, subject, there, expected) => expect(placePod(subject, sightOf(nodes, there))).toEqual(expected));
});

test.each<[string, object | undefined, string | undefined]>([
  ['bound', { spec: { storageClassName: 'fast' }, status: { phase: 'Bound' } }, undefined],
  ['not there', undefined, 'persistentvolumeclaim "c" not found'],
  ['not bound', { spec: { storageClassName: 'fast' } }, 'persistentvolumeclaim "c" is not bound'],
  ['not bound where there are no classes', { spec: {} }, undefined],
  ['on its way out', { metadata: { deletionTimestamp: 'now' } }, 'persistentvolumeclaim "c" is being deleted'],
])('a claim that is %s', (_, claim, expected) =>
  expect(claimObjection(pod(), { name: 'c', claim: claim as PersistentVolumeClaim })).toBe(expected),
);

test.each<[string, Pod, boolean]>([
  ['without a node', pod(), true],
  ['with a node', pod({ nodeName: 'n' }), false],
  ['of another scheduler', pod({ schedulerName: 'mine' }), false],
])('a pod %s waits for us: %s', (_, subject, expected) => expect(isWaiting(subject)).toBe(expected));
