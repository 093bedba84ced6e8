import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { countIndexes, formatIndexes, freeIndexes, parseIndexes, withIndexes } from './completed-indexes.ts';

describe('completed indexes as a text', () => {
  test.each([
    ['', ''],
    ['3', '3'],
    ['1,2', '1,2'],
    ['1-2', '1,2'],
    ['1,2,3', '1-3'],
    ['7,1,3-5', '1,3-5,7'],
    ['0-99', '0-99'],
    ['95-200', '95-99'],
    ['100,101', ''],
    ['a,1-,-3,1-2-3,5', '5'],
    ['5-3', ''],
    ['__proto__,4', '4'],
  ])('of a hundred, %j is read and written as %j', (text, written) => {
    expect(formatIndexes(parseIndexes(text, 100))).toBe(written);
  });
});

const indexes = fc.uniqueArray(fc.nat(60), { maxLength: 60 });

test('writing and reading gives the same indexes, however they were added', () => {
  fc.assert(
    fc.property(indexes, indexes, (first, more) => {
      const all = [...new Set([...first, ...more])].sort((a, b) => a - b);
      const runs = withIndexes(withIndexes([], first), more);
      expect(countIndexes(runs)).toBe(all.length);
      expect(parseIndexes(formatIndexes(runs), 100)).toEqual(runs);
      expect(runs.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))).toEqual(all);
    }),
  );
});

test('free indexes are the smallest that are neither completed nor taken', () => {
  fc.assert(
    fc.property(indexes, indexes, fc.nat(70), fc.nat(70), (completed, taken, completions, count) => {
      const runs = withIndexes([], completed);
      const expected = Array.from({ length: completions }, (_, index) => index)
        .filter((index) => !completed.includes(index) && !taken.includes(index))
        .slice(0, count);
      expect(freeIndexes(runs, new Set(taken), completions, count)).toEqual(expected);
    }),
  );
});

test('a hundred thousand indexes take no time', () => {
  const began = worked();
  const runs = withIndexes(
    [],
    Array.from({ length: 100_000 }, (_, index) => index),
  );
  expect(freeIndexes(runs, new Set(), 100_000, 10)).toEqual([]);
  expect(worked() - began).toBeLessThan(1_000);
});
