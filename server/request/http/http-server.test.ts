import { connect } from 'node:http2';
import { expect, it } from 'vitest';
import { generated } from '../../certificates/serving-certificate.ts';
import type { Incoming } from '../exchange.ts';
import { listen } from './http-server.ts';

it('says to clients that the end is near, though a session was destroyed and has not said so', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<Incoming>();
  const { certificate, key } = generated(['127.0.0.1']);
  const tls = { cert: certificate, key };
  const server = await listen({ address: '127.0.0.1', port: 0, tls, listener: (incoming) => resolve(incoming) });
  const url = `https://127.0.0.1:${server.port}`;
  const [lost, other] = [url, url].map((each) => connect(each, { ca: certificate }).on('error', () => {}));
  const toldOf = new Promise((told) => other?.once('goaway', told));
  await new Promise((known) => other?.once('remoteSettings', known));
  lost?.request({ ':path': '/' }).on('error', () => {});
  const incoming = await arrived;
  if (!('stream' in incoming)) throw new Error('the request came over HTTP/1.1');
  incoming.stream.session?.destroy();
  server.announceEnd();
  expect(await toldOf).toBe(0);
  server.destroy();
  for (const client of [lost, other]) client?.destroy();
});
