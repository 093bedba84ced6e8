import { expect, test } from 'vitest';
import { patched } from './json-patch.ts';

test.each([
  [[{ op: 'add', path: '/a/-', value: 3 }], { a: [1, 2, 3], 'b/~': 1 }],
  [[{ op: 'add', path: '/a/0', value: 0 }], { a: [0, 1, 2], 'b/~': 1 }],
  [[{ op: 'remove', path: '/a/0' }], { a: [2], 'b/~': 1 }],
  [[{ op: 'replace', path: '/b~1~0', value: 2 }], { a: [1, 2], 'b/~': 2 }],
  [[{ op: 'move', from: '/b~1~0', path: '/c' }], { a: [1, 2], c: 1 }],
  [[{ op: 'copy', from: '/a', path: '/c' }], { a: [1, 2], 'b/~': 1, c: [1, 2] }],
  [[{ op: 'test', path: '/a', value: [1, 2] }], { a: [1, 2], 'b/~': 1 }],
])('a patch of %j', (operations, expected) => {
  expect(patched({ a: [1, 2], 'b/~': 1 }, operations)).toEqual(expected);
});

test.each([
  [{ op: 'remove', path: '/c' }],
  [{ op: 'replace', path: '/c', value: 1 }],
  [{ op: 'add', path: '/c/d', value: 1 }],
  [{ op: 'add', path: '/a/7', value: 1 }],
  [{ op: 'add', path: 'a', value: 1 }],
  [{ op: 'test', path: '/a', value: [1] }],
  [{ op: 'constructor', path: '/a' }],
])('%j cannot be done', (operation) => {
  expect(() => patched({ a: [1, 2] }, [operation])).toThrow(Error);
});
