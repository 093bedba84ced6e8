import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unlessNotFound } from './runtime/api-error.ts';
import { formatTime } from './runtime/clock.ts';
import {
  configMaps,
  deployments,
  endpointSlices,
  leases,
  namespaces,
  nodes,
  pods,
  replicaSets,
  resourceQuotas,
  secrets,
  services,
} from './runtime/resources.ts';
import { type Cluster, namespace, startCluster } from './testing/cluster.fixture.ts';
import { eventually } from './testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['*', 'tokencleaner'] });
});
afterAll(() => cluster.stop());

describe('the others', () => {
  test('a deployment rolls to a new template and its service follows', async () => {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };
    await cluster.client.create(
      deployments,
      { metadata: { name: 'web' }, spec: { replicas: 3, selector: { matchLabels: labels }, template } },
      { namespace },
    );
    await cluster.client.create(
      services,
      { metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80 }] } },
      { namespace },
    );
    const rolled = (image: string) =>
      eventually(async () => {
        const { status, metadata, spec } = await cluster.client.get(deployments, { namespace, name: 'web' });
        const done = status?.updatedReplicas === 3 && status.availableReplicas === 3 && status.replicas === 3;
        return done &&
          status.observedGeneration === metadata?.generation &&
          spec?.template.spec?.containers[0]?.image === image
          ? status
          : undefined;
      });
    await rolled('web:1');
    await cluster.client.patch(
      deployments,
      { namespace, name: 'web' },
      { spec: { template: { spec: { containers: [{ name: 'main', image: 'web:2' }] } } } },
    );
    await rolled('web:2');
    const { items: sets } = await cluster.client.list(replicaSets, { namespace });
    expect(sets.map(({ spec }) => spec?.replicas).sort()).toEqual([0, 3]);
    await eventually(async () => {
      const { items } = await cluster.client.list(endpointSlices, {
        namespace,
        labelSelector: 'kubernetes.io/service-name=web',
      });
      const all = items.flatMap(({ endpoints = [] }) => endpoints);
      return all.length === 3 && all.every(({ conditions }) => conditions?.ready) ? all : undefined;
    });
  });

  test('a bootstrap token is deleted when it runs out', async () => {
    const data = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    const place = { namespace: 'kube-system' };
    const token = (id: string, expiration: string) => ({
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      data: data({ 'token-id': id, 'token-secret': '0123456789abcdef', expiration }),
    });
    await cluster.client.create(secrets, token('old001', formatTime(Date.now() - 60_000)), place).catch(() => {});
    await cluster.client.create(secrets, token('new001', formatTime(Date.now() + 600_000)), place);
    await eventually(async () =>
      (await unlessNotFound(cluster.client.get(secrets, { ...place, name: 'bootstrap-token-old001' })))
        ? undefined
        : true,
    );
    expect(
      (await cluster.client.get(secrets, { ...place, name: 'bootstrap-token-new001' })).metadata?.name,
    ).toBeDefined();
  });

  test('a quota tells what is used', async () => {
    await cluster.client.create(namespaces, { metadata: { name: 'rationed' } }, {});
    await cluster.client.create(
      resourceQuotas,
      { metadata: { name: 'q' }, spec: { hard: { configmaps: '5', pods: '2' } } },
      { namespace: 'rationed' },
    );
    const used = (count: string) =>
      eventually(async () => {
        const { status } = await cluster.client.get(resourceQuotas, { namespace: 'rationed', name: 'q' });
        return status?.used?.['configmaps'] === count ? status : undefined;
      });
    expect((await used('1')).hard).toEqual({ configmaps: '5', pods: '2' });
    await cluster.client.create(configMaps, { metadata: { name: 'mine' } }, { namespace: 'rationed' });
    await used('2');
    await cluster.client.delete(configMaps, { namespace: 'rationed', name: 'mine' });
    await used('1');
  });

  test('a quota counts any kind that it names, itself too', async () => {
    const where = { namespace: 'counted' };
    await cluster.client.create(namespaces, { metadata: { name: 'counted' } }, {});
    const hard = { resourcequotas: '5', 'count/deployments.apps': '5', 'count/leases.coordination.k8s.io': '5' };
    await cluster.client.create(resourceQuotas, { metadata: { name: 'q' }, spec: { hard } }, where);
    await cluster.client.create(leases, { metadata: { name: 'l' } }, where);
    const used = await eventually(async () => {
      const { status } = await cluster.client.get(resourceQuotas, { ...where, name: 'q' });
      return status?.used?.['count/leases.coordination.k8s.io'] === '1' ? status.used : undefined;
    });
    expect(used).toEqual({
      resourcequotas: '1',
      'count/deployments.apps': '0',
      'count/leases.coordination.k8s.io': '1',
    });
  });

  test('the node is ready, without taints, and renews its lease', async () => {
    const node = await cluster.client.get(nodes, { name: 'touchstone-node' });
    expect(node.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    await eventually(async () =>
      (await cluster.client.get(nodes, { name: 'touchstone-node' })).spec?.taints ? undefined : true,
    );
  });

  test('a deleted pod has its grace', async () => {
    const metadata = { name: 'graceful', annotations: { 'touchstone.example/stop-for': '300ms' } };
    await cluster.client.create(
      pods,
      { metadata, spec: { containers: [{ name: 'main', image: 'b' }] } },
      { namespace },
    );
    await eventually(async () =>
      (await cluster.client.get(pods, { namespace, name: 'graceful' })).status?.phase === 'Running' ? true : undefined,
    );
    const began = Date.now();
    await cluster.client.delete(pods, { namespace, name: 'graceful' });
    await cluster.gone(pods, 'graceful');
    expect(Date.now() - began).toBeGreaterThanOrEqual(300);
  });
});
