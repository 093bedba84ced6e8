import { expect, test } from 'vitest';
import { giveBack, type Undo } from './undo.ts';

test('what a write took is given back in reverse, once, though some of it fails', async () => {
  const done: string[] = [];
  const undo: Undo = [
    () => void done.push('first'),
    () => {
      done.push('second');
      throw new Error('of the second');
    },
    async () => {
      done.push('third');
      throw new Error('of the third');
    },
  ];
  await expect(giveBack(undo)).rejects.toThrow('of the third');
  expect(done).toEqual(['third', 'second', 'first']);
  await giveBack(undo);
  expect(done.length).toBe(3);
});
