import { expect, test } from 'vitest';
import { Breach } from './breach.ts';
import { allHeard, waitUntil, within } from './wait-until.ts';

test('gives what was seen when it is accepted', async () => {
  let count = 0;
  const seen = await waitUntil(
    'it counts to three',
    async () => ++count,
    (value) => value === 3,
    { interval: 0 },
  );
  expect(seen).toBe(3);
});

test('gives up at the limit and tells what was last seen', async () => {
  const waiting = waitUntil(
    'it is blue',
    async () => ({ colour: 'red' }),
    () => false,
    { limit: 5, interval: 1 },
  );
  await expect(waiting).rejects.toThrow(/^waited \d+ ms until it is blue; last seen: \{"colour":"red"\}$/);
  await expect(waiting).rejects.toBeInstanceOf(Breach);
});

test('the time that looking takes does not count, up to three times the limit', async () => {
  const slowly = async (): Promise<string> => {
    const end = performance.now() + 4;
    while (performance.now() < end);
    looks += 1;
    return 'red';
  };
  let looks = 0;
  const waiting = waitUntil('it is blue', slowly, () => looks === 9, { limit: 100, interval: 10 });
  expect(await waiting).toBe('red');
  const late = waitUntil('it is blue', slowly, () => false, { limit: 4, interval: 1 });
  await expect(late).rejects.toThrow(/waited \d+ ms/);
  expect(looks).toBeLessThanOrEqual(9 + 3);
});

test('looks for the last time once what is awaited can no longer come', async () => {
  let looks = 0;
  const look = async () => ++looks;
  const options = { limit: 60_000, interval: 1, isOver: () => looks > 0 };
  await expect(waitUntil('nine', look, (seen) => seen === 9, options)).rejects.toThrow('last seen: 2');
  await expect(waitUntil('three', look, (seen) => seen === 3, options)).resolves.toBe(3);
});

test('looks once even when there is no time at all', async () => {
  expect(
    await waitUntil(
      'it is there',
      async () => 'there',
      () => true,
      { limit: 0 },
    ),
  ).toBe('there');
});

test('an error while looking is passed on', async () => {
  await expect(
    waitUntil(
      'it works',
      () => Promise.reject(new Error('broken')),
      () => true,
    ),
  ).rejects.toThrow('broken');
});

test('a promise that settles in time is let through', async () => {
  expect(await within(1_000, 'it', Promise.resolve(7))).toBe(7);
  await expect(within(1_000, 'it', Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('a promise that does not is a breach', async () => {
  await expect(within(1, 'an answer', new Promise(() => {}))).rejects.toThrow('waited 1 ms for an answer');
});

test('where there is but one server nothing is waited for, and a second that several may take to hear', async () => {
  const took = async (servers: number | undefined): Promise<number> => {
    const began = performance.now();
    await allHeard(servers);
    return performance.now() - began;
  };
  expect(await took(undefined)).toBeLessThan(500);
  expect(await took(1)).toBeLessThan(500);
  expect(await took(3)).toBeGreaterThanOrEqual(990);
});
