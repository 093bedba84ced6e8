import { setImmediate as settled } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { Shared } from './freshness.ts';

/** Questions whose answers are their numbers, and turns that end only when they are told to. */
function questions() {
  const timers = new ManualTimers();
  const open: PromiseWithResolvers<number>[] = [];
  const ask = () => {
    const question = Promise.withResolvers<number>();
    open.push(question);
    return question.promise;
  };
  const shared = new Shared(ask, timers, () => timers.now);
  const endTurn = async (milliseconds = 0) => {
    await settled();
    timers.advance(milliseconds);
    await settled();
  };
  return { open, shared, endTurn };
}

it('is asked once for all that come in the same turn', async () => {
  const { open, shared, endTurn } = questions();
  const all = [shared.now(), shared.now(), shared.now()];
  await endTurn();
  expect(open).toHaveLength(1);
  open[0]?.resolve(0);
  expect(await Promise.all(all)).toEqual([0, 0, 0]);
  await endTurn();
  expect(open).toHaveLength(1);
});

it('waits as long as each turn brings more, but not for longer than two milliseconds', async () => {
  const { open, shared, endTurn } = questions();
  const all = [shared.now()];
  await settled();
  for (const milliseconds of [0.9, 0.9]) {
    all.push(shared.now());
    await endTurn(milliseconds);
    expect(open).toHaveLength(0);
  }
  all.push(shared.now());
  await endTurn(0.9);
  expect(open).toHaveLength(1);
  open[0]?.resolve(0);
  expect(await Promise.all(all)).toEqual([0, 0, 0, 0]);
});

it('answers nobody by a question that was asked before, and all who came meanwhile by the next', async () => {
  const { open, shared, endTurn } = questions();
  const first = shared.now();
  await endTurn();
  const meanwhile = [shared.now(), shared.now()];
  await endTurn();
  expect(open).toHaveLength(1);
  open[0]?.resolve(0);
  expect(await first).toBe(0);
  meanwhile.push(shared.now());
  await endTurn();
  await endTurn();
  const late = shared.now();
  open[1]?.resolve(1);
  expect(await Promise.all(meanwhile)).toEqual([1, 1, 1]);
  await endTurn();
  open[2]?.resolve(2);
  expect(await late).toBe(2);
});

it('asks the next one though one failed', async () => {
  const { open, shared, endTurn } = questions();
  const first = shared.now();
  await endTurn();
  const second = shared.now();
  open[0]?.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await endTurn();
  open[1]?.resolve(1);
  expect(await second).toBe(1);
});
