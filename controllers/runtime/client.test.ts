import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ApiError, isConflict, isNotFound } from './api-error.ts';
import { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { connect } from './connection.ts';
import { Informer } from './informer.ts';
import { silentLog } from './log.ts';
import { configMaps } from './resources.ts';

// Plain, because nock's pretended TLS sockets do not bear being closed early.
const host = 'http://api.example:6443';
const path = '/api/v1/namespaces/ns/configmaps';
const place = { namespace: 'ns', name: 'a' };

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

/** Time that passes when someone waits for it, and says how long they waited. */
function setUp() {
  const waits: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    after: (milliseconds, callback) => {
      waits.push(milliseconds);
      now += milliseconds;
      const handle = setImmediate(callback);
      return () => clearImmediate(handle);
    },
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { waits, clock, pass };
}

async function clientFor(clock: Clock, signal = new AbortController().signal, warned = (_: string): void => undefined) {
  const text = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: host } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  return new Client({ connection: await connect({ text }), clock, signal, warned, userAgent: 'test' });
}

const status = (code: number, reason: string) => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: `it is ${reason}`,
});

test('429 with Retry-After is waited for and tried again, also for writes', async () => {
  const { waits, clock } = setUp();
  const client = await clientFor(clock);
  nock(host).post(path).reply(429, status(429, 'TooManyRequests'), { 'Retry-After': '7' });
  nock(host)
    .post(path)
    .reply(201, { metadata: { name: 'a', uid: 'u' } });
  const created = await client.create(configMaps, { metadata: place }, { namespace: 'ns' });
  expect(created.metadata?.uid).toBe('u');
  expect(waits).toEqual([7_000]);
});

test('what the server warns of is passed on, of refusals too', async () => {
  const told: string[] = [];
  const client = await clientFor(setUp().clock, undefined, (header) => void told.push(header));
  nock(host).get(`${path}/a`).reply(200, { metadata: {} }, { Warning: '299 - "it is going"' });
  nock(host).get(`${path}/a`).reply(404, status(404, 'NotFound'), { Warning: '299 - "it is gone"' });
  await client.get(configMaps, place);
  await expect(client.get(configMaps, place)).rejects.toThrow();
  expect(told).toEqual(['299 - "it is going"', '299 - "it is gone"']);
});

test('429 without Retry-After is an answer like any other', async () => {
  const client = await clientFor(setUp().clock);
  nock(host).post(`${path}/a/eviction`).reply(429, status(429, 'TooManyRequests'));
  await expect(client.create(configMaps, {}, { ...place, part: 'eviction' })).rejects.toMatchObject({ code: 429 });
});

test('a server that stays busy is given up in the end', async () => {
  const { waits, clock } = setUp();
  const client = await clientFor(clock);
  nock(host).get(`${path}/a`).times(10).reply(429, 'busy', { 'Retry-After': '1' });
  await expect(client.get(configMaps, place)).rejects.toBeInstanceOf(ApiError);
  expect(waits).toHaveLength(4);
});

test('500 is tried again for reads and told at once for writes', async () => {
  const client = await clientFor(setUp().clock);
  nock(host).get(`${path}/a`).times(2).reply(500, status(500, 'InternalError'));
  nock(host)
    .get(`${path}/a`)
    .reply(200, { metadata: { name: 'a' } });
  expect((await client.get(configMaps, place)).metadata?.name).toBe('a');
  nock(host).put(`${path}/a`).reply(500, 'not even JSON');
  await expect(client.replace(configMaps, { metadata: place })).rejects.toThrow(
    'PUT /api/v1/namespaces/ns/configmaps/a: not even JSON',
  );
});

test('a connection that breaks is tried again for reads and told at once for writes', async () => {
  const client = await clientFor(setUp().clock);
  nock(host)
    .get(`${path}/a`)
    .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  nock(host)
    .get(`${path}/a`)
    .reply(200, { metadata: { name: 'a' } });
  expect((await client.get(configMaps, place)).metadata?.name).toBe('a');
  nock(host)
    .delete(`${path}/a`)
    .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  await expect(client.delete(configMaps, place)).rejects.toThrow('reset');
});

