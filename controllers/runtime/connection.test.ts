import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('a kubeconfig under another name does not mean the one that kubectl finds', async () => {
  const mistyped: object = { kubeconfig: '{}' };
  await expect(connect(mistyped)).rejects.toMatchObject({
    name: 'TypeError',
    message: 'there is no option "kubeconfig"',
  });
});
