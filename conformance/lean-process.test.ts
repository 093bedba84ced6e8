import { expect, it } from 'vitest';
import { leanStart } from './lean-process.ts';

const begun = {
  execPath: '/bin/node',
  execArgv: ['--import', 'x'],
  argv: ['/bin/node', 'main.ts', 'judge'],
  env: { A: 'b' },
};

it('begins anew with the same arguments and settings for little memory', () => {
  expect(leanStart(begun)).toEqual({
    args: ['/bin/node', '--optimize-for-size', '--import', 'x', 'main.ts', 'judge'],
    env: { A: 'b', MALLOC_ARENA_MAX: '1' },
  });
});

it('keeps what somebody chose', () => {
  expect(leanStart({ ...begun, env: { MALLOC_ARENA_MAX: '4' } })?.env).toEqual({ MALLOC_ARENA_MAX: '4' });
});

it('does so once', () => {
  expect(leanStart({ ...begun, execArgv: ['--optimize-for-size'] })).toBeUndefined();
});
