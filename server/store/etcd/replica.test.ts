import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { CompactedError, type StoreEvent } from '../store.ts';
import { type EtcdClient, OtherEtcdError, type WatchListener } from './etcd-client.ts';
import type { KeyValue, WatchResponse } from './messages.ts';
import { plainLayout } from './plain-layout.fixture.ts';
import { Replica } from './replica.ts';
import { anyForm, type StoredForms } from './value-format.ts';

const bytesOf = (name: string) => Buffer.from(`{"kind":"Thing","apiVersion":"v1","metadata":{"name":"${name}"}}\n`);

const kvOf = (name: string, modRevision: number, value = bytesOf(name)): KeyValue =>
  ({ key: Buffer.from(`/r/things/${name}`), value, modRevision }) as KeyValue;

/** A replica of an etcd that tells only what it is told to tell. */
async function replicaOf(kvs: readonly KeyValue[] = [], revision = 5, forms: StoredForms = anyForm) {
  let state = { kvs, header: { revision }, more: false };
  let listener: WatchListener | undefined;
  let from = 0;
  /** Whoever reads all there is waits for this. */
  let reading: Promise<unknown> = Promise.resolve();
  const client = {
    range: async () => {
      const answer = state;
      await reading;
      return answer;
    },
    watch(startRevision: number, _previous: boolean, heard: WatchListener) {
      [listener, from] = [heard, startRevision];
      return () => {};
    },
  } as unknown as EtcdClient;
  const timers = new ManualTimers();
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const parts = { client, layout: plainLayout('/r'), forms, timers, report };
  const replica = await Replica.open(parts);
  const events: string[] = [];
  replica.versions.watch({
    prefix: '/things/',
    after: revision,
    sink: ({ key, revision: at, current }: StoreEvent) => void events.push(`${current ? '+' : '-'}${key} ${at}`),
    lost: undefined,
  });
  const tell = (...told: readonly (readonly [name: string, revision: number])[]) =>
    listener?.response({
      events: told.map(([name, at]) => ({ type: 0, kv: kvOf(name, at) })),
    } as unknown as WatchResponse);
  return {
    ...{ replica, events, tell, reported },
    names: () => replica.versions.list('/things/').items.map(({ key }) => key.slice('/things/'.length)),
    watchedFrom: () => from,
    isThere: async (at: number) => {
      let there = false;
      void replica.reached(at).then(() => {
        there = true;
      });
      await settled();
      return there;
    },
    /** From now on it says this when it is asked. */
    says(at: number) {
      state = { ...state, header: { revision: at } };
    },
    beginsToTell: (at: number) =>
      listener?.response({ created: true, header: { revision: at } } as unknown as WatchResponse),
    /** Once time to do so has come. */
    async watchesAgain() {
      timers.advance(100);
      await settled();
    },
    /** No more is told. */
    ends: (error: Error) => listener?.end(error),
    /** What was forgotten is read anew: this, once `until` is over. */
    forget(now: readonly KeyValue[], at: number, until: Promise<unknown>) {
      state = { kvs: now, header: { revision: at }, more: false };
      reading = until;
      listener?.end(new CompactedError(at));
    },
  };
}

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

test('a value that cannot be read keeps nobody from going on when all is read anew', async () => {
  const { replica, events, names, forget, isThere } = await replicaOf([kvOf('old', 3)]);
  forget([kvOf('broken', 6, Buffer.from('{"kind":')), kvOf('new', 7)], 7, Promise.resolve());
  expect(await isThere(7)).toBe(true);
  expect(names()).toEqual(['new']);
  expect(events).toEqual(['-/things/old 7', '+/things/new 7']);
  expect(() => replica.get('/things/broken'), 'it is not gone').toThrow('/things/broken cannot be read: it is no JSON');
  expect(replica.get('/things/old')).toBeUndefined();
});

