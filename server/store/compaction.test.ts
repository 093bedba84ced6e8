import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import { startCompaction } from './compaction.ts';
import { MemoryStore } from './memory-store.ts';
import { object, soon } from './store.fixture.ts';
import { CompactedError } from './store.ts';

const minute = 60_000;

async function started(interval: number) {
  const store = new MemoryStore();
  const timers = new ManualTimers();
  const stop = startCompaction(store, { interval, timers });
  const pass = async (milliseconds: number) => {
    timers.advance(milliseconds);
    await soon();
  };
  const holds = async (revision: number) => {
    const error = await store.list('', { revision }).catch((caught) => caught);
    return !(error instanceof CompactedError);
  };
  return { store, timers, stop, pass, holds };
}

describe('compaction by time', () => {
  it('holds a version for one interval at least and two at most', async () => {
    const { store, pass, holds } = await started(5 * minute);
    const early = (await store.create('a', object('a'))).revision;
    await pass(5 * minute);
    const late = (await store.create('b', object('b'))).revision;
    await store.create('c', object('c'));
    expect(await holds(early - 1)).toBe(true);
    await pass(5 * minute);
    expect(await holds(early - 1)).toBe(false);
    expect(await holds(early)).toBe(true);
    expect(await holds(late)).toBe(true);
    await pass(5 * minute);
    expect(await holds(late)).toBe(false);
  });

  it('has nothing to forget while nothing is written', async () => {
    const { store, pass, holds } = await started(minute);
    const { revision } = await store.create('a', object('a'));
    for (let n = 0; n < 5; n++) await pass(minute);
    expect(await holds(revision)).toBe(true);
  });

  it('ends when it is stopped, and never begins with an interval of 0', async () => {
    const { timers, stop } = await started(minute);
    expect(timers.waiting).toBe(1);
    stop();
    expect(timers.waiting).toBe(0);
    expect((await started(0)).timers.waiting).toBe(0);
  });

  it('goes on after a failure, which it reports', async () => {
    const timers = new ManualTimers();
    const store = new MemoryStore();
    const errors: unknown[] = [];
    store.compact = async () => {
      throw new Error('not now');
    };
    startCompaction(store, { interval: minute, timers, onError: (error) => errors.push(String(error)) });
    for (let n = 0; n < 3; n++) {
      timers.advance(minute);
      await soon();
    }
    expect(errors).toEqual(['Error: not now', 'Error: not now']);
  });
});
