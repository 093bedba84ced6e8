import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { makeRun } from './rule-run.ts';
import { askForSocket, overWebSocket } from './wire/web-socket.ts';

const agreed = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

/** A server that agrees to a WebSocket when it is told to, and its one connection. */
async function slowServer() {
  const server = createServer();
  const asked = once(server, 'upgrade') as Promise<[unknown, Duplex]>;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, stop: () => void server.close() };
}

test.each([
  ['a rule', (run: ReturnType<typeof makeRun>) => ({ ...run, end: run.cleanUp })],
  [
    'a cell',
    (run: ReturnType<typeof makeRun>) => {
      const { context, close } = run.context.fork(0, 'a cell');
      return { context, end: async () => close() };
    },
  ],
])('a watch that opens only after %s has ended is closed: nobody else would', async (_, of) => {
  const { url, asked, stop } = await slowServer();
  const agent = new Agent();
  const agents = { own: agent, anonymous: agent };
  const limits = { patience: 5_000, requestLimit: 5_000, keep: false, finalize: false };
  const run = makeRun({ ruleId: 'watch.stream.chunked', target: { url }, agents, webhookHost: '127.0.0.1', ...limits });
  const { context, end } = of(run);
  const opening = context.watch('/api/v1/secrets', {}, overWebSocket);
  const [, socket] = await asked;
  const closed = once(socket.resume(), 'end');
  await end();
  socket.write(agreed);
  expect((await opening).status).toBe(101);
  await closed;
  socket.destroy();
  stop();
  await agent.destroy();
});

test('a WebSocket that is given up before its turn comes is not opened', async () => {
  const { url, asked, stop } = await slowServer();
  void asked.then(([, socket]) => socket.end(agreed));
  const agent = new Agent();
  const request = { method: 'GET', headers: overWebSocket, signal: AbortSignal.abort(new Error('given up')) } as const;
  await expect(askForSocket(agent, url, request)).rejects.toThrow('given up');
  stop();
  await agent.destroy();
});
