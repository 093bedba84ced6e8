import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';

const module = new URL('until-told.ts', import.meta.url).href;
/** Tells when it was told to end, and goes on. */
const code = `const { untilTold } = await import(${JSON.stringify(module)});
  void untilTold().then(() => process.stdout.write('told'));
  setInterval(() => {}, 1000);
  process.stdout.write('begun');`;

it.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
  ['SIGHUP', 'SIGTERM'],
] as const)('%s is an end in good order, and %s after it one at once', async (first, second) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = async () => String((await once(child.stdout as Readable, 'data'))[0]);
  expect(await said()).toBe('begun');
  child.kill(first);
  expect(await said()).toBe('told');
  const ended = once(child, 'exit');
  child.kill(second);
  const late = setTimeout(() => child.kill('SIGKILL'), 2000);
  expect(await ended).toEqual([1, null]);
  clearTimeout(late);
});

it('a terminal that is closed says so twice, and the end stays one in good order', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = async () => String((await once(child.stdout as Readable, 'data'))[0]);
  expect(await said()).toBe('begun');
  child.kill('SIGHUP');
  expect(await said()).toBe('told');
  const ended = once(child, 'exit');
  child.kill('SIGHUP');
  setTimeout(() => child.kill('SIGKILL'), 300);
  expect(await ended).toEqual([null, 'SIGKILL']);
});
