import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each([
  '/home/you/.touchstone/kubeconfig-6443',
  '/a b/c',
  "it's",
  '$HOME',
  '~/x',
  '',
  'a=b',
  'a;b',
  '"',
  '\n',
  '*',
])('a shell reads %j as it is', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
});

test('a plain path has no quotes', () => expect(shellWord('/x/y-1.z')).toBe('/x/y-1.z'));
