import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** An agent that has run two processes, of which one has ended, and has begun something of its own. */
const agent = (folder: string): string => `
import { spawn } from 'node:child_process';
import { endOf, start } from ${JSON.stringify(join(import.meta.dirname, 'container-process.ts'))};
import { guardFolder } from ${JSON.stringify(join(import.meta.dirname, 'guard.ts'))};
guardFolder(${JSON.stringify(join(folder, 'none'))});
guardFolder(${JSON.stringify(folder)});
guardFolder(${JSON.stringify(join(folder, 'none'))});
const run = (...argv) => start({ argv, env: process.env, cwd: '/' });
await endOf(await run('true'));
const parent = await run('sh', '-c', 'sleep 600 & echo $!; wait');
parent.stdout.once('data', (text) => console.log(JSON.stringify([parent.pid, Number(text)])));
`;

it('ends the processes of an agent that is killed, all that they started, and its folder', async () => {
  const folder = join(temporaryFolder(onTestFinished), 'with a space');
  mkdirSync(folder);
  const child = spawn(process.execPath, ['--input-type=module', '-e', agent(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const pids: readonly number[] = JSON.parse(line);
    expect(pids.map(lives)).toEqual([true, true]);
    child.kill('SIGKILL');
    await expect.poll(() => pids.map(lives)).toEqual([false, false]);
    await expect.poll(() => existsSync(folder)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
