import { expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from './kind-write.fixture.ts';
import type { KindRules } from './strategy.ts';

/** For tests: tables of writes to one kind and the causes they are refused for (`field reason`, none when fine). */

// biome-ignore lint/suspicious/noExplicitAny: tests reach into objects of all kinds
export type Reached = any;

export type Creations = readonly [title: string, fields: object, causes: readonly string[]][];

/** `fields` is what is stored, `change` works on a copy of it. */
export type Updates = readonly [
  title: string,
  fields: object,
  change: (next: Reached) => unknown,
  causes: readonly string[],
  subresource?: string,
][];

export const creations = (rules: KindRules, table: Creations) =>
  test.each(table)('new: %s', async (_title, fields, causes) => {
    expect((await tryCreate(rules, sample(rules, fields))).causes).toEqual(causes);
  });

export const updates = (rules: KindRules, table: Updates) =>
  test.each(table)('changed: %s', async (_title, fields, change, causes, subresource) => {
    const stored = sample(rules, fields);
    rules.default?.(stored);
    const trial = await tryUpdate(rules, stored, (next) => void change(next), subresource ? { subresource } : {});
    expect(trial.causes).toEqual(causes);
  });
