import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Of the working tree, without what is fetched or built. */
const files = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root, exclude: ['node_modules', 'dist'] }).map((file) => file.replaceAll('\\', '/'));

test('each source file that a document names is there', () => {
  const sources = files('**/*.ts').map((file) => `/${file}`);
  const isThere = (named: string): boolean => sources.some((file) => file.endsWith(posix.join('/', named)));
  const gone = files('**/*.md')
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/`([\w./-]+\.ts)`/g)]
        .map(([, named = '']) => named)
        .filter((named) => !isThere(named))
        .map((named) => `${file}: ${named}`),
    );
  expect(gone).toEqual([]);
});
