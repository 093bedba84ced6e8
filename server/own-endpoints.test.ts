import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { ownAddress, publishEndpoints } from './own-endpoints.ts';
import { MemoryStore } from './store/memory-store.ts';

const store = new MemoryStore();
afterEach(() => store.close());

const uids = ['u1', 'u2', 'u3', 'u4'].values();
const services = { store, clock: { now: () => 0 }, ids: { uid: () => uids.next().value } } as never;
const read = async (key: string) => (await store.get(key))?.value;
const keys = ['/endpoints/default/kubernetes', 'discovery.k8s.io/endpointslices/default/kubernetes'];

test('what is behind the Service kubernetes is written once, and again for another address', async () => {
  await publishEndpoints(services, { ip: '192.0.2.7', port: 6443 });
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
  await publishEndpoints(services, { ip: '192.0.2.7', port: 6443 });
  expect(await store.currentRevision()).toBe(revision);
  await publishEndpoints(services, { ip: '2001:db8::7', port: 6444 });
  const [later, sliceLater] = await Promise.all(keys.map(read));
  expect(later?.metadata.uid).toBe(endpoints?.metadata.uid);
  expect(later).toMatchObject({ subsets: [{ addresses: [{ ip: '2001:db8::7' }], ports: [{ port: 6444 }] }] });
  expect(sliceLater).toMatchObject({ addressType: 'IPv6', ports: [{ port: 6444 }] });
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
