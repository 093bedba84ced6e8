import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { inputEnds, readsInput } from './input.ts';

describe('a command reads its input', () => {
  const ends = { tty: false, endless: false };
  const older = { tty: false, endless: true };
  const terminal = { tty: true, endless: true };

  test.each([
    ['where the end of it can be told', 'psql', ends],
    ['when it unpacks', 'tar xf - -C /', older],
    ['when it is a shell with nothing to do', '/bin/bash', older],
    ['when it is a shell in a terminal', 'sh -c bash||sh', terminal],
  ])('%s', (_when, line, streams) => {
    expect(readsInput(line.split(' '), streams)).toBe(true);
  });

  test.each([
    ['in a terminal when it is no shell', 'ls -x', terminal],
    ['where its end cannot be told and it is no shell', 'ls', older],
    ['where its end cannot be told and the shell has something to do', 'sh -c ls', older],
    ['where its end cannot be told and it packs', 'tar cf - /etc/motd', older],
  ])('but not %s', (_when, line, streams) => {
    expect(readsInput(line.split(' '), streams)).toBe(false);
  });
});

describe('input ends', () => {
  test.each([
    ['Ctrl-C', ['\u0003']],
    ['Ctrl-D', ['\u0004']],
    ['exit, letter by letter', ['l', 's', '\r', 'e', 'x', 'i', 't', '\r']],
  ])('in a terminal by %s', async (_name, typed) => {
    const stdin = new PassThrough();
    for (const each of typed) stdin.write(each);
    await inputEnds(stdin, true);
  });

  test('elsewhere with its last byte alone', async () => {
    const stdin = new PassThrough();
    const ended = inputEnds(stdin, false).then(() => 'ended');
    stdin.write('\u0003\u0004\nexit\n');
    expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'open'))])).toBe('open');
    stdin.end();
    expect(await ended).toBe('ended');
  });

  test('when the client has gone', async () => {
    const stdin = new PassThrough();
    const ended = inputEnds(stdin, true);
    stdin.destroy();
    await ended;
  });
});
