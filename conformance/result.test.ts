import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findingOf } from './result.ts';

/** What a function throws, as if it had been called by the frame of a stack. */
function thrown(work: () => unknown, frame?: string): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof Error && frame !== undefined) error.stack = `${error.name}: ${error.message}\n    at ${frame}`;
    return error;
  }
  return undefined;
}

const nothing: { readonly metadata?: { readonly name: string } } = {};
const readsNothing = (): unknown => (nothing.metadata as { readonly name: string }).name;

it.each([
  ['a member of what is not there, in a rule', () => thrown(readsNothing, 'check (/x/rules/lists.rules.ts:3:5)')],
  ['the same in a compiled rule', () => thrown(readsNothing, 'check (/x/rules/lists.rules.js:3:5)')],
  ['the same in what rules share', () => thrown(readsNothing, 'read (/x/verbs/protobuf.js:3:5)')],
  [
    'the same in a part of several checks',
    () => thrown(readsNothing, 'read (/x/conformance/checks/lists/list-pages.ts:3:5)'),
  ],
  ['the same beside rules', () => thrown(readsNothing, 'read (/x/conformance/rules/update-rules.ts:3:5)')],
  ['no JSON', () => thrown(() => JSON.parse('{'))],
  ['no YAML', () => thrown(() => parse('on: 1\nyes: 2\n', { version: '1.1' }))],
  ['a time that is none', () => thrown(() => new Date('x').toISOString(), 'at (/x/rules/meta.rules.js:1:1)')],
])('an answer that cannot be read speaks against the server: %s', (_, error) => {
  expect(findingOf(error())).toMatchObject({ kind: 'malformed' });
});

it.each([
  ['in the machinery', () => thrown(readsNothing, 'play (/x/runner/player.js:3:5)')],
  ['that says so itself', () => new Error('broken')],
  ['that is no error', () => 'words'],
])('a fault of the suite does not: one %s', (_, error) => {
  expect(findingOf(error())).toMatchObject({ kind: 'crash' });
});
