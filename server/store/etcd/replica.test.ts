import { expect, test } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { CompactedError } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import { plainLayout } from './plain-layout.fixture.ts';
import { bytesOf, kvOf, replicaOf } from './replica.fixture.ts';
import { Replica } from './replica.ts';
import { anyForm } from './value-format.ts';

test('a write of our own is there before it is told of, and once only', async () => {
  const { replica, tell, events, names, isThere } = await replicaOf();
  replica.wrote('/things/a', 6, bytesOf('a'));
  expect(names()).toEqual(['a']);
  expect(await isThere(6)).toBe(true);
  expect(replica.versions.get('/things/a')?.value.metadata.resourceVersion).toBe('6');
  tell(['a', 6], ['b', 7]);
  expect(events).toEqual(['+/things/a 6', '+/things/b 7']);
  replica.wrote('/things/b', 7, bytesOf('b'));
  replica.wrote('/things/a', 8, undefined);
  expect(names()).toEqual(['b']);
  expect(events).toEqual(['+/things/a 6', '+/things/b 7', '-/things/a 8']);
});

test.each([
  ['anew', 3, 4],
  ['in the end in one answer', 100, 5],
])('a state that is compacted away while it is read page by page is read %s', async (_, times, asked) => {
  let [compacted, begun] = [0, 0];
  const client = {
    range: async ({ revision = 0, limit = 0 }) => {
      if (revision > 0 && revision <= compacted) throw new CompactedError(compacted);
      const isFirst = revision === 0;
      if (isFirst) begun++;
      const at = compacted + 1;
      if (compacted < times) compacted = at;
      const kvs = isFirst ? [kvOf('a', 2), ...(limit > 0 ? [] : [kvOf('b', 2)])] : [kvOf('b', 2)];
      return { kvs, header: { revision: at }, more: isFirst && limit > 0 };
    },
    watch: () => () => {},
  } as unknown as EtcdClient;
  const parts = { client, layout: plainLayout('/r'), forms: anyForm, timers: new ManualTimers(), report: () => {} };
  const replica = await Replica.open(parts);
  expect(replica.versions.list('').items.map(({ key }) => key)).toEqual(['/things/a', '/things/b']);
  expect(begun).toBe(asked);
});

test('what is told in parts is there once all of them have come', async () => {
  const { tell, tellPart, isThere, names } = await replicaOf();
  tellPart(['a', 6]);
  expect(await isThere(6)).toBe(false);
  tell(['b', 6]);
  expect(await isThere(6)).toBe(true);
  expect(names()).toEqual(['a', 'b']);
});

test('a write of our own waits for what others wrote before it', async () => {
  const { replica, tell, events, isThere } = await replicaOf();
  replica.wrote('/things/d', 9, bytesOf('d'));
  replica.wrote('/things/c', 8, bytesOf('c'));
  expect(events).toEqual([]);
  expect(await isThere(8)).toBe(false);
  tell(['a', 6]);
  expect(events).toEqual(['+/things/a 6']);
  tell(['b', 7]);
  expect(events.slice(1)).toEqual(['+/things/b 7', '+/things/c 8', '+/things/d 9']);
  expect(await isThere(9)).toBe(true);
  tell(['c', 8], ['d', 9], ['e', 10]);
  expect(events.slice(4)).toEqual(['+/things/e 10']);
});

test('a write of our own that is told of before it is answered is not read again; what others write is', async () => {
  const read: string[] = [];
  const forms = { ...anyForm, expect: (key: string) => void read.push(key) };
  const { replica, tell, names } = await replicaOf([], 5, forms);
  const over = replica.sends({ key: '/things/a', value: bytesOf('a') });
  replica.sends({ key: '/things/b', value: bytesOf('as others wrote it') });
  tell(['a', 6]);
  expect(read).toEqual([]);
  tell(['b', 7]);
  expect(read, 'it has not what was sent').toEqual(['/things/b']);
  over();
  tell(['a', 8]);
  expect(read, 'nothing is on its way any more').toEqual(['/things/b', '/things/a']);
  expect(names()).toEqual(['a', 'b']);
});

test('what a state that is read anew does not know yet is entered after it', async () => {
  const { replica, events, names, forget, isThere, watchedFrom } = await replicaOf([kvOf('old', 3)]);
  const { promise, resolve } = Promise.withResolvers<void>();
  forget([kvOf('new', 6)], 6, promise);
  replica.wrote('/things/late', 7, bytesOf('late'));
  replica.wrote('/things/new', 6, bytesOf('new'));
  expect(events, 'while it is read').toEqual([]);
  resolve();
  expect(await isThere(7)).toBe(true);
  expect(names()).toEqual(['late', 'new']);
  expect(watchedFrom()).toBe(7);
});

test('a value that cannot be read keeps nobody from beginning with the others', async () => {
  const broken = kvOf('broken', 4, Buffer.from('{"kind":'));
  const { replica, tell, events, names, reported } = await replicaOf([broken, kvOf('whole', 5)]);
  expect(reported.map(String)).toEqual([expect.stringContaining('/things/broken cannot be read: it is no JSON')]);
  expect(replica.get('/things/whole')?.revision).toBe(5);
  expect(() => replica.get('/things/broken')).toThrow('/things/broken cannot be read');
  expect(names).toThrow('/things/broken cannot be read');
  tell(['broken', 6]);
  expect(names()).toEqual(['broken', 'whole']);
  expect(events).toEqual(['+/things/broken 6']);
});

test('of very many values that cannot be read some are named', async () => {
  const { reported } = await replicaOf(Array.from({ length: 1000 }, (_, n) => kvOf(`n${n}`, 4, Buffer.from('{'))));
  expect(reported).toHaveLength(21);
  expect(String(reported.at(-1))).toBe('Error: 980 more values cannot be read');
});

test('a value that could not be read when all was begun to be read, and can be now, is there', async () => {
  let asked = 0;
  const client = {
    range: async ({ revision = 0 }) => {
      if (revision > 0) throw new CompactedError(revision);
      const kvs = asked++ === 0 ? [kvOf('a', 2, Buffer.from('{'))] : [kvOf('a', 3)];
      return { kvs, header: { revision: 3 }, more: asked === 1 };
    },
    watch: () => () => {},
  } as unknown as EtcdClient;
  const parts = { client, layout: plainLayout('/r'), forms: anyForm, timers: new ManualTimers(), report: () => {} };
  expect((await Replica.open(parts)).get('/things/a')?.revision).toBe(3);
});

test('a value that cannot be read keeps nobody from going on when all is read anew', async () => {
  const { replica, events, names, forget, isThere } = await replicaOf([kvOf('old', 3)]);
  forget([kvOf('broken', 6, Buffer.from('{"kind":')), kvOf('new', 7)], 7, Promise.resolve());
  expect(await isThere(7)).toBe(true);
  expect(replica.versions.list('').items.map(({ key }) => key)).toEqual(['/things/new']);
  expect(names, 'not all is told').toThrow('/things/broken cannot be read: it is no JSON');
  expect(events).toEqual(['-/things/old 7', '+/things/new 7']);
  expect(() => replica.get('/things/broken'), 'it is not gone').toThrow('/things/broken cannot be read: it is no JSON');
  expect(replica.get('/things/old')).toBeUndefined();
});
