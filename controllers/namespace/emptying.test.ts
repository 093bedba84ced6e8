import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unlessNotFound } from '../runtime/api-error.ts';
import { forEach } from '../runtime/many.ts';
import { configMaps, namespaces, pods, serviceAccounts } from '../runtime/resources.ts';
import { type Cluster, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

describe('namespaces', () => {
  test('a namespace of 2,000 objects is gone within ten seconds of its deletion', async () => {
    await cluster.client.create(namespaces, { metadata: { name: 'crowded' } }, {});
    await cluster.there(serviceAccounts, 'default', 'crowded');
    const spec = { containers: [{ name: 'main', image: 'b' }] };
    await forEach(
      Array.from({ length: 2_000 }, (_, index) => index),
      (index) =>
        index % 10 === 0
          ? cluster.client.create(pods, { metadata: { name: `pod-${index}` }, spec }, { namespace: 'crowded' })
          : cluster.client.create(configMaps, { metadata: { name: `map-${index}` } }, { namespace: 'crowded' }),
    );
    await cluster.client.delete(namespaces, { name: 'crowded' });
    await cluster.gone(namespaces, 'crowded');
  });

  test('a namespace that something holds says what, and goes when it is let go', async () => {
    await cluster.client.create(namespaces, { metadata: { name: 'held' } }, {});
    const metadata = { name: 'holder', finalizers: ['example.com/hold'] };
    await cluster.client.create(configMaps, { metadata }, { namespace: 'held' });
    await cluster.client.delete(namespaces, { name: 'held' });
    const condition = await eventually(async () => {
      const { status } = await cluster.client.get(namespaces, { name: 'held' });
      return status?.conditions?.find(
        ({ type, status: is }) => type === 'NamespaceFinalizersRemaining' && is === 'True',
      );
    });
    expect(condition.message).toContain('example.com/hold in 1 resource instances');
    await cluster.client.patch(configMaps, { namespace: 'held', name: 'holder' }, { metadata: { finalizers: null } });
    await cluster.gone(namespaces, 'held');
  });

  test('a new namespace gets its default account and the certificate to verify the server with', async () => {
    await cluster.client.create(namespaces, { metadata: { name: 'fresh' } }, {});
    await cluster.there(serviceAccounts, 'default', 'fresh');
    const map = await eventually(() =>
      unlessNotFound(cluster.client.get(configMaps, { namespace: 'fresh', name: 'kube-root-ca.crt' })),
    );
    expect(map.data?.['ca.crt']).toBe(cluster.server.certificateAuthority);
  });
});
