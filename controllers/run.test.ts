import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { startServer } from '../server/start.ts';
import { parseFlags } from './flags.ts';
import { runControllers } from './run.ts';
import { unlessNotFound } from './runtime/api-error.ts';
import { Client } from './runtime/client.ts';
import { systemClock } from './runtime/clock.ts';
import { connect } from './runtime/connection.ts';
import { TextMetrics } from './runtime/metrics.ts';
import { jobs, leases, serviceAccounts } from './runtime/resources.ts';
import { startControllers } from './start.ts';
import { eventually, type Lab, startLab } from './testing/lab.fixture.ts';

let lab: Lab;
const kubeconfigFile = join(temporaryFolder(), 'config');
beforeAll(async () => {
  lab = await startLab();
  writeFileSync(kubeconfigFile, lab.kubeconfig);
});
afterAll(() => lab.stop());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('as leader it works, tells its health and numbers, and gives the lease up at the end', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const { kubeconfig: _, ...flags } = parseFlags([
    '--leader-elect',
    '--controllers=serviceaccount',
    `--metrics-bind-address=${address}`,
  ]);
  const told = new AbortController();
  const code = runControllers({ ...flags, kubeconfigFile }, new TextMetrics(), told.signal);
  const get = async (path: string) => (await fetch(`http://${address}${path}`)).text();
  await eventually(() => unlessNotFound(lab.client.get(serviceAccounts, { namespace: 'default', name: 'default' })));
  expect(await get('/readyz')).toBe('ok');
  expect(await get('/livez')).toBe('ok');
  const numbers = await get('/metrics');
  expect(numbers).toContain('reconcile_total{name="serviceaccount",result="success"}');
  expect(numbers).toContain('leader_election_master_status{name="touchstone-controllers"} 1');
  expect(await get('/else')).toBe('not found\n');
  const place = { namespace: 'kube-system', name: 'touchstone-controllers' };
  expect((await lab.client.get(leases, place)).spec?.holderIdentity).not.toBe('');
  told.abort();
  expect(await code).toBe(0);
  expect((await lab.client.get(leases, place)).spec?.holderIdentity ?? '').toBe('');
});

test('an address that is none is a mistake', async () => {
  const { kubeconfig: _, ...flags } = parseFlags(['--metrics-bind-address=nowhere']);
  await expect(runControllers({ ...flags, kubeconfigFile }, new TextMetrics(), AbortSignal.abort())).rejects.toThrow(
    'nowhere',
  );
});

test.each([
  [{ controllers: ['nothing'] }, 'there is no controller "nothing"'],
  [{ clusterSigningCertFile: '/ca.crt' }, 'need each other'],
  [{ kubeconfigFile: '/does/not/exist' }, 'ENOENT'],
])('%j is a mistake', async (options, message) => {
  const kubeconfig = 'kubeconfigFile' in options ? {} : { kubeconfig: lab.kubeconfig };
  await expect(startControllers({ ...kubeconfig, ...options })).rejects.toThrow(message);
});

test('a server starts controllers beside itself, and none it does not know', async () => {
  const server = await startServer({ controllers: ['*'] });
  const connection = await connect({ text: server.kubeconfig });
  const client = new Client({
    connection,
    clock: systemClock,
    signal: new AbortController().signal,
    userAgent: 'test',
  });
  const namespace = 'default';
  await eventually(() => unlessNotFound(client.get(serviceAccounts, { namespace, name: 'default' })));
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
  await client.create(jobs, { metadata: { name: 'j' }, spec: { template } }, { namespace });
  await eventually(async () => (await client.get(jobs, { namespace, name: 'j' })).status?.completionTime);
  connection.close();
  await server.stop();
  await expect(startServer({ controllers: ['nonsense'] })).rejects.toThrow('nonsense');
});
