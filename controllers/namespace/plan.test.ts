import { expect, test } from 'vitest';
import type { Namespace } from '../runtime/resources.ts';
import { conditionsFor, isEmpty, isHeldByUsAlone, isMoreThanTold, type Sweep } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const sweep = (resource: string, left = 0, finalizers: Record<string, number> = {}, failure?: string): Sweep => ({
  resource,
  left,
  finalizers: new Map(Object.entries(finalizers)),
  ...(failure !== undefined && { failure }),
});

test.each([
  ['nothing found', { discoveryFailures: [], sweeps: [sweep('pods')] }, true],
  ['something left', { discoveryFailures: [], sweeps: [sweep('pods', 1)] }, false],
  ['a kind that could not be asked', { discoveryFailures: [], sweeps: [sweep('pods', 0, {}, 'no')] }, false],
  ['a group that could not be discovered', { discoveryFailures: ['x/v1'], sweeps: [] }, false],
])('empty or not: %s', (_, findings, expected) => expect(isEmpty(findings)).toBe(expected));

test('the conditions say what is left, what failed and what holds it', () => {
  const sweeps = [
    sweep('pods', 2, { 'a/b': 2 }),
    sweep('things.example.com', 1, { 'a/b': 1, 'c/d': 1 }),
    sweep('secrets', 0, {}, 'forbidden'),
  ];
  const conditions = conditionsFor({}, { discoveryFailures: ['metrics/v1: down'], sweeps }, now) ?? [];
  const told = conditions.map(({ type, status, message }) => [type, status, message]);
  expect(told).toEqual([
    ['NamespaceDeletionDiscoveryFailure', 'True', 'Discovery failed for some groups: metrics/v1: down'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'All legacy kube types successfully parsed'],
    ['NamespaceDeletionContentFailure', 'True', 'Failed to delete all resource types: secrets: forbidden'],
    [
      'NamespaceContentRemaining',
      'True',
      'Some resources are remaining: pods has 2 resource instances, things.example.com has 1 resource instances',
    ],
    [
      'NamespaceFinalizersRemaining',
      'True',
      'Some content in the namespace has finalizers remaining: a/b in 3 resource instances, c/d in 1 resource instances',
    ],
  ]);
});

test('conditions that stand are not written again, and their times move only with their status', () => {
  const findings = { discoveryFailures: [], sweeps: [sweep('pods', 2)] };
  const conditions = [...(conditionsFor({}, findings, now) ?? [])];
  const namespace: Namespace = { status: { conditions } };
  expect(conditionsFor(namespace, findings, now + 60_000)).toBeUndefined();
  const later = conditionsFor(namespace, { discoveryFailures: [], sweeps: [sweep('pods', 1)] }, now + 60_000) ?? [];
  expect(later.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
    conditions.map(({ lastTransitionTime }) => lastTransitionTime),
  );
});

test.each<[string, Namespace, boolean]>([
  ['its status', { status: { phase: 'Terminating' } }, false],
  ['its version', { metadata: { name: 'n', resourceVersion: '2' } }, false],
  ['its deletion', { metadata: { name: 'n', deletionTimestamp: '2024-01-01T00:00:00Z' as never } }, true],
  ['its finalizers', { spec: { finalizers: [] } }, true],
])('a namespace is looked at again for more than what is told of it: %s', (_, change, expected) => {
  const before: Namespace = { metadata: { name: 'n', resourceVersion: '1' }, spec: { finalizers: ['kubernetes'] } };
  expect(isMoreThanTold({ ...before, ...change }, before)).toBe(expected);
});

test.each<[string, Namespace, boolean]>([
  ['ours', { spec: { finalizers: ['kubernetes'] } }, true],
  ['one of the namespace beside it', { spec: { finalizers: ['kubernetes', 'a/b'] } }, false],
  ['one of the object beside it', { metadata: { finalizers: ['a/b'] }, spec: { finalizers: ['kubernetes'] } }, false],
])('whether nobody but us holds a namespace with the finalizer %s', (_, namespace, expected) => {
  expect(isHeldByUsAlone(namespace)).toBe(expected);
});
