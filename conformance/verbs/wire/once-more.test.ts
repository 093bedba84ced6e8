import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { connect } from './connections.ts';
import { makeClient } from './http-client.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A client of a server that breaks so many connections as soon as something comes. */
async function clientOfBroken(breaks: number) {
  let asked = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', () => {
      asked += 1;
      if (asked <= breaks) socket.resetAndDestroy();
      else socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const agent: Agent = connect(target);
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    agent.destroy();
  });
  const agents = { own: agent, anonymous: agent };
  const client = makeClient({ target, agents, userAgent: 'test', record: () => undefined, limit: 5_000 });
  return { client, asked: () => asked };
}

test('a read is asked again when the line breaks, and then answered', async () => {
  const { client, asked } = await clientOfBroken(2);
  expect((await client.send('GET', '/api')).status).toBe(200);
  expect(asked()).toBe(3);
});

test('who hangs up each time is told of', async () => {
  const { client, asked } = await clientOfBroken(9);
  await expect(client.send('GET', '/api')).rejects.toMatchObject({ kind: 'connection' });
  expect(asked()).toBe(3);
});

test('a write is sent once: it may have been done', async () => {
  const { client, asked } = await clientOfBroken(1);
  await expect(client.send('POST', '/api', { body: {} })).rejects.toMatchObject({ kind: 'connection' });
  expect(asked()).toBe(1);
});
