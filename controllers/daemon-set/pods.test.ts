import { expect, test } from 'vitest';
import type { DaemonSet } from '../runtime/resources.ts';
import { nodeOf } from './placement.ts';
import { podFor } from './pods.ts';

const set = (spec: object = {}, annotations: object = {}): DaemonSet =>
  ({
    metadata: { namespace: 'ns', name: 'agent', uid: 'd', annotations },
    spec: { template: { metadata: { labels: { app: 'a' } }, spec: { containers: [], ...spec } } },
  }) as unknown as DaemonSet;

const made = (spec: object = {}) => podFor(set(spec), 'one', 'h', 'x');

const borne = (spec: object = {}) =>
  (made(spec).spec?.tolerations ?? []).map(({ key, operator, effect }) => `${key} ${operator} ${effect}`);

const always = [
  'node.kubernetes.io/not-ready Exists NoExecute',
  'node.kubernetes.io/unreachable Exists NoExecute',
  'node.kubernetes.io/disk-pressure Exists NoSchedule',
  'node.kubernetes.io/memory-pressure Exists NoSchedule',
  'node.kubernetes.io/pid-pressure Exists NoSchedule',
  'node.kubernetes.io/unschedulable Exists NoSchedule',
];

test('a pod of a daemon bears what keeps others from its node', () => {
  expect(borne()).toEqual(always);
});

test('one with the network of its node bears that there is no other', () => {
  expect(borne({ hostNetwork: true })).toEqual([...always, 'node.kubernetes.io/network-unavailable Exists NoSchedule']);
});

test('what the template says of a taint is not said again; of its other effects it is', () => {
  const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 9 };
  const other = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoSchedule' };
  expect(made({ tolerations: [own, other] }).spec?.tolerations?.slice(0, 2)).toEqual([own, other]);
  expect(borne({ tolerations: [own, other] })).toEqual([
    always[0],
    'node.kubernetes.io/unreachable Exists NoSchedule',
    ...always.slice(1),
  ]);
});

test('a pod is meant for its node, in place of what the template requires, and keeps what it prefers', () => {
  const preferred = [{ weight: 1, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } }];
  const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }] };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [] };
  const pod = made({
    affinity: {
      podAntiAffinity,
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: preferred,
        requiredDuringSchedulingIgnoredDuringExecution: required,
      },
    },
  });
  expect(nodeOf(pod)).toBe('one');
  expect(pod.spec?.affinity).toEqual({
    podAntiAffinity,
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: preferred,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['one'] }] }],
      },
    },
  });
});

test('a pod tells by labels what it was made from', () => {
  const { metadata } = podFor(set({}, { 'deprecated.daemonset.template.generation': '3' }), 'one', 'h', 'x');
  expect(metadata).toMatchObject({
    name: 'agent-x',
    labels: { app: 'a', 'controller-revision-hash': 'h', 'pod-template-generation': '3' },
  });
  expect(made().metadata?.labels).toEqual({ app: 'a', 'controller-revision-hash': 'h' });
});
