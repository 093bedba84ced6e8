import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isOver } from '../../base/turns/loop-turn.ts';
import { endTogether } from './end-together.ts';

/** Notes what is ended, in order. */
function noting() {
  const ended: string[] = [];
  const answer = (name: string) => ({ end: (bytes: Buffer) => void ended.push(`${name} ${bytes}`) });
  return { ended, answer };
}

test('answers of one turn are ended at its end, in their order', async () => {
  const { ended, answer } = noting();
  endTogether(answer('first'), Buffer.from('1'));
  await Promise.resolve();
  endTogether(answer('second'), Buffer.from('2'));
  expect(ended, 'in the turn').toEqual([]);
  await setImmediate();
  expect(ended).toEqual(['first 1', 'second 2']);
  await setImmediate();
  expect(ended, 'and no more').toHaveLength(2);
});

test('many answers of one turn do not wait for all of them', async () => {
  const { ended, answer } = noting();
  for (let index = 0; index < 40; index++) endTogether(answer(`${index}`), Buffer.from('x'));
  expect(ended, 'in the turn').toHaveLength(32);
  await setImmediate();
  expect(ended).toEqual(Array.from({ length: 40 }, (_, index) => `${index} x`));
});

test('an answer that comes as others are ended goes with the next', async () => {
  const { ended, answer } = noting();
  const late = answer('late');
  endTogether({ end: () => endTogether(late, Buffer.from('x')) }, Buffer.from('x'));
  await setImmediate();
  expect(ended).toEqual([]);
  await setImmediate();
  expect(ended).toEqual(['late x']);
});

test('answers do not wait for long work of their turn', () => {
  const { ended, answer } = noting();
  endTogether(answer('first'), Buffer.from('x'));
  isOver();
  expect(ended).toEqual(['first x']);
  endTogether(answer('second'), Buffer.from('x'));
  isOver();
  expect(ended).toEqual(['first x', 'second x']);
});
