import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { atOnce } from '../base/turns/work.ts';
import { structureOfKind } from '../schema/load.ts';
import type { Structure } from '../schema/structure.ts';
import { MalformedPatchError, PatchError } from './patch-error.ts';
import { applyStrategicMerge as mergedInTurns } from './strategic-merge.ts';

const applyStrategicMerge = (...given: Parameters<typeof mergedInTurns>) => atOnce(mergedInTurns(...given));

const deployment = structureOfKind('apps', 'v1', 'Deployment') as Structure;
const budget = structureOfKind('policy', 'v1', 'PodDisruptionBudget') as Structure;

const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const podOf = (object: JsonObject) =>
  (object as { spec: { template: { spec: JsonObject } } }).spec.template.spec as { [key: string]: Json };
const merged = (live: JsonObject, patch: JsonObject) => podOf(applyStrategicMerge(pod(live), pod(patch), deployment));
const named = (...names: string[]) => names.map((name) => ({ name }));

describe('lists with a merge key', () => {
  const two = {
    containers: [
      { name: 'a', image: 'a:1', args: ['x', 'y'] },
      { name: 'b', image: 'b:1' },
    ],
  };
  test.each<readonly [string, object, object, object]>([
    [
      'an element is merged with its namesake and keeps its place',
      two,
      { containers: [{ name: 'b', image: 'b:2' }] },
      {
        containers: [
          { name: 'a', image: 'a:1', args: ['x', 'y'] },
          { name: 'b', image: 'b:2' },
        ],
      },
    ],
    [
      'a new element comes in front',
      two,
      { containers: [{ name: 'c' }] },
      { containers: [{ name: 'c' }, ...two.containers] },
    ],
    [
      'elements of the patch keep their order among each other',
      { containers: named('a', 'b', 'c') },
      { containers: named('c', 'a') },
      { containers: named('b', 'c', 'a') },
    ],
    [
      'a list without a merge strategy inside an element is replaced',
      two,
      { containers: [{ name: 'a', args: ['z'] }] },
      {
        containers: [
          { name: 'a', image: 'a:1', args: ['z'] },
          { name: 'b', image: 'b:1' },
        ],
      },
    ],
    [
      'ports are told apart by containerPort alone',
      { containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
      { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] }] },
      {
        containers: [
          { name: 'a', ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }, { containerPort: 81 }] },
        ],
      },
    ],
    [
      'delete removes an element',
      two,
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [{ name: 'b', image: 'b:1' }] },
    ],
    ['delete of a missing element is fine', two, { containers: [{ name: 'x', $patch: 'delete' }] }, two],
    [
      'replace as an element of its own replaces the list',
      two,
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: named('c') },
    ],
    [
      'replace with other keys drops those keys',
      two,
      { containers: [{ name: 'c', $patch: 'replace' }] },
      { containers: [] },
    ],
    ['null removes the list', two, { containers: null }, {}],
    [
      'a list that is not there yet is taken as it is',
      {},
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ name: 'v', emptyDir: {} }] },
    ],
    ['duplicates stay where there was no list', {}, { volumes: named('v', 'v') }, { volumes: named('v', 'v') }],
    [
      'a list without a merge strategy is replaced',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
  ])('%s', (_name, live, patch, result) => {
    expect(merged(live as JsonObject, patch as JsonObject)).toEqual(result);
  });
});

describe('$setElementOrder', () => {
  test.each<readonly [string, object, object, object]>([
    [
      'orders without other changes',
      { containers: named('a', 'b', 'c') },
      { '$setElementOrder/containers': named('c', 'a') },
      { containers: named('b', 'c', 'a') },
    ],
    [
      'orders what the patch brings',
      { containers: named('a', 'b') },
      {
        '$setElementOrder/containers': named('n', 'b', 'a'),
        containers: [{ name: 'b', image: 'i' }, { name: 'n' }].reverse(),
      },
      { containers: [{ name: 'n' }, { name: 'b', image: 'i' }, { name: 'a' }] },
    ],
    [
      'elements that are not named keep their place',
      { containers: named('x', 'a', 'y', 'b', 'z') },
      { '$setElementOrder/containers': named('a', 'b') },
      { containers: named('x', 'a', 'y', 'b', 'z') },
    ],
    [
      'naming missing elements is fine',
      { containers: named('a') },
      { '$setElementOrder/containers': named('q', 'a') },
      { containers: named('a') },
    ],
    [
      'a deleted element need not be named',
      { containers: named('a', 'b') },
      { '$setElementOrder/containers': named('b'), containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: named('b') },
    ],
    ['of a list that is nowhere does nothing', {}, { '$setElementOrder/containers': named('a') }, {}],
  ])('%s', (_name, live, patch, result) => {
    expect(merged(live as JsonObject, patch as JsonObject)).toEqual(result);
  });
});

