import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { loadSections } from './sections.ts';

const rule = (id: string): string => `{ id: '${id}', sabotages: [{}], needs: [], check: async () => {} }`;

/** A folder of rules with these files, each a list of ids. */
function folderOf(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = temporaryFolder(onTestFinished);
  for (const [name, ids] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `export default [${ids.map(rule).join(', ')}];\n`);
  }
  return folder;
}

test('files of rules are found at any depth, others are not', async () => {
  const folder = folderOf({
    'verbs.rules.ts': ['verbs.get'],
    'lists/rv.rules.ts': ['lists.rv.continue.zero'],
    'lists/more.ts': ['lists.nonsense'],
  });
  const sections = await loadSections(folder);
  expect(sections.map(({ prefix, rules }) => `${prefix}: ${rules.map(({ id }) => id)}`)).toEqual([
    'lists.rv: lists.rv.continue.zero',
    'verbs: verbs.get',
  ]);
});

test.each([
  ['a rule in the wrong file', { 'lists/rv.rules.ts': ['verbs.get'] }, 'verbs.get does not belong into'],
  ['a rule that the documents do not hold', { 'verbs.rules.ts': ['verbs.dance'] }, 'verbs.dance'],
  [
    'a rule that stands twice',
    { 'lists/rv.rules.ts': ['lists.rv.continue.zero'], 'lists.rules.ts': ['lists.rv.continue.zero'] },
    'defined twice',
  ],
])('%s is a mistake', async (_, files, message) => {
  await expect(loadSections(folderOf(files))).rejects.toThrow(message);
});
