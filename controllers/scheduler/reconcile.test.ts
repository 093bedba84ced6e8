import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimRefOf, selectedNodeAnnotation } from '../persistent-volume-binder/plan.ts';
import { ApiError } from '../runtime/api-error.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Read } from '../runtime/controller.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import {
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  type Resource,
  storageClasses,
} from '../runtime/resources.ts';
import { Writer } from '../runtime/writer.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { schedulerLoops } from './reconcile.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const create = (name: string, spec: object) =>
  cluster.client.create(pods, { metadata: { name }, spec: spec as NonNullable<Pod['spec']> }, { namespace });
const main = { name: 'main', image: 'i' };

/** Pods that begin so, once all are bound or were told why not. */
const decided = (prefix: string, count: number) =>
  eventually(async () => {
    const { items } = await cluster.client.list(pods, { namespace });
    const told = items.filter(
      ({ metadata, status }) =>
        metadata?.name?.startsWith(prefix) && status?.conditions?.some(({ type }) => type === 'PodScheduled'),
    );
    return told.length === count ? told : undefined;
  });
const isBound = ({ spec }: Pod) => spec?.nodeName !== undefined;

test('pods that come together get no more than the node has, and one that goes makes room for another', async () => {
  const containers = [{ ...main, resources: { requests: { cpu: '10' } } }];
  await Promise.all(Array.from({ length: 10 }, (_, index) => create(`big-${index}`, { containers })));
  const all = await decided('big-', 10);
  expect(all.filter(isBound)).toHaveLength(6);
  const waiting = all.filter((pod) => !isBound(pod));
  expect(waiting[0]?.status?.conditions).toMatchObject([
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: expect.stringContaining('cpu') },
  ]);
  await cluster.client.delete(pods, { namespace, name: all.find(isBound)?.metadata?.name ?? '' });
  await eventually(async () => {
    const { items } = await cluster.client.list(pods, { namespace });
    return waiting.some(({ metadata }) => items.some((pod) => isBound(pod) && pod.metadata?.uid === metadata?.uid))
      ? true
      : undefined;
  });
});

test('that a pod has no place is not told of another of its name, nor of one that was bound meanwhile', async () => {
  const { client } = cluster;
  const containers = [{ ...main, resources: { requests: { cpu: '100' } } }];
  await create('huge', { containers });
  const [pod] = await decided('huge', 1);
  const [loop] = schedulerLoops();
  const stale = { ...pod, status: {}, metadata: { ...pod?.metadata, resourceVersion: '1' } };
  const request = requestOf({
    key: 'default/huge',
    read: () => ({ find: () => stale, all: () => [], indexed: () => [] }),
    write: () => new Writer(client, pods),
    events: { record: () => {} },
    clock: systemClock,
  });
  await expect(loop?.reconcile(request)).rejects.toMatchObject({ reason: 'Conflict' });
});

test('a pod that goes with its namespace is left to it', async () => {
  const [loop] = schedulerLoops();
  const pod = { metadata: { namespace: 'ns', name: 'p', uid: 'u' }, spec: { containers: [] } } as Pod;
  const node = { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  const causes = [{ reason: 'NamespaceTerminating' }];
  const request = requestOf({
    key: 'ns/p',
    read: () => ({ find: () => pod, all: () => [node], indexed: () => [] }),
    client: { create: () => Promise.reject(new ApiError(403, { details: { causes } }, 'binding')) },
  });
  expect(await loop?.reconcile(request)).toBeUndefined();
});

test.each<[string, object | undefined]>([
  ['that has a node', { nodeName: 'n' }],
  ['that waits for another scheduler', { schedulerName: 'mine' }],
  ['that has gone', undefined],
])('a pod %s is bound to none', async (_, spec) => {
  const bound: unknown[] = [];
  const pod = spec && { metadata: { namespace: 'ns', name: 'p', uid: 'u' }, spec };
  const node = { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  const request = requestOf({
    key: 'ns/p',
    read: () => ({ find: () => pod, all: () => [node], indexed: () => [] }),
    client: { create: async (...binding: unknown[]) => bound.push(binding) },
    events: { record: () => {} },
  });
  expect(await schedulerLoops()[0]?.reconcile(request)).toBeUndefined();
  expect(bound).toEqual([]);
});

const localVolume = (name: string, node: string): PersistentVolume => ({
  metadata: { name },
  spec: {
    ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand' },
    local: { path: '/disk' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }],
      },
    },
  },
});

