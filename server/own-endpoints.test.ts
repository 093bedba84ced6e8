import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { randomIds } from './base/ids.ts';
import type { KubeObject } from './base/kube-object.ts';
import { ManualTimers } from './base/time/manual-timers.fixture.ts';
import { keepPublished, ownAddress, publishEndpoints } from './own-endpoints.ts';
import { silentLog } from './request/log.ts';
import { MemoryStore } from './store/memory-store.ts';
import { type Peers, StorageError } from './store/store.ts';

const store = new MemoryStore();
afterEach(() => store.close());

const empty: KubeObject = { kind: 'Endpoints', apiVersion: 'v1', metadata: {} };
const uids = ['u1', 'u2', 'u3', 'u4'].values();
const ids = { uid: () => uids.next().value } as never;
const services = { store, clock: { now: () => 0 }, ids };
const read = async (key: string) => (await store.get(key))?.value;
const keys = ['/endpoints/default/kubernetes', 'discovery.k8s.io/endpointslices/default/kubernetes'];

test('what is behind the Service kubernetes is written once, and again for another address', async () => {
  await publishEndpoints(services, [{ ip: '192.0.2.7', port: 6443 }]);
  const [endpoints, slice] = await Promise.all(keys.map(read));
  expect(endpoints).toMatchObject({
    kind: 'Endpoints',
    metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] }],
  });
  expect(slice).toMatchObject({
    addressType: 'IPv4',
    metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
  });
  const revision = await store.currentRevision();
  await publishEndpoints(services, [{ ip: '192.0.2.7', port: 6443 }]);
  expect(await store.currentRevision()).toBe(revision);
  await publishEndpoints(services, [{ ip: '2001:db8::7', port: 6444 }]);
  const [later, sliceLater] = await Promise.all(keys.map(read));
  expect(later?.metadata.uid).toBe(endpoints?.metadata.uid);
  expect(later).toMatchObject({ subsets: [{ addresses: [{ ip: '2001:db8::7' }], ports: [{ port: 6444 }] }] });
  expect(sliceLater).toMatchObject({ addressType: 'IPv6', ports: [{ port: 6444 }] });
});

test('a store that is full keeps nobody from starting, and is told once there is room', async () => {
  const timers = new ManualTimers();
  const failures: unknown[] = [];
  let full = true;
  const upsert: MemoryStore['upsert'] = (key, decide) => {
    if (full) return Promise.reject(new StorageError('full'));
    return store.upsert(key, decide);
  };
  const log = { ...silentLog, error: (_what: string, error: unknown) => void failures.push(error) };
  const own = { ip: '192.0.2.9', port: 6445 };
  const stop = await keepPublished({ ...services, store: { upsert }, timers, log, peers: undefined }, own);
  expect(failures).toHaveLength(1);
  full = false;
  timers.advance(200);
  await expect.poll(() => read(keys[0] ?? '')).toMatchObject({ subsets: [{ addresses: [{ ip: own.ip }] }] });
  await stop();
});

const subset = (port: number, ...ips: string[]) => ({
  addresses: ips.map((ip) => ({ ip })),
  ports: [{ name: 'https', port, protocol: 'TCP' }],
});

/** Servers that can be killed: what they said is then there no more. */
class FakePeers implements Peers {
  readonly said = new Map<string, KubeObject>();
  tell = async (name: string, said: KubeObject) => void this.said.set(name, said);
  leave = async (name: string) => void this.said.delete(name);
  all = async () => [...this.said.values()];
}

test('servers of one store are named together, each as long as it is there', async () => {
  const [timers, peers] = [new ManualTimers(), new FakePeers()];
  const publish = (ip: string, port: number) =>
    keepPublished({ ...services, ids: randomIds, timers, peers, log: silentLog }, { ip, port });
  const told = async () => (await read(keys[0] ?? ''))?.['subsets'];
  const endFirst = await publish('192.0.2.1', 6443);
  // A v1.25 server says no port.
  await peers.tell('192.0.2.2', { ...empty, subsets: [{ addresses: [{ ip: '192.0.2.2' }] }] });
  const endOther = await publish('192.0.2.1', 7443);
  timers.advance(10_000);
  await expect.poll(told).toEqual([subset(6443, '192.0.2.1', '192.0.2.2'), subset(7443, '192.0.2.1')]);
  const addresses = ['192.0.2.1', '192.0.2.2'].map((ip) => ({ addresses: [ip], conditions: { ready: true } }));
  expect((await read(keys[1] ?? ''))?.['endpoints']).toEqual(addresses);
  await endOther();
  expect(await told()).toEqual([subset(6443, '192.0.2.1', '192.0.2.2')]);
  peers.said.delete('192.0.2.2');
  timers.advance(10_000);
  await expect.poll(told).toEqual([subset(6443, '192.0.2.1')]);
  await endFirst();
  expect(peers.said.size).toBe(0);
  expect(await told()).toEqual([subset(6443, '192.0.2.1')]);
});

test('a server is where it listens, or where others find its machine', () => {
  expect(ownAddress('192.0.2.7', 6443)).toEqual({ ip: '192.0.2.7', port: 6443 });
  const machine = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  for (const nowhere of ['127.0.0.1', '0.0.0.0', '::1', 'localhost']) {
    const found = ownAddress(nowhere, 6443);
    if (found) expect(machine).toContain(found.ip);
    expect(found?.ip).not.toBe(nowhere);
  }
});
