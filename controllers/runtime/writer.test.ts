import nock from 'nock';
import { expect, test } from 'vitest';
import { Cache } from './informer/cache.ts';
import { clientFor, host, path, place, playServer, setUp, status } from './played-server.fixture.ts';
import { type ConfigMap, configMaps } from './resources.ts';
import { Writer } from './writer.ts';

playServer();

const managed = (uid: string) => [{ apiVersion: 'v1', kind: 'Pod', name: 'owner', uid, controller: true }];
const map: ConfigMap = { metadata: { ...place, ownerReferences: managed('mine') } };
const stored = (owner: string) => ({ metadata: { ...map.metadata, uid: 'u', ownerReferences: managed(owner) } });

const writer = async () => {
  const cache = new Cache<ConfigMap>();
  return { cache, write: new Writer(await clientFor(setUp().clock), configMaps, cache) };
};

test.each([500, 504])('a create that is answered by %i may have been done: its name tells', async (code) => {
  const { cache, write } = await writer();
  nock(host).post(path).reply(code, status(code, 'InternalError'));
  nock(host).get(`${path}/a`).reply(200, stored('mine'));
  expect((await write.create(map)).metadata?.uid).toBe('u');
  expect(cache.find('ns/a')?.metadata?.uid).toBe('u');
});

test('a create that failed and was not done fails', async () => {
  const { cache, write } = await writer();
  nock(host).post(path).reply(500, status(500, 'InternalError'));
  nock(host).get(`${path}/a`).reply(404, status(404, 'NotFound'));
  await expect(write.create(map)).rejects.toMatchObject({ code: 500 });
  expect(cache.size).toBe(0);
});

test('what somebody else has made by that name is not taken for it', async () => {
  const { cache, write } = await writer();
  nock(host).post(path).reply(500, status(500, 'InternalError'));
  nock(host).get(`${path}/a`).reply(200, stored('another'));
  await expect(write.create(map)).rejects.toMatchObject({ code: 500 });
  expect(cache.size).toBe(0);
});

test('a create that was refused is not looked for', async () => {
  const { write } = await writer();
  nock(host).post(path).reply(403, status(403, 'Forbidden'));
  await expect(write.create(map)).rejects.toMatchObject({ code: 403 });
});
