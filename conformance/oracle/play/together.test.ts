import { expect, it } from 'vitest';
import { togetherAt } from './play.ts';
import type { Step } from './scenario.ts';

const step = (id: string, more: Partial<Step> = {}): Step => ({
  ...{ id, what: id, method: 'POST', path: '/api', alongside: true },
  ...more,
});
const names = (steps: readonly Step[], at = 0): string =>
  togetherAt(steps, at)
    .map(({ id }) => id)
    .join(' ');

it('sends neighbours at once that may be, and not too many', () => {
  const many = Array.from({ length: 9 }, (_, at) => step(`s${at}`));
  expect(names(many)).toBe('s0 s1 s2 s3 s4 s5');
  expect(names(many, 6)).toBe('s6 s7 s8');
});

it('sends alone what changes something, and what comes before it first', () => {
  const steps = [step('a'), step('b', { alongside: false }), step('c')];
  expect([0, 1, 2].map((at) => names(steps, at))).toEqual(['a', 'b', 'c']);
});

it('does not send again what another one has sent before that is answered', () => {
  const again = { body: { passedOf: 'b' } };
  const steps = [step('a'), step('b'), step('c'), step('d', again), step('e')];
  expect(names(steps)).toBe('a b c');
  expect(names(steps, 3)).toBe('d e');
  expect(names([step('a'), step('d', again)])).toBe('a d');
});
