import { expect, test } from 'vitest';
import { cellsOf } from '../matrix.ts';
import { defineRule } from '../rule.ts';
import { answerStatus } from '../sabotage/transforms.ts';
import { sampled, sampleOf } from './cell-sample.ts';

const axes = {
  letter: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  verb: ['get', 'put'],
  form: ['json', 'yaml'],
} as const;
const cells = cellsOf(axes, async () => {});
const valuesIn = (seed: number, most: number) => new Set(sampleOf(cells, most, seed).flatMap(({ values }) => values));

test('a sample has every value of every axis where there is room', () => {
  for (const seed of [0, 5, 31]) expect(valuesIn(seed, 8), `seed ${seed}`).toEqual(new Set(Object.values(axes).flat()));
});

test('where there is less room the short axes are whole, and other seeds see the rest of the long ones', () => {
  const seen = Array.from({ length: 32 }, (_, seed) => valuesIn(seed, 3));
  for (const values of seen) expect([...values]).toEqual(expect.arrayContaining(['get', 'put', 'json', 'yaml']));
  expect(new Set(seen.flatMap((values) => [...values]))).toEqual(new Set(Object.values(axes).flat()));
});

test('the same seed gives the same cells', () => {
  expect(sampleOf(cells, 5, 9).map(({ name }) => name)).toEqual(sampleOf(cells, 5, 9).map(({ name }) => name));
});

test('a rule is judged in the sample alone, and one with few cells stays as it is', () => {
  const rule = defineRule('meta.uid', { sabotage: answerStatus(500), matrix: axes, check: async () => {} });
  expect(sampled(rule, 8).cells).toHaveLength(8);
  expect(sampled(rule, 100)).toBe(rule);
});
