import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import {
  type Endpoints,
  endpointSlices,
  endpoints,
  nodes,
  pods,
  type Resource,
  services,
} from '../runtime/resources.ts';
import { namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { endpointLoops, endpointSliceLoops } from './reconcile.ts';

test('endpoints that are as they should be are not written again, in whatever order their fields come', async () => {
  const metadata = { namespace: 'ns', name: 's' };
  const targetRef = { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'p' };
  const objects = new Map<Resource, object>([
    [services, { metadata, spec: { selector: { app: 'a' }, ports: [{ port: 80, protocol: 'TCP' }] } }],
    [
      endpoints,
      { metadata, subsets: [{ addresses: [{ ip: '10.0.0.1', targetRef }], ports: [{ port: 80, protocol: 'TCP' }] }] },
    ],
  ]);
  const pod = {
    metadata: { namespace: 'ns', name: 'p', uid: 'p', labels: { app: 'a' } },
    status: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const written: unknown[] = [];
  const request = requestOf({
    key: 'ns/s',
    read: (resource: Resource) => ({ find: () => objects.get(resource), in: () => (resource === pods ? [pod] : []) }),
    write: () => ({ replace: async (_base: unknown, next: unknown) => written.push(next) }),
  });
  await endpointLoops[0]?.reconcile(request);
  expect(written).toEqual([]);
});

test.each([
  [
    'more than 1000 pods have those alone, and say so',
    1_001,
    {},
    { 'endpoints.kubernetes.io/over-capacity': 'truncated' },
  ],
  [
    '1000 pods have them all, and say no more that they do not',
    1_000,
    { 'endpoints.kubernetes.io/over-capacity': 'truncated' },
    {},
  ],
])('Endpoints of %s', async (_, count, before, after) => {
  const metadata = { namespace: 'ns', name: 's' };
  const found = { metadata: { ...metadata, annotations: { mine: 'stays', ...before } }, subsets: [] };
  const service = { metadata, spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } };
  const all = Array.from({ length: count }, (_, index) => ({
    metadata: { namespace: 'ns', name: `p${index}`, labels: { app: 'a' } },
    status: { podIP: `10.0.${index >> 8}.${index & 255}`, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  const written: Endpoints[] = [];
  const read = (resource: Resource) => ({ find: () => (resource === services ? service : found), in: () => all });
  const write = () => ({ replace: async (_base: unknown, next: Endpoints) => written.push(next) });
  await endpointLoops[0]?.reconcile(requestOf({ key: 'ns/s', read, write }));
  expect(written.map(({ metadata }) => metadata?.annotations)).toEqual([{ mine: 'stays', ...after }]);
  expect(written[0]?.subsets?.map(({ addresses }) => addresses?.length)).toEqual([1_000]);
});

test('slices list a pod when its node comes, follow the node to another zone, and forget the pod when the node goes', async () => {
  const { client, stop } = await startCluster({ controllers: ['endpointslice', 'serviceaccount'] });
  try {
    const labels = { app: 'web' };
    const place = { namespace, name: 'web-0' };
    await client.create(
      services,
      { metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80 }] } },
      { namespace },
    );
    const containers = [{ name: 'c', image: 'i' }];
    await client.create(
      pods,
      { metadata: { name: 'web-0', labels }, spec: { nodeName: 'late', containers } },
      { namespace },
    );
    const status = { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    await client.patch(pods, { ...place, part: 'status' }, { status });
    const zones = async () =>
      (await client.list(endpointSlices, { namespace })).items
        .filter(({ metadata }) => metadata?.labels?.['kubernetes.io/service-name'] === 'web')
        .flatMap(({ endpoints }) => endpoints ?? [])
        .map(({ zone = 'of no zone' }) => zone);
    const until = (...expected: string[]) =>
      eventually(async () => ((await zones()).join() === expected.join() ? true : undefined));
    await client.create(nodes, { metadata: { name: 'late' } }, {});
    await until('of no zone');
    const metadata = { labels: { 'topology.kubernetes.io/zone': 'west' } };
    await client.patch(nodes, { name: 'late' }, { metadata });
    await until('west');
    await client.delete(nodes, { name: 'late' });
    await until();
  } finally {
    await stop();
  }
});

const terminating = { details: { causes: [{ reason: 'NamespaceTerminating' }] } };
test.each([
  ['is there already', new ApiError(409, { reason: 'AlreadyExists' }, 'create'), false],
  ['goes with its namespace', new ApiError(403, terminating, 'create'), false],
  ['the server fails to make', new ApiError(500, {}, 'create'), true],
])('what %s is tried again or not', async (_, error, again) => {
  const service = { metadata: { namespace: 'ns', name: 's' }, spec: { selector: { app: 'a' } } };
  const read = (resource: Resource) => ({ find: () => (resource === services ? service : undefined), in: () => [] });
  const write = () => ({ create: () => Promise.reject(error) });
  const request = requestOf({ key: 'ns/s', read, write });
  for (const loop of [...endpointSliceLoops, ...endpointLoops]) {
    const ended = await loop.reconcile(request).then(
      () => false,
      () => true,
    );
    expect([loop.name, ended]).toEqual([loop.name, again]);
  }
});

test.each([
  ['were made for it go', { 'touchstone.example/of-service': '' }, 1],
  ['somebody made by hand stay', {}, 0],
])('of a service that has gone the Endpoints that %s', async (_, labels, count) => {
  const found = { metadata: { namespace: 'ns', name: 's', labels } };
  const deleted: unknown[] = [];
  const read = (resource: Resource) => ({ find: () => (resource === endpoints ? found : undefined), in: () => [] });
  const write = () => ({ delete: async (object: unknown) => deleted.push(object) });
  await endpointLoops[0]?.reconcile(requestOf({ key: 'ns/s', read, write }));
  expect(deleted).toHaveLength(count);
});
