import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { startServer } from '../server/start.ts';
import { eventually } from './testing/lab.fixture.ts';

const namespace = 'default';

test.each([
  ['the scheduler', 'create', 'binding'],
  ['the agent of a node', 'update', 'status'],
])('%s tries again after a conflict, though no change follows that would bring the pod back', async (_, verb, part) => {
  await using server = await startServer({ controllers: ['*'], faults: true });
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  await eventually(() => api.readNamespacedServiceAccount({ namespace, name: 'default' }).catch(() => undefined));
  await server.faults.inject({ fault: 'fail', code: 409, match: { verb, resource: 'pods', subresource: part } });
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await api.createNamespacedPod({ namespace, body: { metadata: { name: 'p' }, spec } });
  await eventually(async () => {
    const { status } = await api.readNamespacedPod({ namespace, name: 'p' });
    return status?.phase === 'Running' || undefined;
  });
  expect(server.faults.waiting).toEqual([]);
});
