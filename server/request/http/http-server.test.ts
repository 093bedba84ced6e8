import { connect } from 'node:http2';
import { setImmediate } from 'node:timers';
import { Agent, request } from 'undici';
import { expect, it } from 'vitest';
import { generated } from '../../certificates/serving-certificate.ts';
import type { Incoming } from '../exchange.ts';
import { listen } from './http-server.ts';
import type { RequestListener } from './request-listener.ts';

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

it('takes no further requests on a connection of HTTP/2 after one that is to be the last, and answers that', async () => {
  const { certificate, key } = generated(['127.0.0.1']);
  const versions: string[] = [];
  let last = false;
  const server = await listen({
    address: '127.0.0.1',
    port: 0,
    tls: { cert: certificate, key },
    isLast: () => last,
    listener(incoming, outgoing) {
      versions.push(incoming.httpVersion);
      // Later than the goodbye.
      setImmediate(() => outgoing.end('whole'));
    },
  });
  const client = connect(`https://127.0.0.1:${server.port}`, { ca: certificate });
  const closed = new Promise<void>((over) => client.once('close', over));
  const ask = async () => {
    let text = '';
    for await (const part of client.request({ ':path': '/' })) text += part;
    return text;
  };
  expect(await ask()).toBe('whole');
  last = true;
  expect(await Promise.all([ask(), ask()])).toEqual(['whole', 'whole']);
  await closed;
  const overHttp1 = await fetchOverHttp1(server.port, certificate);
  expect(overHttp1.body).toBe('whole');
  expect(overHttp1.connection).not.toBe('close');
  expect(new Set(versions)).toEqual(new Set(['2.0', '1.1']));
  server.destroy();
});

it('takes hundreds of headers over HTTP/2 as well: who acts for somebody in many groups sends one for each', async () => {
  const { certificate, key } = generated(['127.0.0.1']);
  const groups = Array.from({ length: 300 }, (_, index) => `team-${index}`);
  let seen: string | string[] | undefined;
  const tls = { cert: certificate, key };
  const listener: RequestListener = ({ headers }, outgoing) => {
    seen = headers['impersonate-group'];
    outgoing.end('heard');
  };
  const server = await listen({ address: '127.0.0.1', port: 0, tls, listener });
  const client = connect(`https://127.0.0.1:${server.port}`, { ca: certificate });
  let text = '';
  for await (const part of client.request({ ':path': '/', 'impersonate-group': groups })) text += part;
  expect(text).toBe('heard');
  expect(String(seen).split(/, ?/)).toEqual(groups);
  client.destroy();
  server.destroy();
});

it('takes more than a thousand headers over HTTP/1.1', async () => {
  const { certificate, key } = generated(['127.0.0.1']);
  const groups = Array.from({ length: 1200 }, (_, index) => `team-${index}`);
  const tls = { cert: certificate, key };
  const listener: RequestListener = ({ rawHeaders }, outgoing) => outgoing.end(rawHeaders.at(-1) ?? '');
  const server = await listen({ address: '127.0.0.1', port: 0, tls, listener });
  const sent = groups.flatMap((group) => ['impersonate-group', group]);
  expect((await fetchOverHttp1(server.port, certificate, sent)).body).toBe('team-1199');
  server.destroy();
});

async function fetchOverHttp1(port: number, ca: string, sent: string[] = []) {
  const agent = new Agent({ allowH2: false, connect: { ca } });
  const { body, headers } = await request(`https://127.0.0.1:${port}`, { dispatcher: agent, headers: sent });
  const answer = { body: await body.text(), connection: headers['connection'] };
  await agent.close();
  return answer;
}
