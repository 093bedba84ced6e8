import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import { object } from '../store.fixture.ts';
import { StoredValue } from '../stored-value.ts';
import { frameOf } from './frame.ts';
import { framesIn } from './frames.ts';
import { readState, writeState } from './state-file.ts';

const newFolder = temporaryFolders();

const change = (key: string, revision: number) =>
  frameOf({ key, revision, stored: new StoredValue(key, revision, object(key)) });

const changes = (...frames: readonly Buffer[]) => [...framesIn(Buffer.concat(frames), 0, 'file')];

test('changes are read in the order in which they were made, up to the zeros behind them', () => {
  const read = changes(change('a', 2), change('b', 2), change('a', 3), Buffer.alloc(10));
  expect(read.map(({ key, revision }) => `${key} ${revision}`)).toEqual(['a 2', 'b 2', 'a 3']);
});

test('changes whose revisions fall are no changes of one server', () => {
  expect(() => changes(change('a', 3), change('b', 2), Buffer.alloc(1))).toThrow(/byte \d+: its revisions fall/);
});

test('a file that was cut off where a change begins or ends lacks the zero that is always there', () => {
  expect(() => changes(change('a', 2), change('b', 3))).toThrow('ends within a change');
  expect(() => changes()).toThrow('its end is missing');
});

test('a state of which whole objects are missing is damaged', async () => {
  const path = join(newFolder(), 'state');
  const items = ['a', 'b'].map((key) => new StoredValue(key, 2, object(key)));
  await writeState(path, { revision: 7, items });
  expect(readState(path)).toMatchObject({ revision: 7, items: [{ key: 'a' }, { key: 'b' }] });
  const end = frameOf({ key: '2', revision: 7, stored: undefined });
  const heading = Buffer.from('touchstone state 1\n');
  writeFileSync(path, Buffer.concat([heading, change('a', 2), end, Buffer.alloc(1)]));
  expect(() => readState(path)).toThrow('its end is missing');
  writeFileSync(path, Buffer.concat([heading, change('a', 2), change('b', 2), Buffer.alloc(1)]));
  expect(() => readState(path)).toThrow('its end is missing');
});
