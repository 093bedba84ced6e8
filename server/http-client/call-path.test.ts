import { expect, it } from 'vitest';
import { callPath } from './call-path.ts';

it.each([
  ['', '/'],
  ['/', '/'],
  ['//', '/'],
  ['judge', '/judge'],
  ['//judge', '/judge'],
  ['/a//b/', '/a/b'],
  ['/a%2F/b', '/a%2F/b'],
])('%j is called as %j', (path, expected) => {
  expect(callPath(path)).toBe(expected);
});
