import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { servePortForward } from './port-forward.ts';
import { spdyClient } from './spdy-client.fixture.ts';

test('a port that closes first ends its connection without a complaint, and no other', async () => {
  const [ours, wire] = duplexPair();
  const headers = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };
  void servePortForward(
    { request: { headers } as never as IncomingMessage, socket: ours, head: Buffer.alloc(0) },
    async () => {
      const [near, far] = duplexPair();
      far.once('data', (data: Buffer) => far.end(`heard ${data}`, () => far.destroy()));
      // As sockets are, by themselves.
      near.once('end', () => near.end());
      return near;
    },
  );
  await once(wire, 'data');
  const client = spdyClient(wire);
  for (const requestid of ['0', '1']) {
    const error = await client.open({ streamtype: 'error', port: '80', requestid });
    const data = await client.open({ streamtype: 'data', port: '80', requestid });
    client.send(error, '', true);
    client.send(data, requestid);
    expect(await client.allOf(data)).toBe(`heard ${requestid}`);
    expect(await client.allOf(error)).toBe('');
  }
});
