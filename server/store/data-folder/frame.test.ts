import { expect, test } from 'vitest';
import { object } from '../store.fixture.ts';
import { StoredValue } from '../stored-value.ts';
import { frameOf, frameSize } from './frame.ts';

test.each(['short', 'x'.repeat(20_000), 'naïve', ''])('the size of a frame is known before it is made: %#', (text) => {
  const stored = new StoredValue('k/ä', 2, object('a', text));
  expect(frameSize(stored)).toBe(frameOf({ key: stored.key, revision: 2, stored }).length);
});
