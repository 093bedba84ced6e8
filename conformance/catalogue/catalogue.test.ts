import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadSections, prefixOf, rulesFolder } from '../runner/sections.ts';
import { catalogue, entryOf, parseChapter } from './catalogue.ts';

test('the catalogue holds every documented rule once', () => {
  expect(catalogue).toHaveLength(976);
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(976);
});

test('the catalogue counts as the documents do', () => {
  const count = (key: 'level' | 'where', value: string): number =>
    catalogue.filter((entry) => entry[key] === value).length;
  expect(['must', 'should', 'may'].map((level) => count('level', level))).toEqual([934, 8, 34]);
  expect(['api', 'config', 'controller', 'client', 'internal'].map((where) => count('where', where))).toEqual([
    716, 112, 92, 44, 12,
  ]);
});

test('every entry says where it stands and what it means', () => {
  for (const { id, chapter, source, statement } of catalogue) {
    expect(id).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    expect(id.startsWith(`${chapter}.`)).toBe(true);
    expect(source, id).toMatch(/^(Conventions|Kinds), \S/);
    expect(statement, id).toMatch(/^.{15,}[.`]?$/);
  }
});

test('each file of the catalogue holds the chapter it is named for', () => {
  for (const { chapter } of catalogue) {
    const file = new URL(`${chapter}.md`, import.meta.url);
    expect(parseChapter(readFileSync(file, 'utf8'), chapter).every((entry) => entry.chapter === chapter)).toBe(true);
  }
});

test('a row with a cell too few is told with its place', () => {
  expect(() => parseChapter('| id |\n| `a.b` | must | api | - | source |', 'a.md')).toThrow(
    'a.md:2: 5 cells instead of 6',
  );
});

test('an unknown id is an error', () => {
  expect(() => entryOf('lists.paging.nonsense')).toThrow('lists.paging.nonsense');
});

test('every rule is documented, stands in the file its id begins with, and can fail', async () => {
  const sections = await loadSections();
  expect(sections.length).toBeGreaterThan(20);
  for (const { prefix, rules } of sections) {
    for (const { id, sabotages } of rules) {
      expect(id.startsWith(`${prefix}.`)).toBe(true);
      expect(sabotages.length, id).toBeGreaterThan(0);
    }
  }
});

test('the path of a file is the beginning of the ids in it', () => {
  expect(prefixOf(`${rulesFolder}/lists/paging.rules.ts`)).toBe('lists.paging');
  expect(prefixOf(`${rulesFolder}/names.rules.ts`)).toBe('names');
});
