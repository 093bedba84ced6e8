import { NetworkingV1Api } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../free-port.ts';
import { namespace, type ProcessNode, startProcessNode } from '../node-agent/process/process-node.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { raw } from './gateway.fixture.ts';

const [ingressHttpPort, port] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${ingressHttpPort}`;
const script = `require('http').createServer((request, response) => response.end('you asked ' + request.url))
  .on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\nhello'))
  .listen(${port}, '127.0.0.1')`;

let node: ProcessNode;
const pod = { name: 'web', namespace };

/** A pod behind a Service behind an Ingress, as on any cluster. */
beforeAll(async () => {
  node = await startProcessNode({ controllers: ['*', 'ingress'], ingressHttpPort, ingressHttpsPort: 0 });
  const metadata = { name: 'web', labels: { app: 'web' } };
  const container = { name: 'c', image: 'node', args: ['-e', script] };
  const probed = { ...container, readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } };
  await node.api.createNamespacedPod({ namespace, body: { metadata, spec: { containers: [probed] } } });
  const service = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: port }] };
  await node.api.createNamespacedService({ namespace, body: { metadata, spec: service } });
  const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
  await node.config
    .makeApiClient(NetworkingV1Api)
    .createNamespacedIngress({ namespace, body: { metadata, spec: { defaultBackend } } });
  await eventually(async () => {
    const { subsets } = await node.api.readNamespacedEndpoints(pod);
    return subsets?.[0]?.addresses?.length;
  });
});
afterAll(() => node.server.stop());

test('pods of a node beside the controller are reached, whose addresses lead nowhere from here', async () => {
  const answer = await fetch(`${url}/path?x=1`);
  expect([answer.status, await answer.text()]).toEqual([200, 'you asked /path?x=1']);
});

test('so are those that leave HTTP', async () => {
  const asked = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
  expect(await raw(ingressHttpPort, asked)).toMatch(/^HTTP\/1.1 101 .*hello$/s);
});

test('one that has gone is told as such', async () => {
  await node.api.deleteNamespacedPod({ ...pod, gracePeriodSeconds: 0 });
  await eventually(async () => ((await fetch(url)).status === 503 ? true : undefined));
});
