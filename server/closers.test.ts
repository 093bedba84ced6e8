import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { Closers } from './closers.ts';

it('ends what began last first, each once, whatever fails, and tells the first failure', async () => {
  const closers = new Closers();
  const ended: string[] = [];
  closers.add(() => ended.push('store'));
  closers.add(() => {
    ended.push('watches');
    throw new Error('the watches would not end');
  });
  closers.add(async () => ended.push('door'));
  const [first, second] = [closers.close(), closers.close()];
  await expect(first).rejects.toThrow('the watches would not end');
  await expect(second).rejects.toThrow('the watches would not end');
  expect(ended).toEqual(['door', 'watches', 'store']);
});

it('keeps the process alive until all has ended, whatever is waited for', async () => {
  const script = `
    import { Closers } from '${new URL('closers.ts', import.meta.url)}';
    import { pause, systemTimers } from '${new URL('base/time/timers.ts', import.meta.url)}';
    const closers = new Closers();
    closers.add(() => pause(systemTimers, 20));
    await closers.close();
    console.log('ended');
  `;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  await expect(run).resolves.toMatchObject({ stdout: 'ended\n' });
});
