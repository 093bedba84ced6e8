import { expect, it } from 'vitest';
import type { RuleResult } from '../result.ts';
import { afterSecondLook, heldBack, roundTripIn, worthSecondLook } from './second-look.ts';

const result = (id: string, verdict: RuleResult['verdict'], message = 'seen 1, expected 2'): RuleResult => ({
  id,
  chapter: 'lists',
  level: 'must',
  statement: 'Lists are lists.',
  source: 'Lists',
  verdict,
  ...(verdict === 'fail' ? { finding: { kind: 'assertion', message } } : {}),
  warnings: [],
  exchanges: [],
  requests: 1,
  milliseconds: 10,
});

const many = (count: number): RuleResult[] => Array.from({ length: count }, (_, at) => result(`rule-${at}`, 'fail'));

it('looks again at what is broken, if it is little and nothing that is missing', () => {
  const missing: RuleResult = { ...result('c', 'fail'), finding: { kind: 'missing', message: 'no pods' } };
  expect(worthSecondLook([result('a', 'pass'), result('b', 'fail'), missing])).toEqual(['b']);
  expect(worthSecondLook(many(40))).toHaveLength(40);
  expect(worthSecondLook(many(41))).toEqual([]);
});

it('makes a warning of what is kept the second time, and tells what was seen at first', () => {
  const second = afterSecondLook(result('a', 'fail', 'two\n  lines'), result('a', 'pass'));
  expect(second).toMatchObject({ verdict: 'warn', milliseconds: 20 });
  expect(second.warnings).toEqual(['broken at first, kept when it was judged again: two lines']);
  expect(second.finding).toBeUndefined();
});

it.each(['fail', 'error', 'skipped'] as const)('leaves broken what ends as %s the second time', (verdict) => {
  expect(afterSecondLook(result('a', 'fail', 'first'), result('a', verdict))).toMatchObject({
    verdict: 'fail',
    finding: { message: 'first' },
  });
});

it('knows how long answers took, of those that came', () => {
  const sent = { method: 'GET', url: 'https://server/', requestHeaders: {}, answerHeaders: {}, answerBody: '' };
  const took = (...times: [number, number][]): RuleResult => ({
    ...result('a', 'fail'),
    exchanges: times.map(([milliseconds, status]) => ({ ...sent, milliseconds, status })),
  });
  expect(roundTripIn([took([700, 200], [90_000, 0]), took([900, 404], [20, 201])])).toBe(700);
  expect(roundTripIn([took([90_000, 0])])).toBe(0);
});

it('holds back broken rules until they are too many', () => {
  const held = heldBack(true);
  expect(held.pass(result('fine', 'pass'))).toHaveLength(1);
  for (const broken of many(40)) expect(held.pass(broken)).toEqual([]);
  expect(held.back()).toHaveLength(40);
  expect(held.pass(result('one more', 'fail'))).toHaveLength(41);
  expect(held.back()).toEqual([]);
  expect(held.pass(result('and another', 'fail'))).toHaveLength(1);
  expect(heldBack(false).pass(result('a', 'fail'))).toHaveLength(1);
});
