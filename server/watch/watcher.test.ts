import { describe, expect, it } from 'vitest';
import { badRequest } from '../base/status-error.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { CompactedError, type Stored } from '../store/store.ts';
import type { EventEncoder } from './event-encoder.ts';
import { watchTimeout } from './fan-out.ts';
import { RecordingSink } from './recording-sink.fixture.ts';
import { encoder, minute, settled, thing, WatchedStore } from './watched-store.fixture.ts';

/** A store that lists nothing before it is told to. */
function heldStore() {
  const store = new MemoryStore({ freeze: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  const list = store.list.bind(store);
  store.list = (...asked) => promise.then(() => list(...asked));
  return { store, resolve };
}

describe('what a watch sends', () => {
  it('changes after its version, as they happen', async () => {
    const watched = new WatchedStore();
    await watched.create('early');
    const { sink } = await watched.open();
    const created = await watched.create('a');
    const changed = await watched.change('a');
    const removed = await watched.remove('a');
    watched.turn();
    expect(sink.texts).toEqual([`ADDED a@${created}`, `MODIFIED a@${changed}`, `DELETED a@${removed}`]);
    expect(sink.outcome).toBe('open');
  });

  it('history first, when its version is old', async () => {
    const watched = new WatchedStore();
    const start = await watched.create('a');
    await watched.change('a');
    await watched.remove('a');
    const { sink } = await watched.open({ revision: start });
    await watched.create('b');
    watched.turn();
    expect(sink.texts).toEqual([`MODIFIED a@${start + 1}`, `DELETED a@${start + 2}`, `ADDED b@${start + 3}`]);
  });

  it('what exists as additions when it has no version, then changes', async () => {
    const watched = new WatchedStore();
    await watched.create('a');
    await watched.create('b');
    await watched.remove('a');
    const { sink } = await watched.open({ revision: undefined });
    await watched.change('b');
    watched.turn();
    expect(sink.texts).toEqual(['ADDED b@3', 'MODIFIED b@5']);
  });

  it('begins once its start is settled, and misses nothing of what comes then', async () => {
    const { store, resolve } = heldStore();
    const watched = new WatchedStore({}, store);
    await watched.create('a');
    let began = 0;
    const { sink } = await watched.open({ revision: undefined, onBegin: () => void began++ });
    expect(began).toBe(0);
    await watched.change('a');
    resolve();
    await settled();
    expect(began).toBe(1);
    await watched.remove('a');
    watched.turn();
    expect(sink.texts).toEqual(['ADDED a@3', 'DELETED a@4']);
  });

  it('does not begin for a client that has left', async () => {
    const { store, resolve } = heldStore();
    let began = 0;
    const { watcher } = await new WatchedStore({}, store).open({ revision: undefined, onBegin: () => void began++ });
    watcher.leave();
    resolve();
    await settled();
    expect(began).toBe(0);
  });

  it('nothing at a version that is still to come, until changes after it', async () => {
    const watched = new WatchedStore();
    const { sink } = await watched.open({ revision: 3, bookmarks: true });
    watched.timers.advance(minute);
    for (const name of ['a', 'b', 'c']) await watched.create(name);
    watched.turn();
    expect(sink.texts).toEqual(['ADDED c@4']);
    watched.timers.advance(minute);
    expect(sink.texts.at(-1)).toBe('BOOKMARK @4');
  });

  it('only what is under its prefix', async () => {
    const watched = new WatchedStore();
    const { sink } = await watched.open({ prefix: 'things/b' });
    for (const name of ['a', 'b', 'bb', 'c']) await watched.create(name);
    watched.turn();
    expect(sink.texts).toEqual(['ADDED b@3', 'ADDED bb@4']);
  });

  it('one ERROR 410 and the end when its version is no longer held', async () => {
    const watched = new WatchedStore();
    await watched.create('a');
    await watched.create('b');
    await watched.store.compact(3);
    const { sink, ends } = await watched.open({ revision: 2 });
    expect(sink.events).toHaveLength(1);
    expect(sink.events[0]).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(sink.events[0]?.object).not.toHaveProperty('details');
    expect(sink.outcome).toBe('ended');
    expect(ends).toEqual(['expired']);
    expect(watched.fanOut.size).toBe(0);
    expect(watched.timers.waiting).toBe(0);
  });
});

describe('a watch with a selector', () => {
  const isOn = ({ value }: Stored) => value['on'] === true;

  it('adds what starts to match and deletes what stops', async () => {
    const watched = new WatchedStore();
    const { sink } = await watched.open({ matches: isOn });
    const { sink: reverse } = await watched.open({ matches: (stored) => !isOn(stored) });
    await watched.create('a', { step: 1 });
    const entered = await watched.change('a', { on: true, step: 2 });
    const changed = await watched.change('a', { on: true, step: 3 });
    const left = await watched.change('a', { step: 4 });
    const removed = await watched.remove('a');
    watched.turn();
    expect(sink.texts).toEqual([`ADDED a@${entered}`, `MODIFIED a@${changed}`, `DELETED a@${left}`]);
    expect(sink.events.at(-1)?.object).toMatchObject({ on: true, step: 3 });
    expect(reverse.texts).toEqual(['ADDED a@2', `DELETED a@${entered}`, `ADDED a@${left}`, `DELETED a@${removed}`]);
    expect(reverse.events.map(({ object }) => object['step'])).toEqual([1, 1, 4, 4]);
  });

  it('sends only what matches, of existing objects and of history', async () => {
    const watched = new WatchedStore();
    const start = await watched.store.currentRevision();
    await watched.create('a', { on: true });
    await watched.create('b');
    await watched.change('b', { on: true });
    await watched.change('a');
    expect((await watched.open({ matches: isOn, revision: undefined })).sink.texts).toEqual(['ADDED b@4']);
    const { sink } = await watched.open({ matches: isOn, revision: start });
    expect(sink.texts).toEqual(['ADDED a@2', 'ADDED b@4', 'DELETED a@5']);
  });

  it('shows a deleted object as it was when it is removed', async () => {
    const watched = new WatchedStore();
    await watched.create('a', { on: true, step: 1 });
    const { sink } = await watched.open({ matches: isOn });
    const removed = await watched.remove('a');
    watched.turn();
    expect(sink.texts).toEqual([`DELETED a@${removed}`]);
    expect(sink.events[0]?.object['step']).toBe(1);
  });
});

describe('bookmarks', () => {
  it('come every minute and before the end, at the newest version, when the client takes them', async () => {
    const watched = new WatchedStore();
    const { sink } = await watched.open({ bookmarks: true, timeout: 2.5 * minute });
    watched.timers.advance(minute);
    await watched.create('a');
    await watched.store.create('other/x', thing('x'));
    watched.timers.advance(minute);
    watched.timers.advance(minute);
    expect(sink.texts).toEqual(['BOOKMARK @1', 'ADDED a@2', 'BOOKMARK @3', 'BOOKMARK @3']);
    expect(sink.events[0]?.object).toEqual({
      kind: 'Thing',
      apiVersion: 'v1',
      metadata: { resourceVersion: '1', creationTimestamp: null },
    });
    expect(sink.outcome).toBe('ended');
  });

  it('do not come unasked', async () => {
    const watched = new WatchedStore();
    const { sink } = await watched.open({ timeout: 5 * minute });
    watched.timers.advance(5 * minute);
    expect(sink.texts).toEqual([]);
    expect(sink.outcome).toBe('ended');
  });

  it('never run ahead of what the reader was sent', async () => {
    const watched = new WatchedStore({ stall: 10 * minute });
    const { sink } = await watched.open({ bookmarks: true });
    sink.open = false;
    await watched.create('a');
    watched.turn();
    await watched.create('b');
    watched.timers.advance(minute);
    expect(sink.texts).toEqual(['ADDED a@2']);
    sink.open = true;
    sink.drain();
    watched.timers.advance(minute);
    expect(sink.texts).toEqual(['ADDED a@2', 'ADDED b@3', 'BOOKMARK @3']);
  });

  it('before the end do not count what came after it', async () => {
    const watched = new WatchedStore({ grace: minute });
    const { sink } = await watched.open({ bookmarks: true, timeout: 1000 });
    sink.open = false;
    await watched.create('a');
    watched.turn();
    watched.timers.advance(1000);
    await watched.create('late');
    sink.open = true;
    sink.drain();
    expect(sink.texts).toEqual(['ADDED a@2', 'BOOKMARK @2']);
    expect(sink.outcome).toBe('ended');
  });
});

describe('the end of a watch', () => {
  it('comes cleanly when its time is over', async () => {
    const watched = new WatchedStore();
    const { sink, ends } = await watched.open({ timeout: 2000 });
    await watched.create('a');
    watched.timers.advance(1999);
    expect(sink.outcome).toBe('open');
    await watched.create('b');
    watched.timers.advance(1);
    await watched.create('c');
    watched.turn();
    expect(sink.texts).toEqual(['ADDED a@2', 'ADDED b@3']);
    expect(sink.outcome).toBe('ended');
    expect(ends).toEqual(['timeout']);
    expect(watched.timers.waiting).toBe(0);
    expect(watched.fanOut.size).toBe(0);
  });

  it('writes nothing more once the client has left', async () => {
    const watched = new WatchedStore();
    const { sink, watcher, ends } = await watched.open({ bookmarks: true });
    watcher.leave();
    watcher.leave();
    await watched.create('a');
    watched.timers.advance(60 * minute);
    expect(sink.chunks).toEqual([]);
    expect(ends).toEqual(['left']);
    expect(watched.timers.waiting).toBe(0);
  });

  it('leaves no subscription behind when the client leaves before the start', async () => {
    const watched = new WatchedStore();
    const sink = new RecordingSink();
    const base = { prefix: '', matches: () => true, encoder, sink, timeout: minute, bookmarks: false };
    for (const revision of [1, undefined]) watched.fanOut.open({ ...base, revision }).leave();
    await watched.create('a');
    await settled();
    watched.turn();
    expect(sink.chunks).toEqual([]);
    expect(watched.fanOut.size).toBe(0);
  });

  it('comes to all watches when the server stops, after what they still had to get', async () => {
    const watched = new WatchedStore();
    const watches = await Promise.all([watched.open(), watched.open()]);
    await watched.create('a');
    watched.fanOut.stop();
    for (const { sink, ends } of watches) {
      expect(sink.texts).toEqual(['ADDED a@2']);
      expect(sink.outcome).toBe('ended');
      expect(ends).toEqual(['stopped']);
    }
    expect(watched.fanOut.size).toBe(0);
  });

  it('waits a little for a reader that is behind, then gives up', async () => {
    const watched = new WatchedStore({ grace: 5000 });
    const { sink, ends } = await watched.open({ timeout: 1000 });
    sink.open = false;
    await watched.create('a');
    watched.turn();
    watched.timers.advance(1000);
    expect(sink.outcome).toBe('open');
    watched.timers.advance(5000);
    expect(sink.outcome).toBe('aborted');
    expect(ends).toEqual(['slow']);
  });

  it('comes with an ERROR when an object cannot be shown', async () => {
    const watched = new WatchedStore();
    const refusing: EventEncoder = {
      ...encoder,
      change: () => {
        throw badRequest('no such version');
      },
    };
    const later: EventEncoder = { ...encoder, change: () => Promise.reject(new Error('webhook failed')) };
    const { sink, ends } = await watched.open({ encoder: refusing });
    const { sink: other } = await watched.open({ encoder: later });
    await watched.create('a');
    watched.turn();
    await settled();
    expect(sink.events).toMatchObject([{ type: 'ERROR', object: { code: 400 } }]);
    expect(other.events).toMatchObject([{ type: 'ERROR', object: { code: 500, reason: 'InternalError' } }]);
    expect([sink.outcome, other.outcome]).toEqual(['ended', 'ended']);
    expect(ends).toEqual(['failed']);
  });

  it('comes when the store has lost what came next, and names the version that the watch began at', async () => {
    const store = new MemoryStore();
    let lose: ((error: Error) => void) | undefined;
    store.watch = async (_prefix, revision, _sink, more) => {
      lose = more?.lost;
      return { stop: () => {}, progress: () => revision };
    };
    const { sink, ends } = await new WatchedStore({}, store).open({ revision: undefined });
    lose?.(new CompactedError(9));
    expect(sink.events).toMatchObject([{ object: { code: 410, message: 'too old resource version: 1 (9)' } }]);
    expect(ends).toEqual(['expired']);
  });

  it('comes when what is watched is no more what it was, or at once where that has come, after what waits', async () => {
    const watched = new WatchedStore();
    const end = new AbortController();
    const { sink, ends } = await watched.open({ lasts: end.signal });
    const version = await watched.create('a');
    end.abort();
    expect([sink.texts, sink.outcome, ends]).toEqual([[`ADDED a@${version}`], 'ended', ['outdated']]);
    const late = await watched.open({ lasts: end.signal, revision: undefined });
    expect([late.sink.texts, late.sink.outcome]).toEqual([[], 'ended']);
  });

  it.each([
    [undefined, 0, 30 * minute],
    [undefined, 0.5, 45 * minute],
    [0, 0.999999, 60 * minute],
    [5, 0.5, 5000],
    [-1, 0.5, 0],
  ])('after %j seconds with the die at %d comes in %d ms', (seconds, die, milliseconds) => {
    expect(watchTimeout(seconds, { random: () => die })).toBeCloseTo(milliseconds, -3);
  });
});
