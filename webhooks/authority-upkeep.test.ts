import { expect, it, onTestFinished } from 'vitest';
import { AuthorityUpkeep } from './authority-upkeep.ts';

function upkeepOf(authority: string) {
  const told: string[] = [];
  const reported: unknown[] = [];
  const state = { authority, fails: false };
  const upkeep = new AuthorityUpkeep({
    read: () => state.authority,
    async tell(each) {
      if (state.fails) throw new Error('not now');
      told.push(each);
    },
    report: (error) => reported.push(error),
  });
  onTestFinished(() => upkeep.stop());
  return { upkeep, told, reported, state };
}

it('tells of an authority once, and of another when there is one', async () => {
  const { upkeep, told, state } = upkeepOf('one');
  await upkeep.start();
  await upkeep.look();
  expect(told).toEqual(['one']);
  state.authority = 'two';
  await Promise.all([upkeep.look(), upkeep.look()]);
  await upkeep.look();
  expect(told).toEqual(['one', 'two']);
});

it('tells again what could not be told, and says why', async () => {
  const { upkeep, told, reported, state } = upkeepOf('one');
  await upkeep.start();
  Object.assign(state, { authority: 'two', fails: true });
  await upkeep.look();
  expect([told, reported]).toEqual([['one'], [new Error('not now')]]);
  state.fails = false;
  await upkeep.look();
  expect(told).toEqual(['one', 'two']);
});

it('tells nobody before it starts, and does not start when it cannot tell', async () => {
  const { upkeep, told, reported, state } = upkeepOf('one');
  await upkeep.look();
  state.fails = true;
  await expect(upkeep.start()).rejects.toThrow('not now');
  expect([told, reported]).toEqual([[], []]);
});
