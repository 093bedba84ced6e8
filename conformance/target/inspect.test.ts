import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import { makeAuthority, makePair } from '../lab/certificates.ts';
import type { Answer, Send } from '../verbs/client.ts';
import { startHttps } from './https-target.fixture.ts';
import { asking, inspect, roundTripOf, TargetFault } from './inspect.ts';
import type { Target } from './target.ts';

let fake: FakeServer | undefined;
let stop: (() => Promise<void>) | undefined;

afterEach(async () => {
  await fake?.stop();
  await stop?.();
  fake = undefined;
  stop = undefined;
});

const look = (target: Target): Promise<string> => asking(target, (send) => inspect(target, send));

const answering =
  (status: number, body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  (_: unknown, response: ServerResponse): boolean =>
    Boolean(response.writeHead(status, headers).end(body));

const forbidden = '{"message":"User \\"system:anonymous\\" cannot get path \\"/api\\""}';

test.each([
  ['refuses the credentials', 401, '{"message":"Unauthorized"}', {}, 'refuses the credentials: Unauthorized'],
  ['lets them see nothing', 403, forbidden, {}, 'those of an administrator are needed'],
  ['answers HTML', 200, '<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' }, 'answers HTML'],
  ['answers HTML under a false name', 404, '<html>nothing</html>', {}, 'answers HTML'],
  ['answers text', 200, 'hello', { 'content-type': 'text/plain' }, 'what is no JSON'],
  ['answers null', 200, 'null', undefined, 'what is no JSON object'],
  ['answers a text of JSON', 200, '"hello"', undefined, 'what is no JSON object'],
  [
    'sends everybody elsewhere',
    302,
    '{}',
    { location: 'https://login.example/' },
    'redirects to https://login.example/',
  ],
])('a server that %s is told in one sentence', async (_, status, body, headers, sentence) => {
  fake = await startFakeServer(answering(status, body, headers));
  const found = await look({ url: fake.url, token: 'T' }).catch((error: Error) => error);
  expect(found).toBeInstanceOf(TargetFault);
  expect((found as Error).message).toContain(sentence);
  expect((found as Error).message).not.toContain('\n');
});

test('a credential plugin is asked, and again when what it gave is over', async () => {
  fake = await startFakeServer(({ headers }, response) =>
    answering(headers.authorization === 'Bearer fresh' ? 200 : 401, '{"gitVersion":"v1.25.0"}')(undefined, response),
  );
  const status = '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"fresh"}}';
  const exec = { command: 'echo', args: [status], interactiveMode: 'Never' };
  const plugin = {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', ...exec },
    cluster: { server: fake.url },
    folder: '.',
  };
  expect(await look({ url: fake.url, plugin })).toBe('v1.25.0');
  expect(await look({ url: fake.url, token: 'over', plugin: { ...plugin, held: { token: 'over' } } })).toBe('v1.25.0');
});

test('what speaks plain HTTP where HTTPS is expected', async () => {
  fake = await startFakeServer();
  await expect(look({ url: fake.url.replace('http:', 'https:') })).rejects.toThrow('speaks plain HTTP there');
});

test('what speaks HTTPS with a certificate that nobody vouches for', async () => {
  const pair = await makePair({ name: 'CN=target', usage: 'server', hosts: ['127.0.0.1'] }, await makeAuthority('own'));
  const running = await startHttps(pair, answering(200, '{}'));
  stop = running.stop;
  await expect(look({ url: running.url })).rejects.toThrow('name it by --certificate-authority');
  expect(await look({ url: running.url, insecure: true })).toBe('unknown');
});

test('what is named as authority is trusted, be it the certificate of the server that another has signed', async () => {
  const authority = await makeAuthority('own');
  const pair = await makePair({ name: 'CN=target', usage: 'server', hosts: ['127.0.0.1'] }, authority);
  const running = await startHttps(pair, answering(200, '{}'));
  stop = running.stop;
  const trusting = (certificateAuthority: string) => look({ url: running.url, certificateAuthority });
  expect(await trusting(authority.certificate)).toBe('unknown');
  expect(await trusting(pair.certificate)).toBe('unknown');
  const { certificate: stranger } = await makeAuthority('stranger');
  await expect(trusting(stranger)).rejects.toThrow('of an authority that is not trusted');
  const { certificate: earlier } = await makeAuthority('own');
  await expect(trusting(earlier)).rejects.toThrow('of one of the same name');
});

test('how far away a server is tell its answers, not the wait for one that does not come', async () => {
  let asked = 0;
  const send: Send = async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, asked === 3 ? 40 : 20));
    if (asked < 3) throw new Error('no answer within 20 ms');
    return {} as Answer;
  };
  expect(await roundTripOf(send)).toBeGreaterThanOrEqual(39);
  expect(await roundTripOf(() => Promise.reject(new Error('no answer')))).toBe(0);
});

test('a place where nothing listens', async () => {
  await expect(look({ url: 'http://127.0.0.1:1' })).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1 cannot be reached: nothing/,
  );
});

test('a server that says its version, and one that lacks a part of what it should have', async () => {
  fake = await startFakeServer(({ path }, response) =>
    path === '/version' ? answering(200, '{"gitVersion":"v1.25.9"}')(path, response) : false,
  );
  expect(await look({ url: fake.url })).toBe('v1.25.9');
});

test('a server that has nothing of the core group, and a place where there is nothing at all', async () => {
  const groups = '{"kind":"APIGroupList","groups":[{"name":"widgets.example"}]}';
  let has = true;
  fake = await startFakeServer(({ path }, response) =>
    answering(has && path === '/apis' ? 200 : 404, has && path === '/apis' ? groups : '404 page not found', {
      'content-type': 'text/plain',
    })(path, response),
  );
  expect(await look({ url: fake.url })).toBe('unknown');
  has = false;
  await expect(look({ url: fake.url })).rejects.toThrow('answers 404 with what is no JSON object');
});
