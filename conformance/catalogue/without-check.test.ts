import { expect, test } from 'vitest';
import { loadSections } from '../runner/sections.ts';
import { beyondTest } from './beyond-test.ts';
import { catalogue } from './catalogue.ts';
import { judgedElsewhere, withoutCheckText } from './without-check.ts';

const checked = async (): Promise<ReadonlySet<string>> =>
  new Set((await loadSections()).flatMap(({ rules }) => rules.map(({ id }) => id)));

test('what is beyond any test is documented, has no check, and is judged by nobody', async () => {
  const [ids, elsewhere] = [await checked(), await judgedElsewhere()];
  const known = new Set(catalogue.map(({ id }) => id));
  const names = Object.keys(beyondTest);
  expect(names.filter((id) => !known.has(id))).toEqual([]);
  expect(names.filter((id) => ids.has(id) || elsewhere.has(id))).toEqual([]);
});

test('every rule is counted once', async () => {
  const text = await withoutCheckText(await checked());
  const numbers = /: (\d+) with a check.*; (\d+) beyond any test; (\d+) without/.exec(text)?.slice(1).map(Number);
  expect(numbers?.reduce((sum, number) => sum + number, 0)).toBe(catalogue.length);
  expect(text).toContain('rv.opaque  touchstone judge client');
});
