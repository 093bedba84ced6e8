import { expect, it } from 'vitest';
import { ExpiringCache } from './expiring-cache.ts';

it('keeps a value for its time', () => {
  let now = 0;
  const cache = new ExpiringCache<number>(10, { now: () => now });
  cache.set('a', 1, 100);
  cache.set('b', 2, 0);
  expect([cache.get('a'), cache.get('b'), cache.get('__proto__')]).toEqual([1, undefined, undefined]);
  now = 100;
  expect(cache.get('a')).toBeUndefined();
  expect(cache.size).toBe(0);
});

it('never holds more than its capacity: what was written longest ago goes', () => {
  const cache = new ExpiringCache<number>(2, { now: () => 0 });
  cache.set('a', 1, 100);
  cache.set('b', 2, 100);
  cache.set('a', 3, 100);
  cache.set('c', 4, 100);
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([3, undefined, 4, 2]);
});
