import { expect, it } from 'vitest';
import { carryOut, known, type Work } from './work.ts';

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
