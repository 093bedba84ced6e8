import { describe, expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { namespace } from './namespace.ts';

const label = 'kubernetes.io/metadata.name';
const stored = (finalizers: string[] = ['kubernetes'], metadata = {}) =>
  sample(namespace, { spec: { finalizers }, status: { phase: 'Active' } }, { labels: { [label]: 'x' }, ...metadata });
const ending = { deletionTimestamp: '2024-01-01T00:00:00Z' };

describe('a new namespace', () => {
  test.each([
    [undefined, ['kubernetes']],
    [[], ['kubernetes']],
    [['a.b/c'], ['a.b/c', 'kubernetes']],
    [
      ['kubernetes', 'a.b/c', 'kubernetes'],
      ['kubernetes', 'a.b/c', 'kubernetes'],
    ],
  ])('with finalizers %j gets %j', async (finalizers, kept) => {
    const { object, causes } = await tryCreate(namespace, sample(namespace, { spec: { finalizers } }));
    expect(causes).toEqual([]);
    expect(object['spec']).toEqual({ finalizers: kept });
  });

  test('is active and labelled with its name, whatever was sent', async () => {
    const sent = sample(namespace, { status: { phase: 'Terminating' } }, { labels: { [label]: 'y', a: 'b' } });
    const { object } = await tryCreate(namespace, sent);
    expect(object).toMatchObject({ status: { phase: 'Active' }, metadata: { labels: { [label]: 'x', a: 'b' } } });
  });

  test.each([
    ['nodomain', ['spec.finalizers Invalid']],
    ['a b/c', ['spec.finalizers Invalid']],
    ['orphan', []],
  ])('with the finalizer %j: %j', async (name, causes) => {
    expect((await tryCreate(namespace, sample(namespace, { spec: { finalizers: [name] } }))).causes).toEqual(causes);
  });
});

test('a generated name is labelled, but not by the writer', async () => {
  const object = sample(namespace, {}, { generateName: 'x' });
  namespace.default?.(object);
  expect(object.metadata.labels).toBeUndefined();
  expect((await tryCreate(namespace, object)).object.metadata.labels).toEqual({ [label]: 'x' });
});

test('a write to the namespace itself changes metadata alone', async () => {
  const { object } = await tryUpdate(namespace, stored(), (next) => {
    next.metadata.labels = { a: 'b' };
    next.spec = { finalizers: ['a.b/c'] };
    next.status = { phase: 'Terminating' };
  });
  expect(object).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  expect(object.metadata.labels).toEqual({ a: 'b', [label]: 'x' });
});

test.each([
  ['Active', {}, []],
  ['Terminating', {}, ['status.Phase Invalid']],
  ['Terminating', ending, []],
  ['Active', ending, ['status.Phase Invalid']],
  ['', {}, []],
])('status may say %j of %j: %j', async (phase, metadata, causes) => {
  const result = await tryUpdate(
    namespace,
    stored(['kubernetes'], metadata),
    (next) => {
      next.spec = {};
      next.status = { phase, conditions: [{ type: '', status: 'Maybe' }] };
    },
    { subresource: 'status' },
  );
  expect(result.causes).toEqual(causes);
  expect(result.object['spec']).toEqual({ finalizers: ['kubernetes'] });
});

test.each([
  [[], {}, []],
  [['kubernetes', 'a.b/c'], { finalizers: ['kubernetes', 'a.b/c'] }, []],
  [['bad'], { finalizers: ['bad'] }, ['spec.finalizers[0] Invalid']],
])('finalize takes %j', async (finalizers, spec, causes) => {
  const result = await tryUpdate(
    namespace,
    stored(),
    (next) => {
      next.spec = { finalizers };
      next.status = { phase: 'Terminating' };
    },
    { subresource: 'finalize' },
  );
  expect(result).toMatchObject({ causes, object: { spec, status: { phase: 'Active' } } });
});

test.each([
  ['live, with finalizers', stored(), true],
  ['live, without', stored([]), true],
  ['being deleted, with finalizers', stored(['kubernetes'], ending), true],
  ['being deleted, without', stored([], ending), false],
])('a namespace that is %s is held: %s', (_, object, held) => {
  expect(namespace.isHeld?.(object)).toBe(held);
});
