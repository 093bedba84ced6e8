import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import { Turns } from './turns.ts';

test('turns on one key come one after another, those on another key beside them', async () => {
  const turns = new Turns(1000, new ManualTimers());
  const began: string[] = [];
  const first = Promise.withResolvers<void>();
  const take = (key: string, name: string, work: Promise<void> = Promise.resolve()) =>
    turns.take(key, () => {
      began.push(name);
      return work;
    });
  const all = [take('a', 'first', first.promise), take('a', 'second'), take('b', 'other')];
  await settled();
  expect(began).toEqual(['first', 'other']);
  first.resolve();
  await Promise.all(all);
  expect(began).toEqual(['first', 'other', 'second']);
  expect(turns.line.has('a')).toBe(false);
});

test('a turn that lasts too long lets the next one start beside it', async () => {
  const timers = new ManualTimers();
  const turns = new Turns(1000, timers);
  let began = false;
  void turns.take('a', () => new Promise(() => {}));
  const next = turns.take('a', async () => {
    began = true;
  });
  await settled();
  timers.advance(999);
  await settled();
  expect(began).toBe(false);
  timers.advance(1);
  await next;
  expect(began).toBe(true);
});
