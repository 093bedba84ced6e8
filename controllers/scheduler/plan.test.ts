import { expect, test } from 'vitest';
import type { Node, Pod } from '../runtime/resources.ts';
import { isWaiting, placePod } from './plan.ts';

const node = (
  name: string,
  more: {
    ready?: string;
    taints?: object[];
    unschedulable?: boolean;
    labels?: Record<string, string>;
    pods?: string;
  } = {},
): Node =>
  ({
    metadata: { name, labels: more.labels ?? {} },
    spec: { taints: more.taints ?? [], unschedulable: more.unschedulable },
    status: { allocatable: { pods: more.pods ?? '10' }, conditions: [{ type: 'Ready', status: more.ready ?? 'True' }] },
  }) as unknown as Node;

const pod = (spec: object = {}): Pod => ({ metadata: { name: 'p' }, spec: { containers: [], ...spec } }) as Pod;
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
  expect(placePod(subject, nodes, (name) => (name === 'busy' ? 5 : 0))).toEqual(expected),
);

test.each<[string, Pod, boolean]>([
  ['without a node', pod(), true],
  ['with a node', pod({ nodeName: 'n' }), false],
  ['of another scheduler', pod({ schedulerName: 'mine' }), false],
])('a pod %s waits for us: %s', (_, subject, expected) => expect(isWaiting(subject)).toBe(expected));
