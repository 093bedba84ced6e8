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

test('of what has a long name that is cut behind a sign there is a name all the same', () => {
  const cut = `${'x'.repeat(228)}-.`;
  expect(new EventNames('teller').next(`${cut}${'y'.repeat(20)}`, 1_700_000_000_000)).toMatch(/^x{228}\.[0-9a-f]{16}$/);
});