describe('sets of text', () => {
  const finalizers = (live: string[], patch: JsonObject) =>
    (
      applyStrategicMerge({ metadata: { finalizers: live } }, { metadata: patch }, deployment)['metadata'] as JsonObject
    )['finalizers'];
  test.each<readonly [string, string[], JsonObject, string[]]>([
    ['a new one comes in front', ['a', 'b'], { finalizers: ['c'] }, ['c', 'a', 'b']],
    ['what is there is not added again', ['a', 'b'], { finalizers: ['b'] }, ['a', 'b']],
    ['some are deleted, missing ones too', ['a', 'b'], { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] }, ['a']],
    [
      'an order may be given',
      ['a', 'c'],
      { finalizers: ['d'], '$setElementOrder/finalizers': ['d', 'a', 'c'] },
      ['d', 'a', 'c'],
    ],
    [
      'deleting and adding at once',
      ['a', 'b'],
      { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] },
      ['c', 'b'],
    ],
    [
      'an order of nothing orders nothing',
      ['a', 'b'],
      { finalizers: ['c'], '$setElementOrder/finalizers': [] },
      ['a', 'b', 'c'],
    ],
  ])('%s', (_name, live, patch, result) => {
    expect(finalizers(live, patch)).toEqual(result);
  });

  test.each([[['a']], [['x']], [[]]])('one that is not merged becomes what is to be deleted from it: %j', (deleted) => {
    const patch = pod({ containers: [{ name: 'a', '$deleteFromPrimitiveList/args': deleted }] });
    const live = pod({ containers: [{ name: 'a', args: ['a', 'b'] }] });
    expect(applyStrategicMerge(live, patch, deployment)).toEqual(pod({ containers: [{ name: 'a', args: deleted }] }));
  });
});

describe('maps', () => {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };
  const patched = (patch: JsonObject) =>
    (applyStrategicMerge({ spec: { strategy } }, { spec: { strategy: patch } }, deployment)['spec'] as JsonObject)[
      'strategy'
    ];
  test.each<readonly [string, JsonObject, Json]>([
    ['merge by key', { type: 'Recreate' }, { ...strategy, type: 'Recreate' }],
    ['null removes a key', { rollingUpdate: null }, { type: 'RollingUpdate' }],
    ['$patch replace takes the other keys alone', { $patch: 'replace', type: 'Recreate' }, { type: 'Recreate' }],
    ['$patch delete empties', { $patch: 'delete' }, {}],
    ['$retainKeys clears what it does not list', { $retainKeys: ['type'], type: 'Recreate' }, { type: 'Recreate' }],
    [
      'a map becomes text, which decoding then refuses',
      { rollingUpdate: 'x' },
      { type: 'RollingUpdate', rollingUpdate: 'x' },
    ],
  ])('%s', (_name, patch, result) => {
    expect(patched(patch)).toEqual(result);
  });

  test('a directive in a map that is not there yet is a key like any other', () => {
    const result = applyStrategicMerge(
      { metadata: {} },
      { metadata: { labels: { $patch: 'replace', a: 'b' } } },
      deployment,
    );
    expect(result).toEqual({ metadata: { labels: { $patch: 'replace', a: 'b' } } });
  });
  test('a struct that its kind replaces is replaced', () => {
    const live = { spec: { selector: { matchLabels: { a: '1' } } } };
    const result = applyStrategicMerge(live, { spec: { selector: { matchLabels: { b: '2' } } } }, budget);
    expect(result).toEqual({ spec: { selector: { matchLabels: { b: '2' } } } });
  });
  test('null as the whole patch changes nothing', () => {
    expect(applyStrategicMerge({ a: '1' }, null, deployment)).toEqual({ a: '1' });
  });
  test('the root takes directives as well', () => {
    expect(applyStrategicMerge({ a: '1' }, { $patch: 'replace', b: '2' }, deployment)).toEqual({ b: '2' });
    expect(applyStrategicMerge({ a: '1' }, { $patch: 'delete' }, deployment)).toEqual({});
  });
});

