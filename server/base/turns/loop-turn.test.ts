import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { isOver, letOthers } from './loop-turn.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(async () => {
  await nextTurn();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

it('is over once what was begun in it took ten milliseconds in all', async () => {
  const first = performance.now();
  vi.advanceTimersByTime(6);
  expect(isOver(first)).toBe(false);
  const second = performance.now();
  vi.advanceTimersByTime(4);
  expect(isOver(second)).toBe(true);
  await nextTurn();
  expect(isOver(performance.now())).toBe(false);
});

/** Work that goes on again and again, as long each time as it may. */
async function long(name: string, milliseconds: number, times: number, done: string[]): Promise<void> {
  for (let time = 0; time < times; time++) {
    await letOthers();
    // Whatever waits for work hears of it some steps later.
    await Promise.resolve().then(() => {});
    vi.advanceTimersByTime(milliseconds);
    done.push(name);
  }
}

it('lets one piece of long work go on, however many there are, and the others in turn', async () => {
  const done: string[] = [];
  const all = ['a', 'b', 'c'].map((name) => long(name, 10, 2, done));
  for (const expected of ['a', 'b', 'c', 'a', 'b', 'c']) {
    await nextTurn();
    expect(done.splice(0)).toEqual([expected]);
  }
  await Promise.all(all);
});

it('lets so many short pieces go on as there is time for', async () => {
  const done: string[] = [];
  const all = Array.from({ length: 9 }, () => long('short', 2, 1, done));
  await nextTurn();
  expect(done).toHaveLength(5);
  await nextTurn();
  expect(done).toHaveLength(9);
  await Promise.all(all);
});
