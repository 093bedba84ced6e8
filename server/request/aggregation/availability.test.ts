import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import type { ApiService } from '../../kinds/apiregistration/api-service-shape.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { objectKey, type StoredKind } from '../../store/object-keys.ts';
import { aggregatedApi } from './aggregated-apis.ts';
import { type Endpoints, followBackends, type Service, whatLacks } from './availability.ts';

const backend = { namespace: 'ns', name: 'metrics', port: 443 };
const metadata = { name: backend.name, namespace: backend.namespace };
const service = (spec: NonNullable<Service['spec']>): Service => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata,
  spec,
});
const endpoints = (...subsets: NonNullable<Endpoints['subsets']>): Endpoints => ({
  kind: 'Endpoints',
  apiVersion: 'v1',
  metadata,
  subsets,
});
const named = service({
  ports: [
    { name: 'web', port: 80 },
    { name: 'tls', port: 443 },
  ],
});
const one = [{ ip: '10.1.1.1' }];

describe('the backend of an APIService', () => {
  it.each<[string, Service | undefined, Endpoints | undefined, string?]>([
    ['is not there', undefined, undefined, 'ServiceNotFound'],
    ['has another port', service({ ports: [{ port: 80 }] }), undefined, 'ServicePortError'],
    ['has no ports', service({}), undefined, 'ServicePortError'],
    ['has no endpoints', named, undefined, 'EndpointsNotFound'],
    ['has endpoints for nothing', named, endpoints(), 'MissingEndpoints'],
    ['has no address', named, endpoints({ addresses: null, ports: [{ name: 'tls' }] }), 'MissingEndpoints'],
    [
      'has addresses for another port',
      named,
      endpoints({ addresses: one, ports: [{ name: 'web' }] }),
      'MissingEndpoints',
    ],
    ['is there', named, endpoints({ addresses: one, ports: [{ name: 'tls' }] })],
    ['has a port without a name', service({ ports: [{ port: 443 }] }), endpoints({ addresses: one, ports: [{}] })],
    ['is outside', service({ type: 'ExternalName' }), undefined],
  ])('that %s', (_, found, its, reason) => {
    expect(whatLacks(backend, found, its)).toEqual(
      reason && { status: 'False', reason, message: expect.stringContaining('service/metrics in "ns"') },
    );
  });
});

describe('the condition Available', () => {
  const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
  const key = objectKey(apiServices, '', 'v1.x.example');
  const keyOf = (kind: StoredKind) => objectKey(kind, backend.namespace, backend.name);
  const services = keyOf({ group: '', resource: 'services' });
  const apiService = (more: object = { service: backend }) => ({
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: 'v1.x.example' },
    spec: { group: 'x.example', version: 'v1', ...more },
  });

  const refuse = () => Promise.reject(new Error('refused'));

  let store: MemoryStore;
  let now: number;
  let timers: ManualTimers;
  let answer: () => Promise<void>;
  let stop: () => unknown;
  beforeEach(() => {
    store = new MemoryStore({ freeze: true });
    now = 0;
    timers = new ManualTimers();
    answer = refuse;
  });
  afterEach(() => stop());

  async function begin(): Promise<void> {
    const report = (error: unknown) => expect.fail(String(error));
    const read = (object: ApiService) => aggregatedApi(object, undefined);
    stop = await followBackends({ store, timers, clock: { now: () => now }, report, read, ask: () => answer() });
  }
  const read = async () => (await store.get(key))?.value as ApiService;
  const reason = async () => (await read()).status?.conditions?.map((each) => each.reason);

  it('is told of what was there before, as set by the server', async () => {
    await store.create(key, apiService());
    await begin();
    await expect.poll(reason).toEqual(['ServiceNotFound']);
    const [entry] = (await read()).metadata.managedFields ?? [];
    expect(entry).toMatchObject({ manager: 'kube-apiserver', operation: 'Update', subresource: 'status' });
  });

  it('follows the Service as it comes and goes, and keeps the time since which it holds', async () => {
    await begin();
    await store.create(key, apiService());
    await expect.poll(reason).toEqual(['ServiceNotFound']);
    now = 60_000;
    await store.create(services, structuredClone(named));
    await expect.poll(reason).toEqual(['EndpointsNotFound']);
    expect((await read()).status?.conditions?.[0]?.lastTransitionTime).toBe('1970-01-01T00:00:00Z');
    await store.update(services, () => ({ remove: true }));
    await expect.poll(reason).toEqual(['ServiceNotFound']);
  });

  it('tells whether the backend answers, which is asked again and again', async () => {
    await store.create(services, structuredClone(service({ type: 'ExternalName' })));
    await store.create(key, apiService());
    await begin();
    await expect.poll(reason).toEqual(['FailedDiscoveryCheck']);
    expect((await read()).status?.conditions?.[0]?.message).toContain('refused');
    answer = () => Promise.resolve();
    timers.advance(10_000);
    await expect.poll(reason).toEqual(['Passed']);
    expect((await read()).status?.conditions).toMatchObject([{ type: 'Available', status: 'True' }]);
    answer = refuse;
    timers.advance(10_000);
    await expect.poll(reason).toEqual(['FailedDiscoveryCheck']);
  });

  it('holds up no start while a backend says nothing', async () => {
    await store.create(services, structuredClone(service({ type: 'ExternalName' })));
    await store.create(key, apiService());
    const silence = Promise.withResolvers<void>();
    answer = () => silence.promise;
    await begin();
    expect(await reason()).toBeUndefined();
    silence.resolve();
    await expect.poll(reason).toEqual(['Passed']);
  });

  it('is none of its business where the server serves the group itself', async () => {
    await store.create(key, apiService({}));
    await begin();
    expect((await read()).status).toBeUndefined();
  });

  it('forgets the backend of a group that the server serves itself from now on', async () => {
    await store.create(key, apiService());
    await begin();
    await expect.poll(reason).toEqual(['ServiceNotFound']);
    await store.update(key, ({ value }) => ({
      write: { ...structuredClone(value), spec: { group: 'x.example', version: 'v1' } },
    }));
    await expect.poll(reason).toEqual(['Local']);
    expect((await read()).status?.conditions).toMatchObject([{ type: 'Available', status: 'True' }]);
  });

  it('outlives an APIService that goes', async () => {
    await store.create(key, apiService());
    await begin();
    await store.update(key, () => ({ remove: true }));
    await store.create(services, structuredClone(named));
    expect(await store.get(key)).toBeUndefined();
  });
});
