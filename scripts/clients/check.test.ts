import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import type { Adapter } from './adapters.ts';
import { checkTours } from './check.ts';
import type { Toured } from './tour.ts';

const adapter = (name: string, command: Adapter['command'] = async () => [name]): Adapter => ({ name, command });

async function checked(adapters: readonly Adapter[], tours: Readonly<Record<string, Toured>> = {}, within = 60_000) {
  vi.stubEnv('XDG_CACHE_HOME', temporaryFolder(onTestFinished));
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const go = async ([name = '']: readonly string[]) => tours[name];
  return { isWell: await checkTours(adapters, within, (line) => lines.push(line), go), lines };
}

it('tells of each client in turn, and whether all went well', async () => {
  const good = new Map([
    ['crud', ''],
    ['scale', ''],
  ]);
  const both = [adapter('good'), adapter('at home')];
  expect(await checked(both, { good })).toEqual({
    isWell: true,
    lines: ['good     2 topics', 'at home  goes on no tour'],
  });
  const bad = new Map([
    ['crud', ''],
    ['scale', 'expected 3, seen 2'],
  ]);
  expect(await checked([adapter('bad'), adapter('good')], { good, bad })).toEqual({
    isWell: false,
    lines: ['bad   scale: expected 3, seen 2', 'good  2 topics'],
  });
});

it('leaves out who cannot be had, and says why', async () => {
  const missing = adapter('missing', async ({ fetch }) => {
    await fetch('no-such-toolchain', ['install']);
    return [];
  });
  const offline = adapter('offline', async ({ fetch }) => {
    await fetch('sh', ['-c', 'echo "no registry is reached" >&2; exit 1']);
    return [];
  });
  expect(await checked([missing, offline])).toEqual({
    isWell: true,
    lines: ['missing  left out: spawn no-such-toolchain ENOENT', 'offline  left out: no registry is reached'],
  });
});

it('takes a program of ours that cannot be made for broken', async () => {
  const broken = adapter('broken', async ({ build }) => {
    await build('sh', ['-c', 'echo "a brace is missing" >&2; exit 1']);
    return [];
  });
  const { isWell, lines } = await checked([broken]);
  expect(isWell).toBe(false);
  expect(lines.join('\n')).toMatch(/^broken {2}cannot be made: (?:.|\n)*a brace is missing/);
});

it('leaves out what would take too long', async () => {
  const slow = adapter('slow', async ({ build }) => {
    await build('sleep', ['600']);
    return [];
  });
  const late = adapter('late', async ({ fetch }) => {
    await fetch('true', []);
    return [];
  });
  expect(await checked([slow, late], {}, 100)).toEqual({
    isWell: true,
    lines: ['slow  left out: there was no time left', 'late  left out: there was no time left'],
  });
});

it('makes programs in a folder that the next run finds again', async () => {
  const folders: string[] = [];
  const one = adapter('one', async ({ folder }) => {
    folders.push(folder('one'));
    return ['one'];
  });
  await checked([one, one]);
  expect(folders[0]).toMatch(/\/touchstone\/clients\/one$/);
  expect(folders[1]).toBe(folders[0]);
});