test('errors say what was asked and carry code and reason', async () => {
  const client = await clientFor(setUp().clock);
  nock(host).get(`${path}/a`).reply(404, status(404, 'NotFound'));
  const error = await client.get(configMaps, place).catch((each: unknown) => each);
  expect(isNotFound(error)).toBe(true);
  expect(isConflict(error)).toBe(false);
  expect(String(error)).toContain('GET /api/v1/namespaces/ns/configmaps/a: it is NotFound');
});

test('credentials and user agent go with every request', async () => {
  const client = await clientFor(setUp().clock);
  nock(host, { reqheaders: { authorization: 'Bearer secret', 'user-agent': 'test' } })
    .get(`${path}/a`)
    .reply(200, {});
  await client.get(configMaps, place);
});

const line = (type: string, name: string, version: number) =>
  `${JSON.stringify({ type, object: { metadata: { namespace: 'ns', name, uid: name, resourceVersion: String(version) } } })}\n`;

/** An informer of what nock plays, which does not run yet. */
async function informerOfMaps() {
  const { clock, ...time } = setUp();
  const ending = new AbortController();
  const client = await clientFor(clock, ending.signal);
  const selection = { namespace: 'ns' };
  const informer = new Informer({
    client,
    clock,
    log: silentLog,
    resource: configMaps,
    selection,
    signal: ending.signal,
    random: () => 0,
  });
  return { informer, ending, ...time };
}

/** Follows what nock plays until the informer has seen an object of this name. */
async function follow(until: string, world = informerOfMaps()) {
  const { informer, waits, ending } = await world;
  const told: string[] = [];
  const end = new Promise<void>((resolve) => {
    informer.cache.listen(({ type, object }) => {
      told.push(`${type} ${object.metadata?.name}`);
      if (object.metadata?.name === until) resolve();
    });
  });
  void informer.run();
  await end;
  ending.abort();
  return { told, waits, informer };
}

const list = (version: string, ...names: string[]) => ({
  metadata: { resourceVersion: version },
  items: names.map((name, index) => ({
    metadata: { namespace: 'ns', name, uid: name, resourceVersion: String(index + 1) },
  })),
});

const watchAfter = (version: string) => (query: Record<string, unknown>) =>
  query['watch'] === 'true' && query['resourceVersion'] === version;
const listing = (query: Record<string, unknown>) => query['watch'] === undefined;

test('half a line at the end of a watch is dropped, and comes whole with the next', async () => {
  nock(host).get(path).query(listing).reply(200, list('5', 'a'));
  nock(host)
    .get(path)
    .query(watchAfter('5'))
    .reply(200, line('ADDED', 'b', 6) + line('ADDED', 'c', 7).slice(0, 40));
  nock(host)
    .get(path)
    .query(watchAfter('6'))
    .reply(200, line('ADDED', 'c', 7) + line('ADDED', 'end', 8));
  expect((await follow('end')).told).toEqual(['added a', 'added b', 'added c', 'added end']);
});

test('a line that is no JSON ends the watch, and the next begins before it', async () => {
  nock(host).get(path).query(listing).reply(200, list('5'));
  nock(host)
    .get(path)
    .query(watchAfter('5'))
    .reply(200, `${line('ADDED', 'b', 6)}{"type": nonsense}\n${line('ADDED', 'c', 7)}`);
  nock(host)
    .get(path)
    .query(watchAfter('6'))
    .reply(200, line('ADDED', 'c', 7) + line('ADDED', 'end', 8));
  expect((await follow('end')).told).toEqual(['added b', 'added c', 'added end']);
});

