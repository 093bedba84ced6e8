import nock from 'nock';
import { expect, test } from 'vitest';
import { ApiError, isConflict, isNotFound } from './api-error.ts';
import { clientFor, host, path, place, playServer, setUp, status } from './played-server.fixture.ts';
import { configMaps } from './resources.ts';

playServer();

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

test.each([
  ['takes fields of others, unless told otherwise', {}, true],
  ['leaves fields of others where it is told to', { force: false }, false],
])('what is applied %s', async (_, options, force) => {
  const client = await clientFor(setUp().clock);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ns', name: 'a' }, data: { k: 'v' } };
  nock(host, { reqheaders: { 'content-type': 'application/apply-patch+yaml' } })
    .patch(`${path}/a`, object)
    .query({ fieldManager: 'mine', force })
    .reply(200, object);
  expect(await client.apply(configMaps, object, 'mine', options)).toEqual(object);
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
