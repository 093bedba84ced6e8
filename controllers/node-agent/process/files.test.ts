import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import { type Files, writeFiles } from './files.ts';

const files = (texts: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { content: Buffer.from(text), mode: 0o600 }]));

const parent = temporaryFolder();

test('a file that changes takes the place of no other, whatever they are called', () => {
  const folder = join(parent, 'volume');
  writeFiles(folder, files({ 'a.new': '1', a: '1', 'deep/a': '1' }));
  writeFiles(folder, files({ 'a.new': '1', a: '2', 'deep/a': '2' }));
  const [other, changed, deep] = ['a.new', 'a', 'deep/a'].map((path) => readFileSync(join(folder, path), 'utf8'));
  expect([other, changed, deep]).toEqual(['1', '2', '2']);
  expect(readdirSync(parent)).toEqual(['volume']);
});
