import { expect, it } from 'vitest';
import { freshly } from './freshly.ts';

it('reads again what is ten seconds old, also when time was set back, and keeps what it had while that fails', () => {
  let [now, read] = [0, 0];
  const next = freshly({ now: () => now }, () => {
    if (++read === 3) throw new Error('on its way');
    return read;
  });
  const at = (time: number) => {
    now = time;
    return next();
  };
  expect([0, 9_999, 10_000, 20_000, 29_999, 30_000, -1].map(at)).toEqual([1, 1, 2, 2, 2, 4, 5]);
});

it('fails at first with what cannot be read', () => {
  const read = () => {
    throw new Error('not there');
  };
  expect(() => freshly({ now: () => 0 }, read)).toThrow('not there');
});
