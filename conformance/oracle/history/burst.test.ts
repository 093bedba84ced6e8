import { expect, it } from 'vitest';
import { type Burst, burstPromises, checkBurst } from './burst.ts';

const broken = (burst: Omit<Burst, 'what'>): string | undefined => checkBurst({ what: 'patches', ...burst })?.promise;

it('lets one of several be done that shut each other out, and it stays', () => {
  expect(broken({ keeps: 'one', done: ['a'], left: ['a'] })).toBeUndefined();
  expect(broken({ keeps: 'one', done: [], left: ['a'] })).toBeUndefined();
  expect(broken({ keeps: 'one', done: ['a', 'b'], left: ['b'] })).toBe(burstPromises.one);
  expect(broken({ keeps: 'one', done: ['a'], left: ['b'] })).toBe(burstPromises.all);
});

it('lets none of several take away what another did', () => {
  expect(broken({ keeps: 'all', done: ['a', 'b'], left: ['b', 'a', 'c'] })).toBeUndefined();
  expect(broken({ keeps: 'all', done: ['a', 'b'], left: ['b'] })).toBe(burstPromises.all);
});
