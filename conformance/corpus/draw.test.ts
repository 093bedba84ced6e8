import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { besidePlainTraffic, drawn } from './draw.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name, chapters: [] }));
const subjects = [
  { name: 'lists/paging', faults: named('one', 'two', 'three', 'four', 'five') },
  { name: 'operations/audit', faults: named('six') },
  {
    name: 'kinds/jobs',
    faults: [{ name: 'seven', chapters: [], edits: [{ file: '../controllers/job/plan.ts', from: '', to: '' }] }],
  },
];
const namesOf = (count: number, seed: number) =>
  drawn(subjects, count, seed).flatMap(({ faults }) => faults.map(({ name }) => name));

test('the same seed draws the same faults, another one others', () => {
  expect(namesOf(2, 1)).toHaveLength(2);
  expect(namesOf(2, 1)).toEqual(namesOf(2, 1));
  const draws = [1, 2, 3, 4, 5, 6].map((seed) => namesOf(2, seed).join());
  expect(new Set(draws).size).toBeGreaterThan(1);
});

test('what needs flags or controllers to show is not drawn', () => {
  expect(namesOf(7, 1)).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('each subject that is not drawn from is there', () => {
  const missing = besidePlainTraffic.filter((name) => !existsSync(join(import.meta.dirname, `${name}.faults.ts`)));
  expect(missing).toEqual([]);
});
