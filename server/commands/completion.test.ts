import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { completion, flagsIn } from './completion.ts';

const commands = [
  { name: 'serve', about: "start the server: it's small", flags: ['secure-port', 'secure-cookies'], words: [] },
  { name: 'down', about: 'end it', flags: [], words: ['now', 'later'] },
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
    [
      ['touchstone', 'down', ''],
      ['now', 'later'],
    ],
  ])('%j offers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});

/** What zsh would offer: its own functions for that print their arguments instead. */
function offeredByZsh(...words: readonly string[]): string[] {
  const script = `compdef() { }; compadd() { shift; print -l -- $@ }; _files() { print files }
_describe() { print -l -- \${(P)2%%:*} }
${completion('zsh', commands)}
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _touchstone`;
  return spawnSync('zsh', ['-fc', script], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

describe.runIf(has('zsh'))('in zsh', () => {
  it.each([
    [
      ['touchstone', ''],
      ['serve', 'down'],
    ],
    [
      ['touchstone', 'serve', '--'],
      ['--secure-port', '--secure-cookies'],
    ],
    [['touchstone', 'serve', ''], ['files']],
    [
      ['touchstone', 'down', ''],
      ['now', 'later'],
    ],
  ])('%j offers %j', (words, expected) => {
    expect(offeredByZsh(...words)).toEqual(expected);
  });
});

/** What fish offers for a line, without what it says of it. */
function offeredByFish(line: string): string[] {
  const script = `${completion('fish', commands)}\ncomplete -C '${line}'`;
  const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
}

describe.runIf(has('fish'))('in fish', () => {
  it.each([
    ['touchstone ', ['down', 'serve']],
    ['touchstone serve --sec', ['--secure-cookies', '--secure-port']],
    ['touchstone down ', ['later', 'now']],
  ])('%s offers %j', (line, expected) => {
    expect(offeredByFish(line).toSorted()).toEqual(expected);
  });
});

describe.each(['zsh', 'fish', 'bash'] as const)('the script for %s', (shell) => {
  it.runIf(has(shell))('is one that the shell can read', () => {
    const file = join(temporaryFolder(onTestFinished), 'completion');
    writeFileSync(file, completion(shell, commands));
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('knows every command and flag', () => {
    const text = completion(shell, commands);
    for (const word of ['serve', 'down', 'secure-port', 'secure-cookies']) expect(text).toContain(word);
  });
});

it('finds flags in a help text', () => {
  expect(flagsIn('Usage: x\n\n  --one NAME  of --two\n  --three\n        not --four\n')).toEqual(['one', 'three']);
});
