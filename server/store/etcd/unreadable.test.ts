import { expect, test } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { UnreadableError } from '../store.ts';
import { Unreadable } from './unreadable.ts';

const broken = new UnreadableError('/things/a', 'cannot be read');
const inThings = (key: string) => key.startsWith('/things/');

/** At which of the revisions 1 to 9 something of the things cannot be read. */
const refused = (unreadable: Unreadable): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((revision) => {
    try {
      unreadable.demandNone(inThings, revision);
      return false;
    } catch (error) {
      expect(error).toBe(broken);
      return true;
    }
  });

test('what cannot be read is missed from its revision on, until its key holds something else', () => {
  const unreadable = new Unreadable();
  expect(refused(unreadable)).toEqual([]);
  unreadable.note(broken, 3, 0);
  expect(refused(unreadable)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(unreadable.has('/things/a')).toBe(true);
  unreadable.end('/things/b', 4);
  unreadable.end('/things/a', 5);
  expect(unreadable.has('/things/a')).toBe(false);
  unreadable.end('/things/a', 7);
  unreadable.note(broken, 8, 0);
  expect(refused(unreadable)).toEqual([3, 4, 8, 9]);
});

test('what asks for others is not kept from them', () => {
  const unreadable = new Unreadable();
  unreadable.note(broken, 1, 0);
  unreadable.note(new Error('of something else'), 1, 0);
  expect(() => unreadable.demandNone((key) => key.startsWith('/others/'), 2)).not.toThrow();
});

test('what was over when all before it was compacted away is forgotten', () => {
  const unreadable = new Unreadable();
  unreadable.note(broken, 2, 0);
  unreadable.end('/things/a', 4);
  unreadable.note(broken, 8, 4);
  expect(refused(unreadable)).toEqual([8, 9]);
});

test('a change of a key does not look at all that cannot be read', () => {
  const unreadable = new Unreadable();
  for (let n = 0; n < 50_000; n++) unreadable.note(new UnreadableError(`/things/n${n}`, 'cannot be read'), 0, 0);
  const began = worked();
  for (let n = 0; n < 1_000; n++) {
    unreadable.end(`/others/n${n}`, n);
    expect(unreadable.has(`/others/n${n}`)).toBe(false);
    unreadable.demandReadable(`/others/n${n}`, n);
  }
  expect(worked() - began).toBeLessThan(500);
});
