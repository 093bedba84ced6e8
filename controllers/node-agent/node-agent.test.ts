import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as connectTcp, createServer } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Attach, CoreV1Api, Exec, KubeConfig, Log, PortForward, type V1Status } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type RunningServer, startServer } from '../../server/start.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { spdyClient } from './streaming/spdy-client.fixture.ts';

let server: RunningServer;
let config: KubeConfig;
let api: CoreV1Api;
const namespace = 'default';
beforeAll(async () => {
  server = await startServer({ controllers: ['*'] });
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  api = config.makeApiClient(CoreV1Api);
  const annotations = {
    log: 'one\ntwo',
    'exec-says': 'said\n',
    'exec-exit-code.sad': '3',
    'answer.8080': 'an answer',
    files: '{"/etc/motd":"be well"}',
  };
  await runs('p', annotations, ['c', 'sad']);
  const spec = { selector: { app: 'p' }, ports: [{ port: 80, targetPort: 8080 }] };
  await api.createNamespacedService({ namespace, body: { metadata: { name: 's' }, spec } });
});
afterAll(() => server.stop());

async function runs(name: string, settings: Record<string, string>, containers = ['c']): Promise<void> {
  const entries = Object.entries(settings).map(([key, value]) => [`touchstone.example/${key}`, value]);
  const metadata = { name, labels: { app: name }, annotations: Object.fromEntries(entries) };
  const spec = { containers: containers.map((each) => ({ name: each, image: 'i' })) };
  await eventually(() => api.readNamespacedServiceAccount({ namespace, name: 'default' }).catch(() => undefined));
  await api.createNamespacedPod({ namespace, body: { metadata, spec } });
  await eventually(async () => {
    const { status } = await api.readNamespacedPod({ namespace, name });
    return status?.phase === 'Running' || undefined;
  });
}

