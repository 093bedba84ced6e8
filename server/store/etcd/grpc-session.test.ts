import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../free-port.ts';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { GrpcSession } from './grpc-session.ts';

const parts = ['an ', 'answer ', 'that ', 'comes ', 'slowly'];

/** Resolves once the other side has what was written before. */
const heard = (stream: ServerHttp2Stream) =>
  new Promise<void>((resolve) => stream.session?.ping(() => resolve()) ?? resolve());

describe('an answer that comes in parts, four seconds after one another', () => {
  let server: Http2Server;
  let timers: ManualTimers;
  beforeAll(async () => {
    server = createServer();
    server.on('stream', async (stream) => {
      const passing = timers;
      stream.on('error', () => {});
      const text = Buffer.from(parts.join(''));
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.write(Buffer.from([0, 0, 0, 0, text.length]));
      for (const part of parts) {
        await heard(stream);
        passing.advance(4000);
        stream.write(part);
      }
      stream.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it.each([
    ['is whole', 'if it may be silent for so long', 5000, 60_000, 'an answer that comes slowly'],
    ['is late', 'if it is silent for longer than it may be', 3000, 60_000, 'no answer within 3000 ms'],
    ['is late', 'if it takes too long in all', 5000, 15_000, 'no answer within 15000 ms'],
    ['is late', 'if it has to be there at once', 5000, 5000, 'no answer within 5000 ms'],
  ])('%s %s', async (_, _when, silence, whole, outcome) => {
    timers = new ManualTimers();
    const { port } = server.address() as AddressInfo;
    const session = new GrpcSession(`http://127.0.0.1:${port}`, {}, timers, () => {});
    await session.ready;
    const answered = session.call('/pages', Buffer.alloc(0), { silence, whole }).then(String, ({ message }) => message);
    expect(await answered).toBe(outcome);
    session.close();
  });
});

describe('a session', () => {
  let server: Http2Server;
  let met: PromiseWithResolvers<ServerHttp2Session>;
  beforeAll(async () => {
    server = createServer();
    server.on('session', (session) => met.resolve(session));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  async function opened() {
    met = Promise.withResolvers();
    const timers = new ManualTimers();
    const ended = Promise.withResolvers<void>();
    const { port } = server.address() as AddressInfo;
    const session = new GrpcSession(`http://127.0.0.1:${port}`, {}, timers, ended.resolve);
    await session.ready;
    return { session, timers, ended: ended.promise, other: await met.promise };
  }

  it('has room for what others tell of at a time: 4 MiB of one stream, 16 MiB of all', async () => {
    const { session, other } = await opened();
    await expect.poll(() => other.remoteSettings.initialWindowSize).toBe(4 * 1024 * 1024);
    await expect.poll(() => other.state.remoteWindowSize).toBe(16 * 1024 * 1024);
    session.close();
  });

  it('goes on as long as it is given a sign of life every five seconds, and ends without one', async () => {
    const { timers, ended, other } = await opened();
    for (let signs = 0; signs < 3; signs++) {
      const asked = once(other, 'ping');
      timers.advance(5000);
      await asked;
      // What is left is the next one to be asked for.
      await expect.poll(() => timers.waiting).toBe(1);
    }
    // It has no time to answer.
    timers.advance(5000);
    timers.advance(5000);
    await ended;
    other.destroy();
  });
});

it('is told why there is no connection', async () => {
  const timers = new ManualTimers();
  const ended = Promise.withResolvers<void>();
  const address = `127.0.0.1:${await freePort()}`;
  const session = new GrpcSession(`http://${address}`, {}, timers, ended.resolve);
  await expect(session.ready).rejects.toThrow(`http://${address}: connect ECONNREFUSED ${address}`);
  await ended.promise;
  expect(timers.waiting).toBe(0);
});

it('waits five seconds for a connection', async () => {
  const silent = createPlainServer((socket) => socket.on('error', () => {}));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const timers = new ManualTimers();
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const session = new GrpcSession(url, {}, timers, () => silent.close());
  await once(silent, 'connection');
  timers.advance(4999);
  expect(timers.waiting).toBe(1);
  timers.advance(1);
  await expect(session.ready).rejects.toThrow(`${url}: no connection within 5000 ms`);
});
