import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('has nothing beside what is alone, and all else at once, also where something fails', async () => {
  const turns = new Turns();
  const told: string[] = [];
  const act =
    (name: string, fails = false) =>
    async (): Promise<void> => {
      told.push(`${name} begins`);
      await pause(5);
      told.push(`${name} ends`);
      if (fails) throw new Error(name);
    };
  const all = [
    turns.take(false, act('one', true)),
    turns.take(false, act('two')),
    turns.take(true, act('alone', true)),
    turns.take(false, act('three')),
    turns.take(true, act('last')),
  ];
  await Promise.allSettled(all);
  expect(told.join(', ')).toBe(
    'one begins, two begins, one ends, two ends, alone begins, alone ends, three begins, three ends, last begins, last ends',
  );
});
