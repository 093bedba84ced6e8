import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemTimers } from '../../base/timers.ts';
import { EtcdClient } from './etcd-client.ts';
import { watchResponse } from './messages.ts';

type Answer = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void;

/** A member of an etcd that answers watches like this. */
async function member(answer: Answer) {
  const server = createServer();
  server.on('stream', answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** It hears nothing of the others any more, and says so to those who have asked for that. */
const cutOff: Answer = (stream, headers) => {
  if (headers['hasleader'] !== 'true') return;
  const trailers = { 'grpc-status': '14', 'grpc-message': 'etcdserver: no leader' };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...trailers }, { endStream: true });
};

const telling: Answer = (stream) => {
  const message = watchResponse.encode({ header: { revision: 7 } } as never);
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
  stream.write(frame);
};

test('a watch does not stay with a member that is cut off from the others', async () => {
  const members = [await member(cutOff), await member(telling)];
  const servers = members.map(({ url }) => url);
  const client = new EtcdClient({ servers, credentials: {}, timers: systemTimers, now: () => performance.now() });
  const watched = () =>
    new Promise<string>((resolve) => {
      client.watch(1, false, {
        response: ({ header }) => resolve(`at ${header?.revision}`),
        end: ({ message }) => resolve(message),
      });
    });
  expect(await watched()).toBe('etcdserver: no leader');
  expect(await watched()).toBe('at 7');
  client.close();
  for (const each of members) each.close();
});
