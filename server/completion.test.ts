import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completion, flagsIn } from './completion.ts';

const commands = [
  { name: 'serve', about: "start the server: it's small", flags: ['secure-port', 'secure-cookies'] },
  { name: 'down', about: 'end it', flags: [] },
];
const has = (shell: string) => !spawnSync(shell, ['-c', 'true']).error;

/** What bash would offer for these words. */
function offered(...words: readonly string[]): string[] {
  const script = `${completion('bash', commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

describe.runIf(has('bash'))('in bash', () => {
  it.each([
    [
      ['touchstone', ''],
      ['serve', 'down'],
    ],
    [['touchstone', 'se'], ['serve']],
    [
      ['touchstone', 'serve', '--sec'],
      ['--secure-port', '--secure-cookies'],
    ],
    [['touchstone', 'down', '--'], []],
  ])('%j offers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});

describe.each(['zsh', 'fish', 'bash'] as const)('the script for %s', (shell) => {
  it.runIf(has(shell))('is one that the shell can read', () => {
    expect(spawnSync(shell, ['-n'], { input: completion(shell, commands), encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('knows every command and flag', () => {
    const text = completion(shell, commands);
    for (const word of ['serve', 'down', 'secure-port', 'secure-cookies']) expect(text).toContain(word);
  });
});

it('finds flags in a help text', () => {
  expect(flagsIn('Usage: x\n\n  --one NAME  of --two\n  --three\n        not --four\n')).toEqual(['one', 'three']);
});
