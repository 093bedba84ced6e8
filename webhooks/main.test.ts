import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { startTestServer, type TestServer } from '../server/stories/test-server.fixture.ts';
import { configurations, install } from './install.ts';
import { begin, checkFiles, flags, settingsFrom, usage } from './main.ts';
import { policies } from './policies/index.ts';
import { selfSigned } from './self-signed.ts';
import { serve, type WebhookServer } from './serve.ts';

it('a terminal that is closed ends the command in good order', async () => {
  const command = join(import.meta.dirname, '..', 'touchstone.ts');
  const child = spawn(process.execPath, [command, 'webhooks', '--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGHUP');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

describe('the command line', () => {
  it('has defaults', () => {
    expect(settingsFrom([])).toMatchObject({ port: 8443, address: '127.0.0.1', install: false, policies });
  });

  it('takes every flag', () => {
    const args =
      '--port 0 --bind-address :: --policy immutable-label --install --kubeconfig k --service ns/name --ca-file c';
    expect(settingsFrom(args.split(' '))).toMatchObject({
      port: 0,
      address: '::',
      policies: [{ name: 'immutable-label' }],
      service: { namespace: 'ns', name: 'name', port: 443 },
      kubeconfig: 'k',
      caFile: 'c',
    });
    expect(settingsFrom(['--url=https://hooks.example/']).url).toBe('https://hooks.example');
  });

  it.each([
    ['--port=x'],
    ['--port=65536'],
    ['--nonsense'],
    ['stray'],
    ['--tls-cert-file=a'],
    ['--url=http://plain'],
    ['--url=https://a', '--service=a/b'],
    ['--service=a'],
    ['--policy=nobody'],
    ['--logging-format=xml'],
  ])('refuses %s %s', (...args) => expect(() => settingsFrom(args.filter(Boolean))).toThrow());

  it.each(['kubeconfig', 'ca-file'])('refuses a folder or nothing at all as --%s', (flag) => {
    const check = (file: string) => () => checkFiles(settingsFrom([`--${flag}=${file}`]));
    const here = import.meta.dirname;
    expect(check(here)).toThrow(`--${flag}: ${here} cannot be read (it is a folder)`);
    expect(check(`${here}/none`)).toThrow(`--${flag}: there is no ${here}/none`);
    expect(check(import.meta.filename)).not.toThrow();
  });

  it.each([
    ['--logging-format=jsn', 'json'],
    ['--polciy=x', '--policy'],
    [`--policy=${policies[0]?.name}x`, policies[0]?.name],
  ])('tells whoever says %s what was meant', (arg, right) => {
    expect(() => settingsFrom([arg])).toThrow(`(did you mean ${right}?)`);
  });

  it('tells of every flag, and so does the guide', () => {
    const guide = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
    for (const { name } of flags) expect(usage()).toContain(`--${name}`);
    for (const { name } of policies) expect(guide).toContain(name);
  });
});

const labels = { 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/version': '1', 'example.com/owner': 'me' };
const deployment = (replicas: number, metadata: object = { labels }) => ({
  metadata: { name: 'web', ...metadata },
  spec: {
    replicas,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

const deployments = '/apis/apps/v1/namespaces/default/deployments';

describe('installed into a server', () => {
  const folder = temporaryFolder();
  let api: TestServer;
  let webhooks: WebhookServer;
  const pods = '/api/v1/namespaces/default/pods';

  beforeAll(async () => {
    api = await startTestServer();
    const keyPair = await selfSigned(['127.0.0.1']);
    webhooks = await serve({ policies, address: '127.0.0.1', port: 0, keyPair, report() {} });
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, api.kubeconfig);
    const objects = configurations(policies, { at: `https://127.0.0.1:${webhooks.port}`, authority: keyPair.cert });
    await install({ file: kubeconfig }, objects);
    await install({ text: api.kubeconfig }, objects);
    await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  });
  afterAll(async () => {
    await webhooks.stop();
    await api.stop();
  });

  it('the policies refuse', async () => {
    expect(await api.post(deployments, deployment(1, {}))).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('missing labels') },
    });
    expect(await api.post(deployments, deployment(21))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('at most 20 replicas') },
    });
    const securityContext = { privileged: true };
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', securityContext }] } };
    expect(await api.post(pods, pod)).toMatchObject({ status: 403 });
  });

  it('the policies warn', async () => {
    const { headers, status } = await api.post(
      `${deployments}?dryRun=All`,
      deployment(1, { labels: { 'app.kubernetes.io/name': 'web' } }),
    );
    expect(status).toBe(201);
    expect(String(headers['warning'])).toContain('label app.kubernetes.io/version is recommended');
  });

  it('the policies fill in', async () => {
    const { body } = await api.post(pods, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect(body.spec.containers[0].resources).toEqual({ requests: { cpu: '100m', memory: '128Mi' } });
  });

  it('the policies refuse what comes by way of a scale too', async () => {
    expect((await api.post(deployments, deployment(1, { labels, name: 'scaled' }))).status).toBe(201);
    const scale = (replicas: number) =>
      api.patch(`${deployments}/scaled/scale`, { spec: { replicas } }, 'application/merge-patch+json');
    expect(await scale(21)).toMatchObject({ status: 403 });
    expect(await scale(20)).toMatchObject({ status: 200 });
  });

  it('the policies keep what may not change', async () => {
    expect((await api.post(deployments, deployment(1))).status).toBe(201);
    const change = (owner: string | null) =>
      api.patch(
        `${deployments}/web`,
        { metadata: { labels: { 'example.com/owner': owner } } },
        'application/merge-patch+json',
      );
    expect((await change('you')).status).toBe(422);
    expect((await change(null)).status).toBe(422);
    expect((await change('me')).status).toBe(200);
  });

  it('the policies keep what may not change by way of a status too', async () => {
    const pod = { metadata: { name: 'kept', labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await api.post(pods, pod)).status).toBe(201);
    const change = (body: object) => api.patch(`${pods}/kept/status`, body, 'application/merge-patch+json');
    expect((await change({ metadata: { labels: { 'example.com/owner': 'you' } } })).status).toBe(422);
    expect((await change({ metadata: { labels: { 'example.com/owner': null } } })).status).toBe(422);
    expect((await change({ status: { message: 'fine' } })).status).toBe(200);
  });
});

it('policies that listen at every address are called at one, and their certificate is for it', async () => {
  const api = await startTestServer();
  onTestFinished(() => api.stop());
  const kubeconfig = join(temporaryFolder(onTestFinished), 'kubeconfig');
  writeFileSync(kubeconfig, api.kubeconfig);
  const settings = settingsFrom(['--bind-address=0.0.0.0', '--port=0', `--kubeconfig=${kubeconfig}`]);
  const { server, upkeep } = await begin(settings, () => {});
  onTestFinished(() => upkeep.stop());
  onTestFinished(() => server.stop());
  await upkeep.start();
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/touchstone-webhooks';
  const { url } = (await api.get(path)).body.webhooks[0].clientConfig;
  expect(url).toBe(`https://127.0.0.1:${server.port}/policies/required-labels`);
  expect((await api.post(deployments, deployment(21))).body.message).toContain('at most 20 replicas');
});

it.each([
  ['a Service', '--service=ns/hooks', 'DNS:hooks.ns.svc'],
  ['a URL', '--url=https://hooks.example:8443/', 'DNS:hooks.example'],
  ['an address', '--url=https://[fd00::1]:8443/', 'IP Address:FD00:0:0:0:0:0:0:1'],
])('the certificate that is made is for %s by which the policies are reached', async (_, flag, name) => {
  const { server, upkeep } = await begin(settingsFrom([flag, '--port=0']), () => {});
  onTestFinished(() => upkeep.stop());
  onTestFinished(() => server.stop());
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  expect(socket.getPeerX509Certificate()?.subjectAltName?.split(', ')).toContain(name);
  socket.destroy();
});

describe('a server whose policies have a certificate that is renewed', () => {
  const folder = temporaryFolder();
  const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), ca: join(folder, 'ca.crt') };
  const renew = async () => {
    const { cert, key } = await selfSigned(['127.0.0.1']);
    for (const [file, text] of [
      [files.cert, cert],
      [files.key, key],
      [files.ca, cert],
    ] as const)
      writeFileSync(file, text);
  };

  it.each([
    ['the certificate vouches for itself', []],
    ['a file vouches for it', [`--ca-file=${files.ca}`]],
  ])('still asks them where %s', async (_, more) => {
    await renew();
    const api = await startTestServer();
    onTestFinished(() => api.stop());
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, api.kubeconfig);
    const served = [`--tls-cert-file=${files.cert}`, `--tls-private-key-file=${files.key}`, '--port=0'];
    const reported: unknown[] = [];
    const { server, upkeep, reload } = await begin(
      settingsFrom([...served, `--kubeconfig=${kubeconfig}`, ...more]),
      (error) => reported.push(error),
    );
    onTestFinished(() => server.stop());
    onTestFinished(() => upkeep.stop());
    await upkeep.start();
    await renew();
    reload?.look();
    await upkeep.look();
    const answer = await api.post(deployments, deployment(21));
    expect(answer.body.message).toContain('at most 20 replicas');
    expect(reported).toEqual([]);
  });
});
