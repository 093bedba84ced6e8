import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';

const statements = new Map(catalogue.map(({ id, statement }) => [id, statement]));

/** A rule that a file writes out by its name, with the lines of comment above it. */
const written =
  /^((?: {2}\/\/ .*\n)*) {2}\w+(?:<\w+>)?\((?:\{ id: |\n {4}|\{\n(?: {4}(?!id: ).*\n){0,6}? {4}id: )?'([a-z][\w.-]+)'/gm;

const sentenceOf = (comment: string) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^ {2}\/\/ /, ''))
    .join(' ')
    .trim();

const suite = join(import.meta.dirname, '..');

const places = globSync('{rules,parties}/**/*.ts', { cwd: suite })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(join(suite, file), 'utf8').matchAll(written)].map(([, comment = '', id = '']) => ({
      file,
      id,
      sentence: sentenceOf(comment),
    })),
  )
  .filter(({ id }) => statements.has(id));

describe('the sentence of the catalogue', () => {
  // Notes on the check may stand before it.
  it('stands above the check of each rule that a file writes out', () => {
    const wrong = places.filter(({ id, sentence }) => !sentence.endsWith(statements.get(id) ?? id));
    expect(wrong.map(({ file, id }) => `${file}: above ${id} belongs: ${statements.get(id)}`)).toEqual([]);
  });

  it('is found where it stands', () => expect(places.length).toBeGreaterThan(700));
});
