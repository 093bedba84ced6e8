import { expect, it } from 'vitest';
import { ManualTimers } from '../../base/manual-timers.fixture.ts';
import { Shared } from './freshness.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Questions whose answers are their numbers, and time that passes only when it is told to. */
function questions() {
  const timers = new ManualTimers();
  const open: PromiseWithResolvers<number>[] = [];
  const ask = () => {
    const question = Promise.withResolvers<number>();
    open.push(question);
    return question.promise;
  };
  const shared = new Shared(ask, timers, () => timers.now);
  const pass = async (milliseconds: number) => {
    timers.advance(milliseconds);
    await settled();
  };
  return { open, shared, pass, answer: (number: number) => open[number]?.resolve(number) };
}

it('is asked at once, and once for all that come in the same turn after it', async () => {
  const { open, shared, pass, answer } = questions();
  const first = shared.now();
  expect(open).toHaveLength(1);
  const others = [shared.now(), shared.now(), shared.now()];
  await pass(0);
  expect(open).toHaveLength(2);
  answer(1);
  expect(await Promise.all(others)).toEqual([1, 1, 1]);
  answer(0);
  expect(await first).toBe(0);
});

it('is not asked a third time while two are on their way', async () => {
  const { open, shared, pass, answer } = questions();
  void shared.now();
  void shared.now();
  await pass(1);
  const late = shared.now();
  await pass(10);
  expect(open).toHaveLength(2);
  answer(1);
  await settled();
  expect(open).toHaveLength(3);
  answer(2);
  expect(await late).toBe(2);
});

it('waits a little after a question that many share', async () => {
  const { open, shared, pass, answer } = questions();
  void shared.now();
  const many = Array.from({ length: 6 }, () => shared.now());
  await pass(0);
  answer(0);
  answer(1);
  await Promise.all(many);
  const late = [shared.now(), shared.now()];
  await pass(1.25);
  expect(open).toHaveLength(2);
  await pass(0.25);
  answer(2);
  expect(await Promise.all(late)).toEqual([2, 2]);
});

it('asks the next one though one failed', async () => {
  const { open, shared, pass, answer } = questions();
  const first = shared.now();
  const second = shared.now();
  open[0]?.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await pass(0);
  answer(1);
  expect(await second).toBe(1);
});
