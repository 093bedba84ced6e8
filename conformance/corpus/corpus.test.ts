import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { chosenOf, loadCorpus, roomOf } from './corpus.ts';
import { staleness } from './slip.ts';

const subjects = await loadCorpus();
const faults = subjects.flatMap((subject) => subject.faults);
const chapters = new Set(catalogue.map(({ chapter }) => chapter));

test('the corpus has a hundred faulty servers and more, each of another name', () => {
  expect(faults.length).toBeGreaterThanOrEqual(100);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

/** A folder of faults with these files, each a list of names. */
function folderOf(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = temporaryFolder(onTestFinished);
  for (const [file, names] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const list = names.map((name) => `{ name: '${name}', chapters: [], edits: [] }`);
    writeFileSync(join(folder, file), `export default [${list.join(', ')}];\n`);
  }
  return folder;
}

test('files of faults are found at any depth, others are not', async () => {
  const folder = folderOf({
    'watch/bookmarks.faults.ts': ['a bookmark has no kind'],
    'lists/paging.faults.ts': ['a page is empty', 'a page has no end'],
    'lists/more.ts': ['nonsense'],
  });
  const found = await loadCorpus(folder);
  expect(found.map(({ name, faults: own }) => `${name}: ${own.length}`)).toEqual([
    'lists/paging: 2',
    'watch/bookmarks: 1',
  ]);
  expect(found.map(roomOf)).toEqual(['lists', 'watch']);
});

test('two faults of one name are a mistake', async () => {
  const folder = folderOf({
    'lists/paging.faults.ts': ['a page is empty'],
    'content/tables.faults.ts': ['a page is empty'],
  });
  await expect(loadCorpus(folder)).rejects.toThrow(
    'the fault "a page is empty" stands in content/tables and in lists/paging',
  );
});

test.each([
  ['lists', 3],
  ['lists/paging', 2],
  ['paging', 2],
  ['an empty', 1],
  ['', 4],
])('%j names %d faults', (words, count) => {
  const named = (...names: readonly string[]) => names.map((name) => ({ name, chapters: [] }));
  const all = [
    { name: 'lists/paging', faults: named('an empty page', 'a page of lists') },
    { name: 'lists/versions', faults: named('a version of lists') },
    { name: 'content/tables', faults: named('a table of lists') },
  ];
  expect(chosenOf(all, words).flatMap((subject) => subject.faults)).toHaveLength(count);
});

test('each fault offends chapters that the documents have', () => {
  for (const { name, chapters: offended } of faults) {
    expect(offended.length, name).toBeGreaterThan(0);
    for (const chapter of offended) expect(chapters, name).toContain(chapter);
  }
});

test('no two faults are one and the same', () => {
  const byEdits = Map.groupBy(
    faults.filter(({ edits }) => edits),
    ({ edits }) => JSON.stringify(edits),
  );
  const names = [...byEdits.values()].filter(({ length }) => length > 1).map((same) => same.map(({ name }) => name));
  expect(names).toEqual([]);
});

test('what each slip changes stands in the source as it is today', () => {
  const stale = faults.flatMap(({ name, edits = [] }) =>
    edits.flatMap((edit) => {
      const reason = staleness(edit);
      return reason ? [`${name}: ${reason}`] : [];
    }),
  );
  expect(stale).toEqual([]);
});
