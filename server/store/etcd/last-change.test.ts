import { expect, test } from 'vitest';
import { LastChange } from './last-change.ts';

const told = (key: string, modRevision: number, value = 'x') => ({
  ...{ key: Buffer.from(key), value: Buffer.from(value), modRevision },
});

test('what comes later contradicts only if what is known was to be told again, and was not', () => {
  const last = new LastChange();
  last.note(told('/r/a', 7), false);
  expect(last.contradicts(told('/r/b', 9), false), 'a watch that goes on').toBe(false);
  last.awaitAgain(8, '');
  expect(last.contradicts(told('/r/b', 9), false), 'one that begins after it').toBe(false);
  last.awaitAgain(7, '');
  expect(last.contradicts(told('/r/b', 9), false)).toBe(true);
  expect(last.contradicts(told('/r/a', 7), false), 'it is told').toBe(false);
  expect(last.contradicts(told('/r/b', 9), false), 'after it').toBe(false);
});

test('who may watch less than before is not told again of what is beside it', () => {
  const last = new LastChange();
  last.note(told('/neighbour/a', 7), false);
  // What was asked for first is denied.
  last.awaitAgain(7, '');
  last.awaitAgain(7, '/r/');
  expect(last.contradicts(told('/r/b', 9), false)).toBe(false);
  last.note(told('/r/b', 9), false);
  last.awaitAgain(9, '/r/');
  expect(last.contradicts(told('/r/c', 10), false)).toBe(true);
});

test('a removal is told again only from before it, and contradicts a put', () => {
  const last = new LastChange();
  last.note(told('/r/a', 7), true);
  expect(last.toldFrom(7)).toBe(6);
  expect(last.toldFrom(8), 'nothing is known of what came then').toBe(8);
  last.awaitAgain(7, '');
  expect(last.contradicts(told('/r/b', 9), false)).toBe(false);
  last.awaitAgain(6, '');
  expect(last.contradicts(told('/r/b', 9), false)).toBe(true);
  expect(last.contradicts(told('/r/a', 7), true), 'it is told').toBe(false);
  last.awaitAgain(6, '');
  expect(last.contradicts(told('/r/a', 7), false), 'it was removed, and not written').toBe(true);
  last.note(told('/r/b', 9), false);
  last.awaitAgain(9, '');
  expect(last.contradicts(told('/r/b', 9), true), 'it was written, and not removed').toBe(true);
});

test('the same value with another lease was written by another put', () => {
  const last = new LastChange();
  last.note({ ...told('/r/a', 7), lease: 1 }, false);
  last.awaitAgain(7, '');
  expect(last.contradicts({ ...told('/r/a', 7), lease: 1 }, false)).toBe(false);
  last.awaitAgain(7, '');
  expect(last.contradicts({ ...told('/r/a', 7), lease: 2 }, false)).toBe(true);
});
