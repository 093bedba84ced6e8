import { expect, it, onTestFinished, vi } from 'vitest';
import { atOnce, carryOut, known, type Work } from './work.ts';

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));

function* sum(parts: readonly (number | Promise<number>)[]): Work<number> {
  let total = 0;
  for (const part of parts) total += yield* known(part);
  return total;
}

it('is done at once where there is nothing to wait for', () => {
  expect(carryOut(sum([1, 2, 3]))).toBe(6);
});

it('goes on with what it waited for, as often as it waits', async () => {
  const outcome = carryOut(sum([1, later(2), 3, later(4)]));
  expect(outcome).toBeInstanceOf(Promise);
  expect(await outcome).toBe(10);
});

it('throws what it throws, at once or later', async () => {
  function* failing(first: Promise<void> | undefined): Work<void> {
    if (first) yield first;
    throw new Error('it failed');
  }
  expect(() => carryOut(failing(undefined))).toThrow('it failed');
  await expect(carryOut(failing(later(undefined)))).rejects.toThrow('it failed');
});

it('may catch what failed that it waited for, and go on', async () => {
  function* caring(): Work<string> {
    try {
      yield Promise.reject(new Error('no'));
      return 'it went well';
    } catch (error) {
      yield later(undefined);
      return `after ${(error as Error).message}`;
    }
  }
  expect(await carryOut(caring())).toBe('after no');
  await expect(carryOut(sum([Promise.reject(new Error('nobody cares'))]))).rejects.toThrow('nobody cares');
});

/** Work in so many parts, each of which takes so many milliseconds by the clock of the test. */
function* inParts(parts: number, milliseconds: number, done: string[] = []): Work<number> {
  for (let part = 0; part < parts; part++) {
    vi.advanceTimersByTime(milliseconds);
    done.push('part');
    yield;
  }
  return parts;
}

it('lets others have their turn only once it took long, with all that was done in this turn of the event loop', async () => {
  await later(undefined);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const done: string[] = [];
  expect(carryOut(inParts(7, 1))).toBe(7);
  const outcome = carryOut(inParts(24, 1, done));
  setImmediate(() => done.push('another'));
  expect(done).toHaveLength(3);
  expect(await outcome).toBe(24);
  expect(done.indexOf('another')).toBe(13);
});

it('lets others have their turn after a long part before something that is there already', async () => {
  await later(undefined);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const done: string[] = [];
  function* waiting(): Work<void> {
    for (let part = 0; part < 4; part++) {
      vi.advanceTimersByTime(10);
      done.push('part');
      yield Promise.resolve();
    }
  }
  const outcome = carryOut(waiting());
  setImmediate(() => done.push('another'));
  await outcome;
  expect(done).toEqual(['part', 'part', 'another', 'part', 'part']);
});

it('lets others have their turn after a long part behind something that it waited for', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const done: string[] = [];
  function* waiting(): Work<void> {
    yield later(undefined);
    setImmediate(() => done.push('another'));
    yield* inParts(2, 20, done);
  }
  await carryOut(waiting());
  expect(done).toEqual(['part', 'another', 'part']);
});

it('is done without a pause where that is asked for, unless it must wait', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(atOnce(inParts(24, 1))).toBe(24);
  expect(() => atOnce(sum([1, later(2)]))).toThrow('waits');
});
