import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { KubeObject } from '../runtime/kube-object.ts';
import { configMaps } from '../runtime/resources.ts';
import { namespace, startCluster } from '../testing/cluster.fixture.ts';
import { define, make, makeUnreadable } from './custom-kinds.fixture.ts';

/** Takes connections and never says a word. */
async function startSilence() {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const { port } = server.address() as { port: number };
  return { url: `https://127.0.0.1:${port}/`, asked: once(server, 'connection'), end };
}

test('while a kind takes its time to be listed, only owners that may have more dependents wait', async () => {
  const cluster = await startCluster();
  const silence = await startSilence();
  onTestFinished(async () => {
    silence.end();
    await cluster.stop();
  });
  const { client } = cluster;
  const create = (name: string, owner?: KubeObject) => {
    const { name: ownerName = '', uid = '' } = owner?.metadata ?? {};
    const ownerReferences = owner ? [{ apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid }] : [];
    return client.create(configMaps, { metadata: { name, ownerReferences } }, { namespace });
  };
  const kites = await define(client, 'kites', 'Kite');
  await make(client, kites, { name: 'red' });
  await create('child', await create('owner'));
  await create('left', await create('leaver'));
  await makeUnreadable(client, kites, silence.url);
  await silence.asked;
  const began = Date.now();
  await client.delete(configMaps, { namespace, name: 'leaver' }, { propagationPolicy: 'Orphan' });
  await client.delete(configMaps, { namespace, name: 'owner' });
  await cluster.gone(configMaps, 'child');
  expect(Date.now() - began).toBeLessThan(5_000);
  const leaver = await client.get(configMaps, { namespace, name: 'leaver' });
  expect(leaver.metadata?.finalizers).toEqual(['orphan']);
});
