import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemTimers } from '../../base/time/timers.ts';
import { EtcdClient } from './etcd-client.ts';
import { rangeResponse, watchResponse } from './messages.ts';

type Answer = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void;

const headers = { ':status': 200, 'content-type': 'application/grpc' };

/** A member of an etcd that answers watches like this, transactions as it refuses them, and all else with its header alone. */
async function member(answer: Answer, clusterId = 1, port = 0, refuse?: Answer) {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  const head = framed(rangeResponse.encode({ header: { clusterId, revision: 7 } } as never));
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, asked) => {
    if (asked[':path']?.endsWith('Watch')) return answer(stream, asked);
    if (refuse && asked[':path']?.endsWith('Txn')) return refuse(stream, asked);
    stream.respond(headers, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(head);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const session of sessions) session.destroy();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** It hears nothing of the others any more, and says so to those who have asked for that. */
const cutOff: Answer = (stream, asked) => {
  if (asked['hasleader'] !== 'true') return;
  const trailers = { 'grpc-status': '14', 'grpc-message': 'etcdserver: no leader' };
  stream.respond({ ...headers, ...trailers }, { endStream: true });
};

const telling: Answer = (stream) => {
  stream.respond(headers);
  stream.write(framed(watchResponse.encode({ header: { revision: 7 } } as never)));
};

function framed(message: Buffer): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  return frame;
}

const clientOf = (members: readonly { readonly url: string }[], credentials = () => ({})) =>
  new EtcdClient({
    servers: members.map(({ url }) => url),
    credentials,
    timers: systemTimers,
    now: () => performance.now(),
  });

test('a watch does not stay with a member that is cut off from the others', async () => {
  const members = [await member(cutOff), await member(telling)];
  const client = clientOf(members);
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

test('nothing is asked of another etcd than the one that was met first', async () => {
  const members = [await member(telling, 1), await member(telling, 2)];
  const client = clientOf(members);
  const ask = async () => (await client.range({ key: Buffer.from('k') })).header?.clusterId;
  expect(await ask()).toBe(1);
  members[0]?.close();
  const waiting = ask();
  const { port } = new URL(members[0]?.url ?? '');
  const back = await member(telling, 1, Number(port));
  expect(await waiting, 'once it is back').toBe(1);
  back.close();
  const other = await member(telling, 3, Number(port));
  await expect(ask()).rejects.toThrow('is another etcd than the one of before: this server has to be started anew');
  client.close();
  for (const each of [members[1], other]) each?.close();
});

const refusing =
  (code: number, message: string): Answer =>
  (stream) =>
    stream.respond({ ...headers, 'grpc-status': String(code), 'grpc-message': message }, { endStream: true });

test.each([
  [14, 'etcdserver: rpc not supported for learner', 'carried out'],
  [2, 'raft proposal dropped', 'carried out'],
  [14, 'etcdserver: request timed out', 'etcd did not answer: etcdserver: request timed out'],
  [
    7,
    'etcdserver: permission denied',
    'etcd: etcdserver: permission denied: its user needs the role root, or one that may read and write all below the prefix',
  ],
])('after %i %s what must not be done twice is %s', async (code, message, becomes) => {
  const members = [await member(telling, 1, 0, refusing(code, message)), await member(telling)];
  const client = clientOf(members);
  const asked = client.txn({ compare: [], success: [], failure: [] }, 'if never sent');
  const outcome = asked.then(({ repeated }) => (repeated ? 'repeated' : 'carried out'));
  expect(await outcome.catch((error: Error) => error.message)).toBe(becomes);
  client.close();
  for (const each of members) each.close();
});

test('credentials are asked for at each connection, and again where they cannot be read', async () => {
  const only = await member(telling);
  let asked = 0;
  const credentials = () => {
    if (asked++ === 0) throw new Error('half written');
    return {};
  };
  const client = clientOf([only], credentials);
  expect((await client.range({ key: Buffer.from('k') })).header?.revision).toBe(7);
  expect(asked).toBe(2);
  client.close();
  only.close();
});
