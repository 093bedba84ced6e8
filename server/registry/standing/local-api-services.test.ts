import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { kindsFor } from '../../kinds/index.ts';
import { withInvariants } from '../../store/invariants.fixture.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { objectKey } from '../../store/object-keys.ts';
import type { Store } from '../../store/store.ts';
import { builtIns, type ListedResource } from '../resources.ts';
import { LocalApiServices, localApiServices } from './local-api-services.ts';

const all = builtIns(kindsFor());
const custom = {
  ...(all[0] as ListedResource),
  group: 'example.com',
  served: { ...all[0]?.served, version: 'v1' },
  custom: {},
} as unknown as ListedResource;
const label = 'kube-aggregator.kubernetes.io/automanaged';
const keyOf = (name: string) => objectKey({ group: 'apiregistration.k8s.io', resource: 'apiservices' }, '', name);

let uids = 0;

/** What a server keeps up, once it has begun. */
async function serving(store: Store, timers = new ManualTimers()) {
  const services = new LocalApiServices({
    store,
    timers,
    clock: { now: () => 0 },
    ids: { uid: () => `uid-${uids++}` } as never,
    report: (error) => expect.fail(String(error)),
  });
  await services.start(all);
  return services;
}

async function started(prepare: (store: MemoryStore) => Promise<unknown> = async () => {}) {
  const memory = new MemoryStore({ freeze: true });
  await prepare(memory);
  const store = withInvariants(memory);
  const timers = new ManualTimers();
  const services = await serving(store, timers);
  return { store, timers, services, read: async (name: string) => (await store.get(keyOf(name)))?.value };
}

test('there is one for each group and version that is served, but for their own', () => {
  const wanted = localApiServices(all);
  const groupVersions = new Set(all.map(({ group, served }) => `${served.version}.${group}`));
  groupVersions.delete('v1.apiregistration.k8s.io');
  expect([...wanted.keys()].sort()).toEqual([...groupVersions].sort());
});

test('what is served has its object when it starts', async () => {
  const { store, services, read } = await started();
  expect(await read('v1.')).toEqual({
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: {
      name: 'v1.',
      uid: expect.any(String),
      resourceVersion: expect.any(String),
      creationTimestamp: '1970-01-01T00:00:00Z',
      labels: { [label]: 'onstart' },
      managedFields: [expect.objectContaining({ manager: 'kube-apiserver', operation: 'Update' })],
    },
    spec: { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 },
    status: { conditions: [expect.objectContaining({ type: 'Available', status: 'True', reason: 'Local' })] },
  });
  expect(await read('v2.autoscaling')).toMatchObject({ spec: { group: 'autoscaling', versionPriority: 30 } });
  await services.stop();
  await store.close();
});

test('one that is deleted is made again, and one that was there stays', async () => {
  const mine = {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: 'v1.apps', uid: 'mine' },
  };
  const { store, services, read } = await started((store) => store.create(keyOf('v1.apps'), mine));
  expect((await read('v1.apps'))?.metadata.uid).toBe('mine');
  const before = (await read('v1.batch'))?.metadata.uid;
  await store.update(keyOf('v1.batch'), () => ({ remove: true }));
  await settled();
  const after = (await read('v1.batch'))?.metadata.uid;
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
  await services.stop();
  await store.close();
});

test('that of a custom group comes and goes with it', async () => {
  const { store, services, read } = await started();
  services.serve([...all, custom]);
  await settled();
  expect(await read('v1.example.com')).toMatchObject({
    metadata: { labels: { [label]: 'true' } },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
  });
  services.serve(all);
  await settled();
  expect(await read('v1.example.com')).toBeUndefined();
  expect(await read('v1.batch')).toBeDefined();
  await services.stop();
  await store.close();
});

test('of several servers one that hears late of a group neither removes nor keeps what another does about it', async () => {
  const { store, services: first, read } = await started();
  const late = await serving(store);
  const changes: string[] = [];
  store.watch(keyOf('v1.example.com'), await store.currentRevision(), ({ current }) => {
    changes.push(current ? 'made' : 'removed');
  });
  first.serve([...all, custom]);
  await settled();
  expect(changes, 'the other has not heard of it').toEqual(['made']);
  late.serve([...all, custom]);
  first.serve(all);
  await settled();
  expect(changes, 'the other has not heard of its end').toEqual(['made', 'removed', 'made']);
  late.serve(all);
  await settled();
  expect(changes).toEqual(['made', 'removed', 'made', 'removed']);
  expect(await read('v1.example.com')).toBeUndefined();
  for (const each of [first, late]) await each.stop();
  await store.close();
});

/** The store as a server knows it that hears of changes when it is told to. */
function heardLate(store: Store) {
  const heard: (() => void)[] = [];
  const watch: Store['watch'] = (prefix, after, listener, ...rest) =>
    store.watch(prefix, after, (event) => heard.push(() => listener(event)), ...rest);
  const late = new Proxy(store, {
    get: (of, name) => {
      if (name === 'watch') return watch;
      const value = Reflect.get(of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
  return { late, hear: () => heard.splice(0).map((tell) => tell()) };
}

test('one that was made for a newer definition is not taken for the old one by who hears late', async () => {
  const { store, services: first, read } = await started();
  const { late, hear } = heardLate(store);
  const second = await serving(late);
  for (const each of [first, second]) each.serve([...all, custom]);
  await settled();
  hear();
  for (const served of [all, [...all, custom]]) {
    first.serve(served);
    await settled();
  }
  const newer = await read('v1.example.com');
  second.serve(all);
  await settled();
  expect(await read('v1.example.com')).toBe(newer);
  for (const each of [first, second]) await each.stop();
  await store.close();
});

test('one that nobody has served for a minute goes', async () => {
  const stray = {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: 'v1.example.com', uid: 'stray', labels: { [label]: 'true' } },
  };
  const { store, timers, services, read } = await started((store) => store.create(keyOf('v1.example.com'), stray));
  timers.advance(59_000);
  await settled();
  expect(await read('v1.example.com')).toBeDefined();
  timers.advance(1_000);
  await settled();
  expect(await read('v1.example.com')).toBeUndefined();
  expect(timers.waiting).toBe(0);
  await services.stop();
  await store.close();
});
