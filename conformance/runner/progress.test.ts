import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { makeProgress } from './progress.ts';

function shown(isTTY: boolean, total: number, steps: readonly (readonly ['pass' | 'fail', string?])[]): string {
  const out = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream & PassThrough;
  let seconds = 0;
  const progress = makeProgress(total, 'rules', out, () => 1_000 * seconds++);
  for (const [verdict, note] of steps) progress.step(verdict, note);
  progress.done();
  return String(out.read());
}

test('on a terminal one line changes, and notes stay', () => {
  const text = shown(true, 2, [['pass'], ['fail', 'FAIL a.b']]);
  expect(text).toBe(
    '\r\u001b[K1/2 rules\r\u001b[KFAIL a.b\n\r\u001b[K2/2 rules, 1 broken\r\u001b[K2/2 rules, 1 broken\n',
  );
});

test('elsewhere there is a line for each tenth', () => {
  const text = shown(
    false,
    20,
    Array.from({ length: 20 }, () => ['pass'] as const),
  );
  expect(text.split('\n').filter(Boolean)).toEqual([
    '2/20 rules',
    '4/20 rules',
    '6/20 rules',
    '8/20 rules',
    '10/20 rules, about 5 s left',
    '12/20 rules, about 4 s left',
    '14/20 rules, about 3 s left',
    '16/20 rules, about 2 s left',
    '18/20 rules, about 1 s left',
    '20/20 rules',
  ]);
});
