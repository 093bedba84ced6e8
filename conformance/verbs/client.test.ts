import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts';
import type { Target } from '../target/target.ts';
import type { Client } from './client.ts';
import { type Exchange, RuleOver } from './exchange.ts';
import { makeClient } from './wire/http-client.ts';
import { queryText } from './wire/outgoing.ts';

let fake: FakeServer;
const agent = new Agent({ connections: 1 });
const exchanges: Exchange[] = [];

afterEach(async () => {
  exchanges.length = 0;
  await fake.stop();
});

async function clientOf(
  parts: Partial<Target> = {},
  headers = {},
  whim?: Parameters<typeof startFakeServer>[0],
): Promise<Client> {
  fake = await startFakeServer(whim);
  return makeClient({
    target: { url: fake.url, ...parts },
    agents: { own: agent, anonymous: agent },
    userAgent: 'test',
    headers,
    record: (one) => exchanges.push(one),
    limit: 300,
  });
}

test('a request is noted with its answer', async () => {
  const { send } = await clientOf({ token: 'T' });
  const answer = await send('POST', '/api/v1/things', {
    body: { metadata: { name: 'a' } },
    query: { pretty: true, limit: undefined },
  });
  expect(answer.status).toBe(201);
  expect(answer.body.metadata.name).toBe('a');
  expect(exchanges).toHaveLength(1);
  expect(exchanges[0]).toMatchObject({
    method: 'POST',
    url: `${fake.url}/api/v1/things?pretty=true`,
    status: 201,
    requestBody: '{"metadata":{"name":"a"}}',
  });
});

test('credentials and the user to act as go with every request, unless none are wanted', async () => {
  const { send } = await clientOf({ token: 'T' }, { 'impersonate-user': 'jane' });
  await send('GET', '/a');
  await send('GET', '/b', { credentials: false });
  expect(fake.headersSeen[0]).toMatchObject({ authorization: 'Bearer T', 'impersonate-user': 'jane' });
  expect(fake.headersSeen[1]).not.toHaveProperty('authorization');
  expect(fake.headersSeen[1]).not.toHaveProperty('impersonate-user');
});

test('name and password are sent as basic authentication', async () => {
  const { send } = await clientOf({ username: 'me', password: 'pw' });
  await send('GET', '/a');
  expect(fake.headersSeen[0]?.authorization).toBe(`Basic ${Buffer.from('me:pw').toString('base64')}`);
});

test('what is no JSON has no body, but its text', async () => {
  const { send } = await clientOf({}, {}, (_, response) => Boolean(response.end('ok')));
  const answer = await send('GET', '/healthz');
  expect(answer.body).toBeUndefined();
  expect(answer.text).toBe('ok');
});

