import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { Ending } from './exchange.ts';

/** Sends half a body over HTTP/2, loses the connection, and reads the body `before` or after that. */
async function readHalf(before: boolean): Promise<Buffer> {
  let arrived = (_parts: [Http2ServerRequest, Http2ServerResponse]) => {};
  const request = new Promise<[Http2ServerRequest, Http2ServerResponse]>((resolve) => {
    arrived = resolve;
  });
  const server = createServer({}, (...parts) => arrived(parts));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on('error', () => {});
  const stream = client.request({ ':method': 'POST', ':path': '/' });
  stream.on('error', () => {});
  stream.write('metadata:\n  name: half\n');
  const [incoming, outgoing] = await request;
  const exchange = { incoming, outgoing, ending: new Ending(outgoing) } as unknown as Exchange;
  const read = async () => readBody(exchange);
  const early = before ? read() : undefined;
  early?.catch(() => {});
  const closed = new Promise((resolve) => outgoing.stream.once('close', resolve));
  client.destroy();
  await closed;
  server.close();
  return early ?? read();
}

it.each([
  ['while it is read', true],
  ['before it is read', false],
])('a body that is lost on the way %s is not taken for a whole one', async (_, before) => {
  await expect(readHalf(before)).rejects.toMatchObject({ status: { code: 400 } });
});
