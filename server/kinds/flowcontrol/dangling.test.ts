import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { withInvariants } from '../../store/invariants.fixture.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { objectKey } from '../../store/object-keys.ts';
import { followLevels, type Referring } from './dangling.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const schemaKey = (name: string) => objectKey({ group, resource: 'flowschemas' }, '', name);
const levelKey = (name: string) => objectKey({ group, resource: 'prioritylevelconfigurations' }, '', name);
const schema = (name: string, level: string, more: object = {}) => ({
  kind: 'FlowSchema',
  apiVersion: `${group}/v1beta2`,
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence: 7 },
  ...more,
});
const level = (name: string) => ({
  kind: 'PriorityLevelConfiguration',
  apiVersion: `${group}/v1beta2`,
  metadata: { name },
});

async function followed(prepare: (store: MemoryStore) => Promise<unknown> = async () => {}) {
  const memory = new MemoryStore({ freeze: true });
  const store = withInvariants(memory);
  await prepare(memory);
  let now = 0;
  const stop = await followLevels({
    store,
    timers: new ManualTimers(),
    clock: { now: () => now },
    report: (error) => expect.fail(String(error)),
  });
  const read = async (name: string) => (await store.get(schemaKey(name)))?.value as Referring;
  return {
    store,
    read,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    async dangling(name: string) {
      await settled();
      const found = (await read(name)).status?.conditions?.find(({ type }) => type === 'Dangling');
      return found && `${found.status} ${found.reason} ${found.lastTransitionTime}`;
    },
    async end() {
      await stop();
      await store.close();
    },
  };
}

test('what was there before is looked at before it starts, whatever was stored first', async () => {
  const { dangling, end } = await followed(async (store) => {
    await store.create(schemaKey('found'), schema('found', 'low'));
    await store.create(schemaKey('lost'), schema('lost', 'gone'));
    await store.create(levelKey('low'), level('low'));
  });
  expect(await dangling('found')).toBe('False Found 1970-01-01T00:00:00Z');
  expect(await dangling('lost')).toBe('True NotFound 1970-01-01T00:00:00Z');
  await end();
});

test('schemas that say all already are not asked for at a start', async () => {
  const { store, dangling, end } = await followed(async (store) => {
    await store.create(levelKey('low'), level('low'));
    for (const name of ['s', 't']) await store.create(schemaKey(name), schema(name, 'low'));
  });
  expect(await dangling('s')).toMatch(/^False/);
  const asked: string[] = [];
  const update: typeof store.update = (key, change) => {
    asked.push(key);
    return store.update(key, change);
  };
  const list: typeof store.list = (prefix, options) => store.list(prefix, options);
  const watch: typeof store.watch = (...given) => store.watch(...given);
  const again = await followLevels({
    store: { ...store, list, watch, update },
    timers: new ManualTimers(),
    clock: { now: () => 0 },
    report: (error) => expect.fail(String(error)),
  });
  expect(asked).toEqual([]);
  await store.update(levelKey('low'), () => ({ remove: true }));
  await settled();
  expect(asked.sort()).toEqual([schemaKey('s'), schemaKey('t')]);
  await again();
  await end();
});

test('the condition follows the level as it comes and goes', async () => {
  const { store, dangling, advance, end } = await followed();
  await store.create(schemaKey('s'), schema('s', 'low'));
  expect(await dangling('s')).toBe('True NotFound 1970-01-01T00:00:00Z');
  advance(1000);
  await store.create(levelKey('low'), level('low'));
  expect(await dangling('s')).toBe('False Found 1970-01-01T00:00:01Z');
  advance(1000);
  await store.update(levelKey('low'), () => ({ remove: true }));
  expect(await dangling('s')).toBe('True NotFound 1970-01-01T00:00:02Z');
  await end();
});

test('the condition follows the schema to another level', async () => {
  const { store, dangling, end } = await followed((store) => store.create(levelKey('low'), level('low')));
  await store.create(schemaKey('s'), schema('s', 'low'));
  expect(await dangling('s')).toMatch(/^False/);
  await store.update(schemaKey('s'), ({ value }) => ({
    write: { ...value, metadata: { ...value.metadata }, spec: schema('s', 'other').spec },
  }));
  expect(await dangling('s')).toMatch(/^True/);
  await end();
});

test('other conditions and their places stay, and nothing is written when all is said already', async () => {
  const others = [
    { type: 'Dangling', status: 'True' },
    { type: 'Mine', status: 'True' },
  ];
  const { store, read, dangling, end } = await followed((store) => store.create(levelKey('low'), level('low')));
  await store.create(schemaKey('s'), schema('s', 'low', { status: { conditions: others } }));
  expect(await dangling('s')).toMatch(/^False/);
  expect((await read('s')).status?.conditions?.map(({ type }) => type)).toEqual(['Dangling', 'Mine']);
  const before = (await read('s')).metadata.resourceVersion;
  await store.update(levelKey('low'), ({ value }) => ({ write: { ...value, metadata: { name: 'low', labels: {} } } }));
  await settled();
  expect((await read('s')).metadata.resourceVersion).toBe(before);
  await end();
});

test('the server owns the condition, through the status, beside those who own the rest', async () => {
  const jane = {
    manager: 'jane',
    operation: 'Update' as const,
    apiVersion: `${group}/v1beta1`,
    fieldsType: 'FieldsV1' as const,
    fieldsV1: { 'f:spec': { 'f:matchingPrecedence': {} } },
  };
  const { store, read, end } = await followed();
  await store.create(schemaKey('s'), schema('s', 'low', { metadata: { name: 's', managedFields: [jane] } }));
  await store.create(schemaKey('free'), schema('free', 'low'));
  await settled();
  const condition = {
    '.': {},
    'f:lastTransitionTime': {},
    'f:message': {},
    'f:reason': {},
    'f:status': {},
    'f:type': {},
  };
  const own = {
    manager: 'api-priority-and-fairness-config-consumer-v1',
    operation: 'Update',
    subresource: 'status',
    apiVersion: `${group}/v1beta2`,
    fieldsV1: { 'f:status': { 'f:conditions': { '.': {}, 'k:{"type":"Dangling"}': condition } } },
  };
  expect((await read('s')).metadata.managedFields).toHaveLength(2);
  expect((await read('s')).metadata.managedFields).toMatchObject(
    expect.arrayContaining([jane, expect.objectContaining(own)]),
  );
  expect((await read('free')).metadata.managedFields).toMatchObject([own]);
  await end();
});