test('a message tells an answer by what it says, not by its bytes', async () => {
  const { send } = await clientOf({}, {}, ({ path }, response) =>
    Boolean(response.end(path === '/json' ? '{"token":"T"}' : 'ok')),
  );
  expect(JSON.stringify(await send('GET', '/json'))).toMatch(
    /^\{"status":200,"body":\{"token":"T"\},"headers":\{.*\}\}$/,
  );
  expect(JSON.stringify([await send('GET', '/text')])).toMatch(/^\[\{"status":200,"body":"ok","headers":/);
});

test('a header that comes twice has two values', async () => {
  const { send } = await clientOf({}, {}, (_, response) =>
    Boolean(response.setHeader('warning', ['one', 'two']).end()),
  );
  const answer = await send('GET', '/');
  expect(answer.all('Warning')).toEqual(['one', 'two']);
  expect(answer.all('retry-after')).toEqual([]);
});

test('what says how to delete does not cost a connection', async () => {
  const { send } = await clientOf();
  let opened = 0;
  const note = (): void => {
    opened += 1;
  };
  agent.on('connect', note);
  for (let round = 0; round < 5; round++) await send('DELETE', '/api/v1/things/a', { body: { kind: 'DeleteOptions' } });
  agent.off('connect', note);
  expect(opened).toBe(1);
});

const turnsAway =
  (times: number, type: string): NonNullable<Parameters<typeof startFakeServer>[0]> =>
  (_, response) =>
    times-- > 0 && Boolean(response.writeHead(429, { 'content-type': type, 'retry-after': '0' }).end('{}'));

test('a server that is at its limits is asked again, though not for ever', async () => {
  const { send } = await clientOf({}, {}, turnsAway(2, 'text/plain; charset=utf-8'));
  expect((await send('POST', '/api/v1/things', { body: { metadata: { name: 'a' } } })).status).toBe(201);
  expect(exchanges.map(({ status }) => status)).toEqual([429, 429, 201]);
  await fake.stop();
  const other = await clientOf({}, {}, turnsAway(9, 'text/plain'));
  expect((await other.send('GET', '/api/v1/things')).status).toBe(429);
});

test('a read of what is not there for now is asked again, whatever the form of the answer', async () => {
  const { send } = await clientOf({}, {}, turnsAway(2, 'application/json'));
  expect((await send('GET', '/api/v1/things?watch=1')).status).toBe(200);
  expect(exchanges.map(({ status }) => status)).toEqual([429, 429, 200]);
});

test('what the API refuses for now is an answer', async () => {
  const { send } = await clientOf({}, {}, turnsAway(1, 'application/json'));
  expect((await send('POST', '/api/v1/namespaces/a/pods/b/eviction', { body: {} })).status).toBe(429);
});

test('a server that says nothing is a breach of time', async () => {
  const { send } = await clientOf({}, {}, () => true);
  await expect(send('GET', '/', { limit: 20 })).rejects.toMatchObject({ kind: 'timeout' });
  expect(exchanges[0]?.failure).toContain('20 ms');
});

test('a request that waits for a connection is given up in time, and is not sent later', async () => {
  const held: (() => void)[] = [];
  const { send } = await clientOf({}, {}, ({ path }, response) =>
    path === '/held' ? held.push(() => response.end()) > 0 : false,
  );
  const before = send('GET', '/held', { limit: 5_000 });
  const began = performance.now();
  await expect(send('POST', '/late', { limit: 30 })).rejects.toMatchObject({ kind: 'timeout' });
  expect(performance.now() - began).toBeLessThan(2_500);
  for (const release of held) release();
  expect((await before).status).toBe(200);
  await send('GET', '/after');
  expect(fake.requests.map((one) => JSON.stringify(one)).filter((one) => one.includes('late'))).toEqual([]);
});

test.each([
  ['because its rule is over', new RuleOver(), true],
  ['by who sent it', undefined, undefined],
])('a request that is given up %s tells how long it waited', async (_, reason, isCut) => {
  const { send } = await clientOf({}, {}, () => true);
  const over = new AbortController();
  setTimeout(() => over.abort(reason), 20);
  await expect(send('GET', '/', { limit: 10_000, signal: over.signal })).rejects.toMatchObject({ kind: 'timeout' });
  expect(exchanges[0]?.isCut).toBe(isCut);
  expect(exchanges[0]?.failure).toBe(`no answer within ${exchanges[0]?.milliseconds} ms`);
  expect(exchanges[0]?.milliseconds).toBeLessThan(10_000);
});

test('a server that is not there is a breach of connection', async () => {
  const { send } = await clientOf({ url: 'http://127.0.0.1:1' });
  await expect(send('GET', '/')).rejects.toMatchObject({ kind: 'connection' });
  expect(exchanges[0]?.failure).toBeTypeOf('string');
});

test.each([
  [undefined, ''],
  ['', ''],
  ['watch&x=1', '?watch&x=1'],
  [{}, ''],
  [{ a: 'b c', d: undefined, e: 0 }, '?a=b+c&e=0'],
])('the query %j is written %j', (query, text) => {
  expect(queryText(query)).toBe(text);
});