/** As who makes volumes makes them. */
const volumeFor = (claim: PersistentVolumeClaim): PersistentVolume => ({
  metadata: { name: 'made' },
  spec: {
    ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'made' },
    ...{ hostPath: { path: '/disk' }, claimRef: claimRefOf(claim) },
  },
});

test('a pod waits for its claim', async () => {
  await create('claiming', {
    containers: [main],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
  });
  const [pod] = await decided('claiming', 1);
  expect(pod && isBound(pod)).toBe(false);
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await cluster.client.create(persistentVolumeClaims, { metadata: { name: 'c' }, spec }, { namespace });
  await eventually(async () => {
    const found = await cluster.client.get(pods, { namespace, name: 'claiming' });
    return found.status?.phase === 'Running' || undefined;
  });
});

test('a claim that waits for a pod has a volume near the node of that pod, or is told for which node one is to be made', async () => {
  const { client } = cluster;
  const late = { volumeBindingMode: 'WaitForFirstConsumer' };
  const byHand = { metadata: { name: 'by-hand' }, provisioner: 'kubernetes.io/no-provisioner', ...late };
  await client.create(storageClasses, byHand, {});
  await client.create(storageClasses, { metadata: { name: 'made' }, provisioner: 'example.com/maker', ...late }, {});
  for (const [name, storageClassName] of [
    ['kept', 'by-hand'],
    ['asked', 'made'],
  ] as const) {
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } };
    await client.create(persistentVolumeClaims, { metadata: { name }, spec }, { namespace });
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
    await create(`uses-${name}`, { containers: [main], volumes });
  }
  await client.create(persistentVolumes, localVolume('elsewhere', 'other-node'), {});
  await client.create(persistentVolumes, localVolume('here', 'touchstone-node'), {});
  await eventually(async () => (await decided('uses-kept', 1)).find(isBound));
  const { spec, metadata } = await client.get(persistentVolumeClaims, { namespace, name: 'kept' });
  expect(spec?.volumeName).toBe('here');
  expect(metadata?.annotations).not.toHaveProperty(selectedNodeAnnotation);
  const asked = await eventually(async () => {
    const found = await client.get(persistentVolumeClaims, { namespace, name: 'asked' });
    return found.metadata?.annotations?.[selectedNodeAnnotation] ? found : undefined;
  });
  expect(asked.metadata?.annotations).toMatchObject({ [selectedNodeAnnotation]: 'touchstone-node' });
  await client.create(persistentVolumes, volumeFor(asked), {});
  await eventually(async () => (await decided('uses-asked', 1)).find(isBound));
});

test('a pod whose volume is on its way comes again where volumes change: the one that was kept for it may go', async () => {
  const spec = { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] };
  const there = new Map<Resource, object>([
    [pods, { metadata: { namespace: 'ns', name: 'p', uid: 'u' }, spec }],
    [persistentVolumeClaims, { metadata: { name: 'c' }, spec: { storageClassName: 'made' } }],
    [storageClasses, { provisioner: 'example.com/maker', volumeBindingMode: 'WaitForFirstConsumer' }],
    [nodes, { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
  ]);
  const read = (resource: Resource) => ({
    find: () => there.get(resource),
    all: () => [there.get(resource) ?? []].flat(),
    indexed: () => [],
  });
  const written: unknown[] = [];
  const [loop] = schedulerLoops();
  const write = () => ({ patch: async (_: object, change: object) => written.push(change) });
  await loop?.reconcile(requestOf({ key: 'ns/p', read, write }));
  expect(written).toEqual([{ metadata: { annotations: { [selectedNodeAnnotation]: 'n' } } }]);
  const watching = loop?.watches.find(({ resource }) => resource === persistentVolumes);
  expect(watching?.keys({}, read as unknown as Read)).toEqual(['ns/p']);
});

test.each<[string, string | undefined, readonly string[]]>([
  ['that runs takes room on its node', 'Running', ['n']],
  ['of which nothing is told yet takes room on its node', undefined, ['n']],
  ['that is complete takes none', 'Succeeded', []],
  ['that has failed takes none', 'Failed', []],
])('a pod %s', (_, phase, places) => {
  const [index] = schedulerLoops()[0]?.indexes ?? [];
  const pod = { spec: { nodeName: 'n', containers: [] }, status: { ...(phase && { phase }) } } as Pod;
  expect(index?.of(pod)).toEqual(places);
});