/** A request as an administrator, over HTTP/1.1. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  https.request(`${server.url}${path}`, {
    method,
    ca: server.certificateAuthority,
    headers: { authorization: `Bearer ${server.adminToken}`, ...headers },
  });

async function get(path: string): Promise<{ readonly code: number; readonly body: string }> {
  const request = ask(path).end();
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      resolve({ code: response.statusCode ?? 0, body: await text(response) });
    });
  });
}

const pods = `/api/v1/namespaces/${namespace}/pods`;

describe('a log', () => {
  test('is what the annotation says', async () => {
    expect(await get(`${pods}/p/log?container=c&tailLines=1`)).toEqual({ code: 200, body: 'two\n' });
    expect(await api.readNamespacedPodLog({ namespace, name: 'p', container: 'c' })).toBe('one\ntwo\n');
  });

  test('that is followed ends with its container', async () => {
    await runs('short', { 'run-for': '500ms', log: 'brief', 'exit-code': '0' });
    const out = new PassThrough();
    await new Log(config).log(namespace, 'short', 'c', out, { follow: true });
    await eventually(async () => out.readableLength > 0 || undefined);
    await api.deleteNamespacedPod({ namespace, name: 'short' });
    expect(await text(out)).toBe('brief\n');
  });

  test.each([
    ['container=x', 400],
    ['container=c&tailLines=x', 400],
    ['container=c&previous=true', 400],
  ])('asked for with %s is refused', async (query, code) => {
    const { body } = await get(`${pods}/p/log?${query}`);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code });
  });
});

describe('a command', () => {
  const exec = async (container: string, command: string[], stdin: PassThrough | null = null) => {
    const [stdout, ended] = [new PassThrough(), Promise.withResolvers<V1Status>()];
    await new Exec(config).exec(namespace, 'p', container, command, stdout, null, stdin, false, ended.resolve);
    const status = await ended.promise;
    return { status, out: await text(stdout.end()) };
  };

  test('over a WebSocket tells its output and that it went well', async () => {
    expect(await exec('c', ['ls'])).toMatchObject({ out: 'said\n', status: { status: 'Success' } });
  });

  test('tells its exit code', async () => {
    const { status } = await exec('sad', ['false']);
    expect(status).toMatchObject({ status: 'Failure', reason: 'NonZeroExitCode' });
    expect(status.details?.causes).toEqual([{ reason: 'ExitCode', message: '3' }]);
  });

  test('copies a file that the pod is said to have', async () => {
    const { out } = await exec('c', ['tar', 'cf', '-', '/etc/motd']);
    expect(execFileSync('tar', ['xOf', '-'], { input: out }).toString()).toBe('be well');
  });

  test('over SPDY has a stream for each of its own', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
    const path = `${pods}/p/exec?container=sad&command=x&stdin=true&stdout=true`;
    const request = ask(path, upgrade, 'POST').end();
    const [wire, chosen] = await new Promise<[Duplex, unknown]>((resolve, reject) => {
      request.on('upgrade', (response, socket) => resolve([socket, response.headers['x-stream-protocol-version']]));
      request.on('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)));
    });
    expect(chosen).toBe('v4.channel.k8s.io');
    const client = spdyClient(wire);
    const error = await client.open({ streamType: 'error' });
    const stdin = await client.open({ streamType: 'stdin' });
    const stdout = await client.open({ streamType: 'stdout' });
    client.send(stdin, 'in', true);
    expect(await client.allOf(stdout)).toBe('said\n');
    expect(JSON.parse(await client.allOf(error))).toMatchObject({ reason: 'NonZeroExitCode' });
    wire.destroy();
  });

  test('in a terminal ends by itself, and a shell when somebody leaves it', async () => {
    const inTerminal = async (command: string, typed: string) => {
      const ended = Promise.withResolvers<V1Status>();
      const stdin = new PassThrough();
      await new Exec(config).exec(namespace, 'p', 'c', command, new PassThrough(), null, stdin, true, ended.resolve);
      stdin.write(typed);
      return ended.promise;
    };
    expect(await inTerminal('ls', 'never mind')).toMatchObject({ status: 'Success' });
    expect(await inTerminal('sh', '\u0004')).toMatchObject({ status: 'Success' });
  });

  test('ends by itself where a client has no means to end its input', async () => {
    const url = `${server.url.replace('https', 'wss')}${pods}/p/exec?container=c&command=ls&stdin=true&stdout=true`;
    const headers = { authorization: `Bearer ${server.adminToken}` };
    const socket = new WebSocket(url, 'v4.channel.k8s.io', { ca: server.certificateAuthority, headers });
    await once(socket, 'close');
  });

  test.each([
    ['without an upgrade', {}, 400],
    ['over SPDY in a way that nobody knows', { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v9' }, 403],
  ])('%s is refused', async (_title, headers, code) => {
    const upgrade = 'upgrade' in headers ? { connection: 'Upgrade' } : {};
    const request = ask(`${pods}/p/exec?container=c&command=x&stdout=true`, { ...upgrade, ...headers }, 'POST').end();
    expect(await new Promise((resolve) => request.on('response', ({ statusCode }) => resolve(statusCode)))).toBe(code);
  });

  test('needs the right to create pods/exec', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', authorization: 'Bearer nobody' };
    const request = ask(`${pods}/p/exec?container=c&command=x&stdout=true`, headers, 'POST').end();
    expect(await new Promise((resolve) => request.on('response', ({ statusCode }) => resolve(statusCode)))).toBe(401);
  });
});

test('who attaches sees what the container writes', async () => {
  const stdout = new PassThrough();
  const socket = await new Attach(config).attach(namespace, 'p', 'c', stdout, null, null, false);
  await eventually(async () => stdout.readableLength > 0 || undefined);
  socket.close();
  expect(String(stdout.read())).toBe('one\ntwo\n');
});

test('who attaches a terminal leaves it by Ctrl-C', async () => {
  const stdin = new PassThrough();
  const socket = await new Attach(config).attach(namespace, 'p', 'c', new PassThrough(), null, stdin, true);
  stdin.write('\u0003');
  await new Promise((resolve) => socket.on('close', resolve));
});

test('a command runs in a container that is added to look at the pod', async () => {
  await runs('looked-at', { 'exec-says': 'said\n' });
  const body = [{ op: 'add', path: '/spec/ephemeralContainers', value: [{ name: 'debugger', image: 'i' }] }];
  await api.patchNamespacedPodEphemeralcontainers({ namespace, name: 'looked-at', body });
  await eventually(async () => {
    const { status } = await api.readNamespacedPod({ namespace, name: 'looked-at' });
    return status?.ephemeralContainerStatuses?.[0]?.state?.running;
  });
  const [stdout, ended] = [new PassThrough(), Promise.withResolvers<V1Status>()];
  await new Exec(config).exec(namespace, 'looked-at', 'debugger', 'ls', stdout, null, null, false, ended.resolve);
  expect(await ended.promise).toMatchObject({ status: 'Success' });
});

test('a forwarded port leads to the pod', async () => {
  const forward = new PortForward(config);
  const local = createServer((socket) => void forward.portForward(namespace, 'p', [8080], socket, null, socket));
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  const socket = connectTcp((local.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: p\r\nconnection: close\r\n\r\n');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await eventually(async () => answer.includes('an answer') || undefined);
  socket.destroy();
  local.close();
});

describe('a proxy', () => {
  test.each([
    ['to a pod', `${pods}/p:8080/proxy/`],
    ['to a service', `/api/v1/namespaces/${namespace}/services/s/proxy/`],
    ['to a service by its port', `/api/v1/namespaces/${namespace}/services/http:s:80/proxy/any/path?x=1`],
  ])('%s passes the answer on', async (_title, path) => {
    await eventually(async () => ((await get(path)).code === 200 ? true : undefined));
    expect(await get(path)).toEqual({ code: 200, body: 'an answer' });
  });

  test('to a closed port is told', async () => {
    const { code, body } = await get(`${pods}/p:81/proxy/`);
    expect(code).toBe(503);
    expect(JSON.parse(body).message).toMatch(/^error trying to reach service: .*port 81/);
  });

  test('to a node asks its agent', async () => {
    const node = '/api/v1/nodes/touchstone-node/proxy';
    expect(await get(`${node}/healthz`)).toEqual({ code: 200, body: 'ok' });
    expect(JSON.parse((await get(`${node}/pods`)).body)).toMatchObject({ kind: 'PodList' });
    expect((await get(`${node}/nothing`)).code).toBe(404);
    expect((await get(`${node}/%zz`)).code).toBe(400);
    expect(JSON.parse((await get(`${node}/stats%2Fsummary`)).body)).toMatchObject({
      node: { nodeName: 'touchstone-node' },
    });
  });

  test('never leads to this machine because a pod says so', async () => {
    const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] };
    await api.createNamespacedPod({ namespace, body: { metadata: { name: 'sly' }, spec } });
    const body = [{ op: 'replace', path: '/status', value: { phase: 'Running', podIP: '127.0.0.1' } }];
    await api.patchNamespacedPodStatus({ namespace, name: 'sly', body });
    expect((await get(`${pods}/sly:${new URL(server.url).port}/proxy/`)).code).toBe(400);
  });
});

test('the agent answers nobody but its server', async () => {
  const { status } = await api.readNode({ name: 'touchstone-node' });
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port;
  const request = https.request(`https://127.0.0.1:${port}/pods`, { rejectUnauthorized: false }).end();
  expect(await new Promise((resolve) => request.on('response', ({ statusCode }) => resolve(statusCode)))).toBe(401);
});
