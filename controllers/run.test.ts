import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { freePort } from '../free-port.ts';
import { startServer } from '../server/start.ts';
import { parseFlags } from './flags.ts';
import { runControllers } from './run.ts';
import { unlessNotFound } from './runtime/api-error.ts';
import { Client } from './runtime/client.ts';
import { formatMicroTime, systemClock } from './runtime/clock.ts';
import { connect } from './runtime/connection/connection.ts';
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

test('a leader that cannot begin leaves the lease to others', async () => {
  const files = ['--cluster-signing-cert-file=/no/ca.crt', '--cluster-signing-key-file=/no/ca.key'];
  const { kubeconfig: _, ...flags } = parseFlags(['--leader-elect-resource-name=unable', ...files]);
  const told = new AbortController().signal;
  await expect(runControllers({ ...flags, kubeconfigFile }, new TextMetrics(), told)).rejects.toThrow('/no/ca.crt');
  const lease = await lab.client.get(leases, { namespace: 'kube-system', name: 'unable' });
  expect(lease.spec?.holderIdentity ?? '').toBe('');
});

test('it does not run beside a kube-controller-manager that is at work, unless forced', async () => {
  const place = { namespace: 'kube-system', name: 'kube-controller-manager' };
  const spec = { holderIdentity: 'stock', leaseDurationSeconds: 15, renewTime: formatMicroTime(Date.now()) };
  const lease = await lab.client.create(leases, { metadata: place, spec }, { namespace: place.namespace });
  const { kubeconfig: _, ...flags } = parseFlags(['--controllers=serviceaccount', '--leader-elect=false']);
  const run = (more: object) =>
    runControllers({ ...flags, ...more, kubeconfigFile }, new TextMetrics(), AbortSignal.abort());
  await expect(run({})).rejects.toThrow('the kube-controller-manager stock is at work');
  expect(await run({ force: true })).toBe(0);
  const renewTime = formatMicroTime(Date.now() - 60_000);
  await lab.client.replace(leases, { ...lease, spec: { ...spec, renewTime } });
  expect(await run({})).toBe(0);
});

test('a process waits for a server that is away, and then says why it cannot run', async () => {
  const file = join(temporaryFolder(onTestFinished), 'config');
  writeFileSync(file, lab.kubeconfig.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${await freePort()}`));
  const command = join(import.meta.dirname, '../touchstone.ts');
  const ended = promisify(execFile)(process.execPath, [command, 'controllers', `--kubeconfig=${file}`]);
  await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
});

test('a terminal that is closed ends the command in good order: others have the lease at once', async () => {
  const command = join(import.meta.dirname, '../touchstone.ts');
  const flags = [
    `--kubeconfig=${kubeconfigFile}`,
    '--controllers=serviceaccount',
    '--leader-elect-resource-name=hung-up',
  ];
  const child = spawn(process.execPath, [command, 'controllers', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const chunk of child.stderr) if (String(chunk).includes('running serviceaccount')) break;
  child.kill('SIGHUP');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const lease = await lab.client.get(leases, { namespace: 'kube-system', name: 'hung-up' });
  expect(lease.spec?.holderIdentity ?? '').toBe('');
});

test('on a cluster that is not ours nobody pretends to be a node unless named', async () => {
  const names = async (controllers: string[]) => {
    const running = await startControllers({ kubeconfig: lab.kubeconfig, controllers });
    await running.stop();
    return running.names.filter((name) => ['node-agent', 'scheduler'].includes(name));
  };
  expect(await names(['*'])).toEqual([]);
  expect(await names(['*', 'scheduler'])).toEqual(['scheduler']);
});

test('an address that is none is a mistake', async () => {
  const { kubeconfig: _, ...flags } = parseFlags(['--metrics-bind-address=nowhere']);
  await expect(runControllers({ ...flags, kubeconfigFile }, new TextMetrics(), AbortSignal.abort())).rejects.toThrow(
    'nowhere',
  );
});

test.each([
  [{ controllers: ['nothing'] }, 'there is no controller "nothing"; there are serviceaccount, '],
  [{ clusterSigningCertFile: '/ca.crt' }, 'need each other'],
  [{ kubeconfigFile: '/does/not/exist' }, 'there is no kubeconfig /does/not/exist'],
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

describe('beside a server with a certificate of the user’s own', () => {
  const folder = temporaryFolder();
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  beforeAll(() => {
    const subject = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj'];
    openssl('req', '-x509', ...subject, '/CN=a private authority', '-keyout', 'ca.key', '-out', 'ca.crt');
    openssl('req', ...subject, '/CN=server', '-keyout', 'server.key', '-out', 'server.csr');
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    const sign = ['x509', '-req', '-in', 'server.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
    openssl(...sign, '-extfile', 'names', '-out', 'leaf.crt');
    const [leaf, authority] = ['leaf.crt', 'ca.crt'].map((file) => readFileSync(join(folder, file), 'utf8'));
    writeFileSync(join(folder, 'chain.crt'), `${leaf}${authority}`);
  });

  test.each(['leaf.crt', 'chain.crt'])('controllers trust what is served: %s', async (file) => {
    const tlsCertFile = join(folder, file);
    const tlsPrivateKeyFile = join(folder, 'server.key');
    const server = await startServer({ controllers: ['serviceaccount'], tlsCertFile, tlsPrivateKeyFile });
    const connection = await connect({ text: server.kubeconfig });
    const client = new Client({
      connection,
      clock: systemClock,
      signal: AbortSignal.timeout(10_000),
      userAgent: 'test',
    });
    await eventually(() => unlessNotFound(client.get(serviceAccounts, { namespace: 'default', name: 'default' })));
    connection.close();
    await server.stop();
  });
});
