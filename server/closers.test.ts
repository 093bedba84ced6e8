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