describe('an etcd that went back to an older state', () => {
  const wentBack = 'etcd went back from revision 7 to 6';

  it('is not read from what was known of it', async () => {
    const { replica, tell, says } = await replicaOf();
    tell(['a', 7]);
    says(7);
    await replica.newest();
    says(6);
    await expect(replica.newest()).rejects.toThrow(wentBack);
    says(8);
    await expect(replica.newest(), 'whatever it says later').rejects.toThrow(wentBack);
    expect(() => replica.complete).toThrow(wentBack);
  });

  it('is watched by nobody any more: who did is told, and who comes is refused', async () => {
    const { replica, tell, says } = await replicaOf();
    tell(['a', 7]);
    const lost: Error[] = [];
    const follow = () =>
      replica.versions.watch({ prefix: '/things/', after: 7, sink: () => {}, lost: (error) => void lost.push(error) });
    follow();
    says(6);
    await expect(replica.newest()).rejects.toThrow(wentBack);
    expect(lost).toEqual([new CompactedError(7)]);
    expect(follow).toThrow(wentBack);
  });

  describe('and was written to since, so that its revision says nothing', () => {
    const otherStory = 'etcd tells of other changes than the ones that are known';
    const broken = new Error('the connection is broken');

    it.each<[string, readonly (readonly [string, number])[]]>([
      [
        'another key under the revision that is known',
        [
          ['b', 7],
          ['c', 9],
        ],
      ],
      ['nothing under it', [['c', 9]]],
    ])('is noticed by %s', async (_, told) => {
      const { replica, tell, ends, beginsToTell, watchesAgain, reported, events } = await replicaOf();
      tell(['a', 7]);
      ends(broken);
      await watchesAgain();
      beginsToTell(9);
      tell(...told);
      await settled();
      expect(reported.map(String)).toEqual([expect.stringContaining(otherStory)]);
      expect(() => replica.versions).toThrow(otherStory);
      expect(events, 'none of it is told on').toEqual(['+/things/a 7']);
    });

    it('is noticed by another value of the key that was written last', async () => {
      const { replica, tell, ends, watchesAgain } = await replicaOf();
      replica.wrote('/things/a', 6, bytesOf('as it was written here'));
      ends(broken);
      await watchesAgain();
      tell(['a', 6]);
      await settled();
      expect(() => replica.versions).toThrow(otherStory);
    });

    it('is noticed in place of a removal, of which a watch tells that begins before it', async () => {
      const { replica, tell, ends, watchesAgain, watchedFrom } = await replicaOf();
      tell(['a', 6]);
      replica.wrote('/things/a', 7, undefined);
      ends(broken);
      await watchesAgain();
      expect(watchedFrom()).toBe(6);
      tell(['a', 6], ['b', 7], ['c', 8]);
      await settled();
      expect(() => replica.versions).toThrow(otherStory);
    });

    it('cannot be told from one that gave up all before a removal, which is followed from there', async () => {
      const { replica, tell, ends, watchesAgain, watchedFrom, names, reported } = await replicaOf();
      tell(['a', 6]);
      replica.wrote('/things/a', 7, undefined);
      ends(broken);
      await watchesAgain();
      ends(new CompactedError(6));
      expect(watchedFrom()).toBe(7);
      tell(['c', 8]);
      expect(names()).toEqual(['c']);
      expect(reported).toEqual([]);
    });

    it.each([
      ['an older version of an object', kvOf('a', 6)],
      ['another object under the same revision', kvOf('a', 7, bytesOf('another'))],
    ])('is noticed by %s, when all is read anew', async (_, now) => {
      const { replica, tell, forget, reported } = await replicaOf();
      tell(['a', 7]);
      forget([now], 12, Promise.resolve());
      await settled();
      expect(() => replica.versions).toThrow(otherStory);
      expect(reported.map(String)).toEqual([expect.stringContaining(otherStory)]);
    });

    it('is not what an etcd looks like that goes on where it was, or that was read anew', async () => {
      const { replica, tell, ends, watchesAgain, forget, names, reported } = await replicaOf();
      tell(['other', 7], ['a', 7]);
      ends(broken);
      await watchesAgain();
      tell(['other', 7], ['a', 7], ['b', 8]);
      replica.wrote('/things/b', 9, undefined);
      ends(broken);
      await watchesAgain();
      ends(new CompactedError(8));
      tell(['c', 10]);
      forget([kvOf('d', 12)], 12, Promise.resolve());
      await settled();
      tell(['d', 12], ['e', 13]);
      expect(names()).toEqual(['d', 'e']);
      expect(reported).toEqual([]);
    });
  });

  it('is as one that is another etcd altogether', async () => {
    const { replica, ends, reported } = await replicaOf();
    ends(new OtherEtcdError('another etcd'));
    expect(() => replica.versions).toThrow('another etcd');
    expect(reported).toHaveLength(1);
  });

  it('is noticed when it is watched anew, and is not taken for a member that lags behind', async () => {
    const { tell, says, beginsToTell, reported } = await replicaOf();
    tell(['a', 7]);
    says(7);
    beginsToTell(6);
    await settled();
    expect(reported).toEqual([]);
    says(6);
    beginsToTell(6);
    await settled();
    expect(reported.map(String)).toEqual([expect.stringContaining(wentBack)]);
  });
});