describe('null for a key of what is not there', () => {
  test.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
    ['a map that is missing', {}, { metadata: { labels: { q: null } } }, { metadata: { labels: {} } }],
    ['beside others', {}, { metadata: { labels: { q: null, r: 'x' } } }, { metadata: { labels: { r: 'x' } } }],
    [
      'something that is no map',
      { metadata: null },
      { metadata: { labels: { q: null } } },
      { metadata: { labels: {} } },
    ],
    [
      'in a list that is missing',
      {},
      { spec: { template: { spec: { volumes: [{ name: 'v', emptyDir: null }] } } } },
      { spec: { template: { spec: { volumes: [{ name: 'v' }] } } } },
    ],
  ])('stores nothing: %s', (_, live, patch, result) => {
    expect(applyStrategicMerge(live, patch, deployment)).toEqual(result);
  });
});

describe('patches that make no sense are refused with 400', () => {
  const live = { containers: named('a', 'b'), volumes: [{ name: 'v', emptyDir: {} }] };
  test.each<readonly [string, Json]>([
    ['a list', []],
    ['text', 'x'],
    ['an element without its merge key', pod({ containers: [{ image: 'i' }] })],
    ['a deletion without its merge key', pod({ containers: [{ $patch: 'delete' }] })],
    ['merge as a directive', pod({ containers: [{ name: 'a', $patch: 'merge' }] })],
    ['an unknown directive', pod({ volumes: [{ name: 'v', $patch: 'bogus' }] })],
    ['a directive that is no text', { spec: { $patch: 7 } }],
    ['retained keys that are no list', pod({ volumes: [{ name: 'v', $retainKeys: 'name' }] })],
    ['a key that is not retained', pod({ volumes: [{ name: 'v', $retainKeys: ['name'], hostPath: {} }] })],
    ['an order that misses an element', pod({ containers: named('b'), '$setElementOrder/containers': named('a') })],
    [
      'another order than the patch',
      pod({ containers: named('a', 'b'), '$setElementOrder/containers': named('b', 'a') }),
    ],
    ['an order that is no list', pod({ '$setElementOrder/containers': 'a' })],
    ['an order of an unknown list', pod({ '$setElementOrder/nosuch': [] })],
    ['a deletion that names no list', { spec: { $deleteFromPrimitiveList: { finalizers: ['a'] } } }],
    ['an order that names no list', { spec: { $setElementOrder: ['a'] } }],
    ['text among maps', pod({ containers: ['a'] })],
    ['lists in a list', pod({ containers: [[]] })],
    ['null in a list', pod({ containers: [null] })],
    ['a merge key that is a map', pod({ containers: [{ name: {} }] })],
  ])('%s', (_name, patch) => {
    const object = { ...pod(live), spec: { ...(pod(live)['spec'] as JsonObject) } };
    expect(() => applyStrategicMerge(object, patch, deployment)).toThrow(MalformedPatchError);
  });
});

describe('properties', () => {
  const keys = fc.constantFrom(
    'name',
    'image',
    'env',
    '$patch',
    '$retainKeys',
    '$setElementOrder/env',
    '__proto__',
    'value',
  );
  const { patch: anyPatch } = fc.letrec<{ patch: Json }>((tie) => ({
    patch: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>('a', 'b', 1, null, 'replace', 'delete'),
      fc.array(tie('patch'), { maxLength: 3 }) as fc.Arbitrary<Json>,
      fc.dictionary(keys, tie('patch'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
    ),
  }));
  test('whatever the patch, only a PatchError is thrown and the object stays as it was', () => {
    fc.assert(
      fc.property(anyPatch, anyPatch, (env, containers) => {
        const live = pod({ containers: [{ name: 'a', env: [{ name: 'a', value: '1' }] }, { name: 'b' }] });
        const before = JSON.stringify(live);
        for (const patch of [pod({ containers: [{ name: 'a', env }] }), pod({ containers })]) {
          try {
            applyStrategicMerge(live, patch, deployment);
          } catch (error) {
            expect(error).toBeInstanceOf(PatchError);
          }
        }
        expect(JSON.stringify(live)).toBe(before);
      }),
    );
  });
  test('long lists take no longer than their length warrants', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `c${index}` }));
    const result = merged(
      { containers: many },
      { containers: [...many].reverse(), '$setElementOrder/containers': [...many].reverse() },
    );
    expect(result['containers']).toHaveLength(many.length);
  });
});
