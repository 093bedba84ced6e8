import { describe, expect, it } from 'vitest';
import { ManualTimers } from './manual-timers.fixture.ts';
import { MovableClock } from './movable-clock.ts';

/** Real time that stands still but for `pass`; turns of the event loop come by themselves. */
function stand() {
  const timers = new ManualTimers();
  const soon = (callback: () => void) => {
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  };
  const parts = {
    after: (milliseconds: number, callback: () => void) => timers.after(milliseconds, callback),
    every: (milliseconds: number, callback: () => void) => timers.every(milliseconds, callback),
    soon,
  };
  const clock = new MovableClock({ clock: { now: () => timers.now }, timers: parts });
  const called: string[] = [];
  const call = (name: string) => () => void called.push(`${name} at ${clock.now()}`);
  return { clock, called, call, pass: (milliseconds: number) => timers.advance(milliseconds) };
}

describe('a clock that can be moved', () => {
  it('runs like the real one until it is moved', () => {
    const { clock, called, call, pass } = stand();
    clock.after(10, call('once'));
    clock.every(4, call('again'));
    pass(11);
    expect(called).toEqual(['again at 4', 'again at 8', 'once at 10']);
    expect(clock.now()).toBe(11);
  });

  it('advanced, calls what has become due in its order, and the rest that much sooner', async () => {
    const { clock, called, call, pass } = stand();
    clock.after(2000, call('late'));
    clock.after(500, call('second'));
    clock.after(100, call('first'));
    await clock.advance('1s');
    expect(called).toEqual(['first at 1000', 'second at 1000']);
    pass(999);
    expect(called).toHaveLength(2);
    pass(1);
    expect(called).toEqual(['first at 1000', 'second at 1000', 'late at 2000']);
  });

  it('calls what comes again and again three times at most, and goes on from there', async () => {
    const { clock, called, call, pass } = stand();
    clock.every(10, call('again'));
    await clock.advance('1h');
    expect(called).toHaveLength(3);
    await clock.advance(10);
    expect(called).toHaveLength(4);
    pass(10);
    expect(called).toHaveLength(5);
  });

  it('gives what a call begins its turn before the next, and leaves out what that takes back', async () => {
    const { clock, called, call } = stand();
    const cancel = clock.after(20, call('taken back'));
    clock.after(10, () => void Promise.resolve().then(cancel));
    await clock.advance(30);
    expect(called).toEqual([]);
  });

  it('with a wrong time of day lets nobody wait longer or less', async () => {
    const { clock, called, call, pass } = stand();
    clock.after(10, call('once'));
    clock.skewTo('-5m');
    expect(clock.now()).toBe(-300_000);
    pass(9);
    expect(called).toEqual([]);
    pass(1);
    expect(called).toEqual(['once at -299990']);
    clock.skewTo(0);
    await clock.advance(5);
    expect([clock.now(), clock.advanced, clock.skew]).toEqual([15, 5, 0]);
  });

  it('is copied with the time that it shows, and then goes its own way', async () => {
    const { clock } = stand();
    await clock.advance(10);
    clock.skewTo(5);
    const copy = clock.copy();
    await clock.advance(100);
    expect([clock.now(), copy.now()]).toEqual([115, 15]);
  });

  it.each(['soon', Number.NaN, Number.POSITIVE_INFINITY, -1, '-1s', '1000000000h', null, {}])(
    'does not advance by %j',
    async (duration) => {
      const { clock } = stand();
      await expect(clock.advance(duration as string)).rejects.toThrow(RangeError);
      expect(clock.now()).toBe(0);
    },
  );
});
