import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const names = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

/** Nobody has chosen here. */
const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));

/** Tells of these names whenever a process begins, and what it would hand on to those that it starts. */
const teller = `
  const told = () => console.error(JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name] ?? null)));
  told();
  process.on('exit', told);
`;

/** What was told, in its order. */
function begun(args: readonly string[], env: Record<string, string> = {}): readonly (readonly (string | null)[])[] {
  const preload = `data:text/javascript,${encodeURIComponent(teller)}`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', preload, join(import.meta.dirname, 'launch.js'), ...args],
    { encoding: 'utf8', env: { ...bare, ...env }, timeout: 20_000 },
  );
  return stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const [unset, chosen] = [
  [null, null, null],
  ['1', '131072', '131072'],
];

describe('the command that any Node reads', () => {
  it.runIf(process.platform === 'linux')('gives back what the threads of a run have freed', () => {
    expect(begun(['conformance', '--list'])).toEqual([unset, chosen, unset]);
  });

  it('leaves it where somebody has chosen, and for all that has one thread', () => {
    const own = ['4', null, null];
    expect(begun(['conformance', '--list'], { MALLOC_ARENA_MAX: '4' })).toEqual([own, own]);
    expect(begun(['--version'])).toEqual([unset, unset]);
  });
});
