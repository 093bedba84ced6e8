import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeServing } from '../../certificates/authority.ts';
import { type Connection, connect } from './connection.ts';
import { send, textOf } from './transport.ts';

const server = http.createServer({ keepAliveTimeout: 180_000 }, ({ url }, answer) => {
  if (url !== '/mute') answer.end('told');
});
let connection: Connection;
let agent: http.Agent;

beforeEach(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cluster = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const text = JSON.stringify({
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  });
  connection = await connect({ text });
  agent = (await connection.options(false)).agent as http.Agent;
});

afterEach(() => {
  connection.close();
  server.close();
});

const call = (path: string, signal = new AbortController().signal) =>
  send(connection, { method: 'GET', path, headers: {}, signal, lasting: false, silence: 60_000 });

const first = (sockets: NodeJS.ReadOnlyDict<Socket[]>) => Object.values(sockets).flat()[0];

test('a connection that rests is closed after a while, however long the server would keep it', async () => {
  await textOf((await call('/')).body);
  await expect.poll(() => first(agent.freeSockets)?.timeout).toBe(10_000);
  const resting = first(agent.freeSockets);
  resting?.emit('timeout');
  expect(resting?.destroyed).toBe(true);
});

test('one on which an answer is waited for is kept for as long as the server may be silent', async () => {
  await textOf((await call('/')).body);
  await expect.poll(() => first(agent.freeSockets)).toBeDefined();
  const ending = new AbortController();
  const mute = call('/mute', ending.signal);
  await once(server, 'request');
  expect(first(agent.sockets)?.timeout).toBe(60_000);
  ending.abort();
  await expect(mute).rejects.toThrow('aborted');
});

test('certificates are read once for all connections', async () => {
  const { certificate: cert, key } = await makeServing(['127.0.0.1'], Date.now(), 3_600_000);
  const secure = https.createServer({ cert, key }, (_, answer) => answer.write('a line of a watch\n'));
  await once(secure.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(cert).toString('base64') };
  const context = { name: 'x', context: { cluster: 'c' } };
  const text = JSON.stringify({ clusters: [{ name: 'c', cluster }], contexts: [context], 'current-context': 'x' });
  const trusting = await connect({ text });
  onTestFinished(() => {
    trusting.close();
    secure.close();
  });
  const reading = vi.spyOn(tls, 'createSecureContext');
  onTestFinished(() => reading.mockRestore());
  const { signal } = new AbortController();
  const watch = () => send(trusting, { method: 'GET', path: '/', headers: {}, signal, lasting: true, silence: 60_000 });
  const answers = await Promise.all([watch(), watch(), watch()]);
  expect(answers.map(({ code }) => code)).toEqual([200, 200, 200]);
  expect(reading).toHaveBeenCalledTimes(1);
});

test('a kubeconfig under another name does not mean the one that kubectl finds', async () => {
  const mistyped: object = { kubeconfig: '{}' };
  await expect(connect(mistyped)).rejects.toMatchObject({
    name: 'TypeError',
    message: 'there is no option "kubeconfig"',
  });
});
