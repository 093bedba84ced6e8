import { describe, expect, it } from 'vitest';
import type { Stored } from '../store/store.ts';
import { type EventEncoder, jsonEncoder, jsonLine, shared } from './event-encoder.ts';
import { RecordingSink } from './recording-sink.fixture.ts';
import { encoder, minute, settled, WatchedStore } from './watched-store.fixture.ts';

describe('a slow reader', () => {
  it('gets everything, in order, as fast as it reads', async () => {
    const watched = new WatchedStore();
    for (let n = 0; n < 300; n++) await watched.create(`old${100 + n}`, { text: 'x'.repeat(1000) });
    const sink = new RecordingSink();
    sink.open = false;
    const { watcher } = await watched.open({ revision: undefined, sink });
    for (let n = 0; n < 300; n++) await watched.create(`new${100 + n}`, { text: 'x'.repeat(1000) });
    expect(sink.chunks).toHaveLength(1);
    expect(watcher.behind).toEqual({ changes: 300, bytes: 0 });
    sink.unread = 7;
    expect(watcher.behind.bytes).toBe(7);
    for (let n = 0; n < 50; n++) sink.drain();
    expect(watcher.behind.changes).toBe(0);
    expect(sink.texts).toEqual(
      Array.from({ length: 600 }, (_, n) => `ADDED ${n < 300 ? `old${100 + n}` : `new${n - 200}`}@${n + 2}`),
    );
    expect(Math.max(...sink.chunks.map(({ length }) => length))).toBeLessThan(70_000);
  });

  it('is cut off when too many changes wait for it, and nobody else notices', async () => {
    const watched = new WatchedStore({ events: 10 });
    const slow = await watched.open();
    const fast = await watched.open();
    slow.sink.open = false;
    for (let n = 0; n < 30; n++) await watched.create(`a${n}`);
    watched.turn();
    expect(slow.sink.outcome).toBe('aborted');
    expect(slow.ends).toEqual(['slow']);
    expect(fast.sink.texts).toHaveLength(30);
    expect(watched.fanOut.size).toBe(1);
  });

  it('is cut off when too many bytes wait for it', async () => {
    const watched = new WatchedStore({ bytes: 10_000 });
    const { sink } = await watched.open();
    sink.open = false;
    for (let n = 0; n < 3; n++) await watched.create(`a${n}`, { text: 'x'.repeat(4000) });
    watched.turn();
    expect(sink.outcome).toBe('open');
    for (let n = 3; n < 9; n++) await watched.create(`a${n}`, { text: 'x'.repeat(4000) });
    expect(sink.outcome).toBe('aborted');
  });

  it('is not cut off for what was there before it came', async () => {
    const watched = new WatchedStore({ events: 10, bytes: 1000 });
    const start = await watched.store.currentRevision();
    for (let n = 0; n < 100; n++) await watched.create(`a${n}`);
    for (const revision of [start, undefined]) {
      const { sink } = await watched.open({ revision });
      expect(sink.texts).toHaveLength(100);
    }
  });

  it('is cut off when it does not read at all', async () => {
    const watched = new WatchedStore({ stall: minute });
    const { sink, ends } = await watched.open();
    sink.open = false;
    await watched.create('a');
    watched.turn();
    watched.timers.advance(minute - 1);
    expect(sink.outcome).toBe('open');
    watched.timers.advance(1);
    expect(sink.outcome).toBe('aborted');
    expect(ends).toEqual(['slow']);
  });
});

