import { expect, test } from 'vitest';
import { EventNames } from './event-names.ts';

test('names sort by time and, within a moment, in the order in which they were told', () => {
  const names = new EventNames('teller');
  const told = [1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_001].map((now) =>
    names.next('p', now),
  );
  expect(new Set(told).size).toBe(4);
  expect(told.toSorted()).toEqual(told);
});

test('they do not repeat where a clock is set back', () => {
  const names = new EventNames('teller');
  const [first, second] = [names.next('p', 2_000), names.next('p', 1_000)];
  expect(second > first).toBe(true);
});

test('two who tell of one object in the same moment have other names, also of what has a long one', () => {
  const [one, other] = ['a', 'b'].map((teller) => new EventNames(teller).next('x'.repeat(253), 1_700_000_000_000));
  expect(one).not.toBe(other);
  expect(one?.length).toBeLessThanOrEqual(253);
});
