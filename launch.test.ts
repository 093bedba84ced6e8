import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
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

const preload = ['--import', `data:text/javascript,${encodeURIComponent(teller)}`];
const launcher = join(import.meta.dirname, 'launch.js');

type Told = readonly (readonly (string | null)[])[];

const toldIn = (stderr: string): Told =>
  stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What was told, in its order. */
function begun(args: readonly string[], env: Record<string, string> = {}): Told {
  const options = { encoding: 'utf8', env: { ...bare, ...env }, timeout: 20_000 } as const;
  return toldIn(spawnSync(process.execPath, [...preload, launcher, ...args], options).stderr);
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

  it('leaves it where another process of Node talks with it, which it would not hear any more', async () => {
    const child = fork(launcher, ['conformance', '--list'], { execArgv: preload, env: bare, silent: true });
    const stderr = text(child.stderr as Readable);
    child.stdout?.resume();
    await once(child, 'exit');
    expect(toldIn(await stderr)).toEqual([unset, unset]);
  });

  it('says in a sentence that it does not run on Deno', () => {
    const deno = ['--import', 'data:text/javascript,globalThis.Deno = {}'];
    const { status, stderr } = spawnSync(process.execPath, [...deno, launcher, '--version'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^touchstone runs on Node: .+\n$/)]);
  });
});