describe('what very many watch', () => {
  const chunks = (watches: readonly { readonly sink: RecordingSink }[]) =>
    watches.map(({ sink }) => sink.chunks.length);
  const openMany = (watched: WatchedStore, count: number) =>
    Promise.all(Array.from({ length: count }, () => watched.open()));

  it.each([
    { watchers: 20, rest: 4 },
    { watchers: 400, rest: 20 },
  ])('leaves together with the changes of the next $rest ms for $watchers watchers', async ({ watchers, rest }) => {
    const watched = new WatchedStore();
    const watches = await openMany(watched, watchers);
    const all = (count: number) => Array.from({ length: watchers }, () => count);
    await watched.create('a');
    watched.turn();
    expect(chunks(watches)).toEqual(all(1));
    for (let n = 0; n < 5; n++) await watched.change('a');
    watched.timers.advance(rest - 1);
    expect(chunks(watches)).toEqual(all(1));
    watched.timers.advance(1);
    expect(chunks(watches)).toEqual(all(2));
    for (const { sink } of watches) expect(sink.events).toHaveLength(6);
    watched.timers.advance(2 * rest);
    await watched.change('a');
    watched.turn();
    expect(chunks(watches)).toEqual(all(3));
  });

  it('is written at once for few', async () => {
    const watched = new WatchedStore();
    const watches = await openMany(watched, 4);
    for (let n = 1; n <= 3; n++) {
      await watched.create(`a${n}`);
      await watched.change(`a${n}`);
      watched.turn();
      expect(chunks(watches)).toEqual([n, n, n, n]);
    }
  });
});

describe('encoding', () => {
  it('happens once for all watchers of a representation', async () => {
    const watched = new WatchedStore();
    let encoded = 0;
    const counting: EventEncoder = {
      ...encoder,
      change: shared((type, stored) => {
        encoded++;
        return encoder.change(type, stored);
      }),
    };
    const watches = await Promise.all(Array.from({ length: 20 }, () => watched.open({ encoder: counting })));
    await watched.create('a');
    await watched.change('a');
    await watched.remove('a');
    watched.turn();
    expect(encoded).toBe(3);
    for (const { sink } of watches) expect(sink.texts).toEqual(['ADDED a@2', 'MODIFIED a@3', 'DELETED a@4']);
  });

  it('may look different for the first change', async () => {
    const watched = new WatchedStore();
    await watched.create('a');
    const special: EventEncoder = {
      ...encoder,
      firstChange: (type, { value }) => jsonLine(type, { ...value, first: true }),
    };
    const { sink } = await watched.open({ encoder: special, revision: undefined });
    const { sink: silent } = await watched.open({ encoder: special });
    await watched.create('b');
    watched.turn();
    expect(sink.events.map(({ object }) => object['first'])).toEqual([true, undefined]);
    expect(silent.events.map(({ object }) => object['first'])).toEqual([true]);
  });

  it('may take its time, and the order stays', async () => {
    const watched = new WatchedStore();
    const waiting: (() => void)[] = [];
    const converting: EventEncoder = {
      ...encoder,
      change: (type, stored) =>
        stored.key.endsWith('slow')
          ? new Promise<Buffer>((resolve) => waiting.push(() => resolve(encoder.change(type, stored) as Buffer)))
          : encoder.change(type, stored),
    };
    const { sink } = await watched.open({ encoder: converting });
    for (const name of ['a', 'slow', 'b', '2slow', 'c']) await watched.create(name);
    watched.turn();
    expect(sink.texts).toEqual(['ADDED a@2']);
    waiting[1]?.();
    await settled();
    expect(sink.texts).toEqual(['ADDED a@2']);
    sink.open = false;
    waiting[0]?.();
    await settled();
    expect(sink.texts).toEqual(['ADDED a@2', 'ADDED slow@3', 'ADDED b@4']);
    sink.open = true;
    sink.drain();
    await settled();
    expect(sink.texts).toEqual(['ADDED a@2', 'ADDED slow@3', 'ADDED b@4', 'ADDED 2slow@5', 'ADDED c@6']);
  });

  it('shows objects in the version that the watch asked for', async () => {
    const watched = new WatchedStore();
    const view = (stored: Stored): Stored => ({
      ...stored,
      key: stored.key,
      value: stored.value,
      bytes: Buffer.from('{"metadata":{"name":"v"}}'),
    });
    const { sink } = await watched.open({ encoder: jsonEncoder({ kind: 'Thing', apiVersion: 'v2' }, view) });
    const { sink: later } = await watched.open({
      encoder: jsonEncoder({ kind: 'Thing', apiVersion: 'v2' }, async (stored) => view(stored)),
    });
    await watched.create('a');
    watched.turn();
    await settled();
    expect(sink.texts).toEqual(['ADDED v@']);
    expect(later.texts).toEqual(['ADDED v@']);
  });
});
