import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Ending } from './exchange.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server of plain HTTP/2 that hands over what comes. */
async function serve(listener: (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => void): Promise<string> {
  const server = createServer({}, listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends one request, and does something once it has arrived. @returns when the server knows that it is over */
async function over(
  method: string,
  act: (parts: { client: ReturnType<typeof connect>; stream: { close(): void }; socket: Socket }) => void,
) {
  let arrived = (_outgoing: Http2ServerResponse) => {};
  const outgoing = new Promise<Http2ServerResponse>((resolve) => {
    arrived = resolve;
  });
  const url = await serve((_incoming, response) => arrived(response));
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1');
  const client = connect(url, { createConnection: () => socket });
  client.on('error', () => {});
  const stream = client.request({ ':method': method, ':path': '/' });
  stream.on('error', () => {});
  const ending = new Ending(await outgoing);
  expect(ending.isOver).toBe(false);
  act({ client, stream, socket });
  await new Promise<void>((resolve) => ending.whenOver(resolve));
  expect(ending.isOver).toBe(true);
  client.destroy();
  return { ending, outgoing: await outgoing };
}

describe('an exchange over HTTP/2 is over', () => {
  it.each(['GET', 'HEAD', 'POST'])('when the client resets its stream (%s)', async (method) => {
    await over(method, ({ stream }) => stream.close());
  });

  it.each(['GET', 'HEAD', 'POST'])('when its session is destroyed (%s)', async (method) => {
    await over(method, ({ client }) => client.destroy());
  });

  it.each(['GET', 'HEAD', 'POST'])('when its socket breaks, of which no frame tells (%s)', async (method) => {
    await over(method, ({ socket }) => socket.resetAndDestroy());
  });

  it.each(['GET', 'HEAD', 'POST'])('when its socket ends without a word (%s)', async (method) => {
    await over(method, ({ socket }) => socket.destroy());
  });

  it('at once for who asks later', async () => {
    const { ending, outgoing } = await over('GET', ({ client }) => client.destroy());
    await new Promise<void>((resolve) => ending.whenOver(resolve));
    const late = new Ending(outgoing);
    await new Promise<void>((resolve) => late.whenOver(resolve));
  });

  it('and says so once', async () => {
    let times = 0;
    const url = await serve((_incoming, outgoing) => {
      new Ending(outgoing).whenOver(() => times++);
      outgoing.end('done');
    });
    const client = connect(url);
    for (let n = 0; n < 20; n++)
      await new Promise((resolve) => client.request({ ':path': '/' }).resume().once('close', resolve));
    client.close();
    await expect.poll(() => times).toBe(20);
  });
});
