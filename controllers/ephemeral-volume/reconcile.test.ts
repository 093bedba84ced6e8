import { afterAll, beforeAll, expect, test } from 'vitest';
import { uidOf } from '../runtime/kube-object.ts';
import { persistentVolumeClaims, pods } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

const createPod = () => {
  const ephemeral = { volumeClaimTemplate: { metadata: { labels: { kind: 'scratch' } }, spec } };
  const volumes = [{ name: 'scratch', ephemeral }];
  return cluster.client.create(
    pods,
    { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'i' }], volumes } },
    { namespace },
  );
};
const isRunning = () =>
  eventually(async () => {
    const pod = await cluster.client.get(pods, { namespace, name: 'p' });
    return pod.status?.phase === 'Running' || undefined;
  });

test('a pod gets a claim of its own for its ephemeral volume, which goes with it', async () => {
  const pod = await createPod();
  const claim = await cluster.there(persistentVolumeClaims, 'p-scratch');
  expect(claim.metadata).toMatchObject({
    labels: { kind: 'scratch' },
    ownerReferences: [{ kind: 'Pod', name: 'p', uid: uidOf(pod), controller: true, blockOwnerDeletion: true }],
  });
  expect(claim.spec).toMatchObject(spec);
  await isRunning();
  await cluster.client.delete(pods, { namespace, name: 'p' });
  await cluster.gone(persistentVolumeClaims, 'p-scratch');
});

test('a claim that was not made for the pod is left alone, and the pod waits until it has gone', async () => {
  const metadata = { name: 'p-scratch' };
  const foreign = await cluster.client.create(persistentVolumeClaims, { metadata, spec }, { namespace });
  await createPod();
  await eventually(async () => {
    const { status } = await cluster.client.get(pods, { namespace, name: 'p' });
    return status?.conditions?.some(({ message }) => message?.includes('was not made for the pod')) || undefined;
  });
  await cluster.client.delete(persistentVolumeClaims, { namespace, ...metadata });
  await isRunning();
  const made = await cluster.client.get(persistentVolumeClaims, { namespace, ...metadata });
  expect(uidOf(made)).not.toBe(uidOf(foreign));
});