test('a bookmark moves the place to take up the watch', async () => {
  nock(host).get(path).query(listing).reply(200, list('5'));
  nock(host)
    .get(path)
    .query(watchAfter('5'))
    .reply(200, line('BOOKMARK', '', 90));
  nock(host)
    .get(path)
    .query(watchAfter('90'))
    .reply(200, line('ADDED', 'end', 91));
  expect((await follow('end')).told).toEqual(['added end']);
});

test('after 410 the list is read again and the differences are told', async () => {
  nock(host)
    .get(path)
    .query(listing)
    .reply(200, list('5', 'stays', 'goes'));
  nock(host)
    .get(path)
    .query(watchAfter('5'))
    .reply(200, `${JSON.stringify({ type: 'ERROR', object: status(410, 'Expired') })}\n`);
  nock(host).get(path).query(listing).reply(200, list('9', 'stays'));
  nock(host)
    .get(path)
    .query(watchAfter('9'))
    .reply(200, line('ADDED', 'end', 10));
  expect((await follow('end')).told).toEqual(['added stays', 'added goes', 'deleted goes', 'added end']);
});

test('a watch refused with 410 or broken by a reset is begun again, each time after a longer wait', async () => {
  nock(host).get(path).query(listing).reply(200, list('5'));
  nock(host).get(path).query(watchAfter('5')).reply(410, status(410, 'Gone'));
  nock(host).get(path).query(listing).reply(200, list('9'));
  nock(host).get(path).query(watchAfter('9')).replyWithError('reset');
  nock(host).get(path).query(watchAfter('9')).reply(503, 'not now');
  nock(host)
    .get(path)
    .query(watchAfter('9'))
    .reply(200, line('ADDED', 'end', 10));
  const { told, waits } = await follow('end');
  expect(told).toEqual(['added end']);
  expect(waits.slice(0, 3)).toEqual([50, 100, 200]);
});

test('a first list that is refused was tried; one that a server has no time for was not', async () => {
  nock(host).get(path).query(listing).times(5).reply(503, 'not now');
  nock(host).get(path).query(listing).reply(404, status(404, 'NotFound'));
  const { informer, ending } = await informerOfMaps();
  void informer.run();
  await informer.tried;
  expect(nock.isDone()).toBe(true);
  expect(informer.isSynced).toBe(false);
  nock(host).get(path).query(listing).reply(200, list('5', 'a'));
  await informer.synced;
  ending.abort();
});

test('a watch that tells nothing in all its time may be of a version that is not known: the list is read again', async () => {
  const world = informerOfMaps();
  const { pass } = await world;
  nock(host).get(path).query(listing).reply(200, list('5', 'of before'));
  nock(host)
    .get(path)
    .query(watchAfter('5'))
    .reply(200, () => {
      pass(20_000);
      return '';
    });
  nock(host).get(path).query(listing).reply(200, list('2', 'anew'));
  nock(host)
    .get(path)
    .query(watchAfter('2'))
    .reply(200, line('ADDED', 'end', 3));
  const { told } = await follow('end', world);
  expect(told.sort()).toEqual(['added anew', 'added end', 'added of before', 'deleted of before']);
});

test('a list in pages is one list, also when a page has to be asked for twice', async () => {
  const page = (query: Record<string, unknown>) => query['continue'] === 'more';
  nock(host)
    .get(path)
    .query((query) => listing(query) && !page(query))
    .reply(200, { ...list('5', 'a'), metadata: { resourceVersion: '5', continue: 'more' } });
  nock(host).get(path).query(page).reply(500, 'oops');
  nock(host)
    .get(path)
    .query(page)
    .reply(200, list('5', 'b', 'end'));
  nock(host).get(path).query(watchAfter('5')).reply(200, '');
  expect((await follow('end')).told).toEqual(['added a', 'added b', 'added end']);
});

test('an empty list may have null for its items', async () => {
  const client = await clientFor(setUp().clock);
  nock(host)
    .get(path)
    .reply(200, { metadata: { resourceVersion: '7' }, items: null });
  expect(await client.list(configMaps, { namespace: 'ns' })).toEqual({ metadata: { resourceVersion: '7' }, items: [] });
});
