import { expect, it } from 'vitest';
import type { Json } from '../verbs/client.ts';
import { neededBy, type Step } from './play/scenario.ts';
import { guesses, lesser, without } from './shrink.ts';

const step = (id: string, more: Partial<Step> = {}): Step => ({ id, what: id, method: 'GET', path: '/api', ...more });

const steps = [
  step('s1'),
  step('s2', { body: { answerOf: 's1' } }),
  step('s3', { query: { resourceVersion: '<s2:metadata.resourceVersion>' } }),
  step('s4'),
];

it('knows what a step refers to', () => {
  expect(steps.map(neededBy)).toEqual([[], ['s1'], ['s2'], []]);
  expect(neededBy(step('s5', { body: { bytesOf: 's4' }, path: '/<s1:metadata.uid>' }))).toEqual(['s4', 's1']);
  expect(neededBy(step('s5', { body: { passedOf: 's4', merge: { name: '<s1:metadata.name>' } } }))).toEqual([
    's4',
    's1',
  ]);
});

it('takes away with a step all that refers to it, however far', () => {
  expect(without(steps, new Set([0])).map(({ id }) => id)).toEqual(['s4']);
  expect(without(steps, new Set([1])).map(({ id }) => id)).toEqual(['s1', 's4']);
  expect(without(steps, new Set([3])).map(({ id }) => id)).toEqual(['s1', 's2', 's3']);
});

it('keeps what refers to a step of the preparation', () => {
  const lone = [step('s1', { body: { answerOf: 'account' } })];
  expect(without(lone, new Set())).toEqual(lone);
});

it('takes away many members in few trials', () => {
  let value: Json = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`m${at}`, at]));
  let trials = 0;
  const isAlike = (less: Json): boolean => {
    trials++;
    return 'm77' in less;
  };
  for (let less = lesser(value).find(isAlike); less !== undefined; less = lesser(value).find(isAlike)) value = less;
  expect(value).toEqual({ m77: 77 });
  expect(trials).toBeLessThan(60);
});

it('guesses that what shows a difference is what was written before, and no rehearsal', () => {
  const dry = { method: 'POST', query: { dryRun: 'All' }, alongside: true } as const;
  const all = [
    step('s1', { method: 'POST' }),
    ...Array.from({ length: 40 }, (_, at) => step(`dry${at}`, dry)),
    step('s2', { method: 'PATCH' }),
    step('s3', { alongside: true }),
    step('s4', { method: 'PATCH' }),
  ];
  const tried = [...guesses(all, 's3')].map((steps) => steps.map(({ id }) => id).join(' '));
  expect(tried.slice(0, 4)).toContain('s1 s2 s3');
  expect(tried.filter((one) => one.includes('dry'))).toHaveLength(1);
});
