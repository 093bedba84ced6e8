import { expect, test } from 'vitest';
import { atOnce } from './at-once.ts';

test('so many are under way at once, and what comes of them keeps their order', async () => {
  const waiting: (() => void)[] = [];
  const begun: number[] = [];
  const all = atOnce(2, [5, 6, 7], async (item, index) => {
    begun.push(item);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return `${index}: ${item}`;
  });
  await expect.poll(() => begun).toEqual([5, 6]);
  waiting[1]?.();
  await expect.poll(() => begun).toEqual([5, 6, 7]);
  for (const end of waiting) end();
  expect(await all).toEqual(['0: 5', '1: 6', '2: 7']);
});

test('what goes wrong is passed on', async () => {
  await expect(atOnce(3, [1], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
