import { expect, test } from 'vitest';
import { ManualTimers } from '../base/manual-timers.fixture.ts';
import { kindsFor } from '../kinds/index.ts';
import { withInvariants } from '../store/invariants.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { objectKey } from '../store/object-keys.ts';
import { LocalApiServices, localApiServices } from './local-api-services.ts';
import { builtIns, type ListedResource } from './resources.ts';

const all = builtIns(kindsFor());
const custom = {
  ...(all[0] as ListedResource),
  group: 'example.com',
  served: { ...all[0]?.served, version: 'v1' },
  custom: {},
} as unknown as ListedResource;
const label = 'kube-aggregator.kubernetes.io/automanaged';
const keyOf = (name: string) => objectKey({ group: 'apiregistration.k8s.io', resource: 'apiservices' }, '', name);
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function started(prepare: (store: MemoryStore) => Promise<unknown> = async () => {}) {
  const memory = new MemoryStore({ freeze: true });
  await prepare(memory);
  const store = withInvariants(memory);
  let uids = 0;
  const services = new LocalApiServices({
    store,
    timers: new ManualTimers(),
    clock: { now: () => 0 },
    ids: { uid: () => `uid-${uids++}` } as never,
    report: (error) => expect.fail(String(error)),
  });
  await services.start(all);
  return { store, services, read: async (name: string) => (await store.get(keyOf(name)))?.value };
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
