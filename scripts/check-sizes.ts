#!/usr/bin/env node
// Proves that code is in small pieces: no function over 60 lines, 94 of 100 of those of several lines within 22 (which are
// well over 95 of all functions), no file over 300. Tests do not count. Exit 1 with one line for each piece that is too large.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forAll } from './for-all.ts';

const root = join(import.meta.dirname, '..');
const parts = ['touchstone.ts', ...forAll, 'server', 'conformance', 'controllers', 'webhooks', 'fixtures', 'scripts'];

const mostLines = { ofFile: 300, ofFunction: 60, ofMost: 22 };
/** How many functions in a hundred may have more lines than most. */
const longAtMost = 6;

interface Place {
  readonly path: string;
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

/** The linter finds functions: told that one line is too much, it names all that have more. */
function functions(): readonly Place[] {
  const config = `--config-path=${join(root, 'scripts/function-lengths.biome.json')}`;
  const report = lint(['lint', config, '--max-diagnostics=none', '--reporter=json', ...parts]);
  return (JSON.parse(report) as { diagnostics: { location: Place }[] }).diagnostics.map(({ location }) => location);
}

/** What the linter prints; it ends with an error because it finds something. */
function lint(args: readonly string[]): string {
  try {
    return execFileSync('biome', args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 });
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? '';
  }
}

const isTest = (file: string) => /\.(?:test|fixture|contract)\.ts$/.test(file);

const lengths = functions().map(({ path, start, end }) => ({
  at: `${path}:${start.line}`,
  lines: end.line - start.line + 1,
}));
const files = globSync('{server,conformance,controllers,webhooks,fixtures,scripts}/**/*.{ts,js,css,html}', {
  cwd: root,
})
  .filter((file) => !isTest(file))
  .map((file) => ({ at: file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }));

const tooLarge = [
  ...lengths
    .filter(({ lines }) => lines > mostLines.ofFunction)
    .map(({ at, lines }) => `${at} has ${lines} lines, more than a function may`),
  ...files
    .filter(({ lines }) => lines > mostLines.ofFile)
    .map(({ at, lines }) => `${at} has ${lines} lines, more than a file may`),
];
const long = (lengths.filter(({ lines }) => lines > mostLines.ofMost).length / lengths.length) * 100;
if (!(long <= longAtMost)) {
  tooLarge.push(`${long.toFixed(1)} of 100 functions have more than ${mostLines.ofMost} lines; ${longAtMost} may`);
}
for (const each of tooLarge) console.error(each);
console.log(
  `${lengths.length} functions in ${files.length} files: ${long.toFixed(1)} of 100 have over ${mostLines.ofMost} lines`,
);
process.exitCode = tooLarge.length > 0 ? 1 : 0;
