import nock from 'nock';
import { expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { clientFor, host, path, playServer, setUp, status } from '../played-server.fixture.ts';
import { configMaps } from '../resources.ts';
import { Informer } from './informer.ts';

playServer();

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

test('a watch that ends at once is begun again later each time, and anew once one has told something or has lasted', async () => {
  const world = informerOfMaps();
  const { pass } = await world;
  const watch = (body: string | (() => string)) => nock(host).get(path).query(watchAfter('5')).reply(200, body);
  nock(host).get(path).query(listing).reply(200, list('5'));
  watch('');
  watch('');
  watch(line('ADDED', 'b', 5));
  watch(() => {
    pass(1_000);
    return '';
  });
  watch(line('ADDED', 'end', 6));
  expect((await follow('end', world)).waits.slice(0, 4)).toEqual([50, 100, 50]);
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
