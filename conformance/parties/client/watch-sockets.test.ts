import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import { makeAuthority, makePair } from '../../lab/certificates.ts';
import type { Exchange } from '../../verbs/exchange.ts';
import type { Stream } from './replies.ts';
import { type Answering, startScriptedServer } from './scripted-server.ts';

async function serving(answering: Answering) {
  const own = await makeAuthority('sockets');
  const keyPair = await makePair({ name: 'CN=server', usage: 'server' }, own);
  const exchanges: Exchange[] = [];
  const server = await startScriptedServer({ keyPair, answering, exchanges });
  onTestFinished(() => server.stop());
  const client = new WebSocket(`${server.url}/watched?watch=true`, { ca: own.certificate });
  return { server, client, exchanges };
}

it('sends each event of a watch as a message, however it was written, and says when it ends', async () => {
  const opened = Promise.withResolvers<Stream>();
  const { server, client, exchanges } = await serving(() => ({ open: opened.resolve }));
  const messages: RawData[] = [];
  client.on('message', (message) => messages.push(message));
  const stream = await opened.promise;
  const closed = once(client, 'close');
  const bytes = Buffer.from('{"ü":1}\n{"b":2}\n{"half":');
  stream.write(bytes.subarray(0, 3));
  stream.write(bytes.subarray(3));
  stream.end();
  expect((await closed)[0]).toBe(1000);
  expect(messages.map(String)).toEqual(['{"ü":1}', '{"b":2}']);
  expect(server.seen[0]).toMatchObject({ method: 'GET', path: '/watched', protocol: '1.1' });
  expect(exchanges[0]).toMatchObject({ status: 101, answerBody: expect.stringContaining('{"half":') });
});

it('refuses with the status and the headers that a plain request would get', async () => {
  const headers = { 'retry-after': '2' };
  const { client, exchanges } = await serving(() => ({ status: 429, headers, body: 'no' }));
  const [, answer] = await once(client, 'unexpected-response');
  expect(answer.statusCode).toBe(429);
  expect(answer.headers).toMatchObject({ 'retry-after': '2', 'content-length': '2' });
  expect(exchanges[0]).toMatchObject({ status: 429, answerBody: 'no' });
  answer.resume();
});

it('hears when a client goes', async () => {
  const gone = Promise.withResolvers<void>();
  const { client } = await serving(() => ({ open: (stream) => stream.onClose(gone.resolve) }));
  await once(client, 'open');
  client.close();
  await gone.promise;
});
