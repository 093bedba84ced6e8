import { expect, test } from 'vitest';
import { makeGate } from './gate.ts';

test('no more than so many run at once, in the order in which they came', async () => {
  const gate = makeGate(2);
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const work = (index: number) => () => {
    begun.push(index);
    return new Promise<number>((resolve) => finish.push(() => resolve(index)));
  };
  const results = [1, 2, 3, 4].map((index) => gate(work(index)));
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  finish[1]?.();
  expect(await results[1]).toBe(2);
  expect(begun).toEqual([1, 2, 3]);
  finish[0]?.();
  finish[2]?.();
  await Promise.all([results[0], results[2]]);
  finish[3]?.();
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
});

test('work that fails makes room as well', async () => {
  const gate = makeGate(1);
  const broken = gate(() => Promise.reject(new Error('oops')));
  const next = gate(async () => 'done');
  await expect(broken).rejects.toThrow('oops');
  expect(await next).toBe('done');
});
