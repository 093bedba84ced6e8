import { expect, test } from 'vitest';
import { sameValue } from './same-value.ts';

test.each<[string, unknown, unknown, boolean]>([
  ['the order of fields does not count', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['that of a list does', [1, 2], [2, 1], false],
  ['absent and an empty list are the same', { a: undefined, c: [] }, {}, true],
  ['the zero time is something', { a: null }, {}, false],
  ['an empty object is something', { a: {} }, {}, false],
  ['a number is not its text', 1, '1', false],
  ['a list is not an object', [], {}, false],
  ['deep inside', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, false],
  ['names that objects have anyway', { constructor: 1 }, {}, false],
])('%s', (_title, a, b, same) => {
  expect([sameValue(a, b), sameValue(b, a)]).toEqual([same, same]);
});
