import { expect, test } from 'vitest';
import { catalogue } from '../catalogue.ts';
import { loadSections } from '../runner/sections.ts';
import { corpus } from './corpus.ts';
import { kill } from './kill.ts';
import { staleness } from './slip.ts';

const faults = Object.values(corpus).flat();
const chapters = new Set(catalogue.map(({ chapter }) => chapter));
const rules = (await loadSections()).flatMap((section) => section.rules);
const called = (name: string) => faults.filter((fault) => fault.name === name);
const ruled = (...ids: readonly string[]) => rules.filter(({ id }) => ids.includes(id));

test('the corpus has a hundred faulty servers and more, each of another name', () => {
  expect(faults.length).toBeGreaterThanOrEqual(100);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test('each fault offends chapters that the documents have', () => {
  for (const { name, chapters: offended } of faults) {
    expect(offended.length, name).toBeGreaterThan(0);
    for (const chapter of offended) expect(chapters, name).toContain(chapter);
  }
});

test('what each slip changes stands in the source as it is today', () => {
  const stale = faults.flatMap(({ name, edits = [] }) =>
    edits.flatMap((edit) => {
      const reason = staleness(edit);
      return reason ? [`${name}: ${reason}`] : [];
    }),
  );
  expect(stale).toEqual([]);
});

test('a fault is killed by a rule that fails, and which one is told', { timeout: 60_000 }, async () => {
  const [fault] = called('an empty collection of a custom type has items null');
  const found = await kill(fault as (typeof faults)[0], ruled('collections.items'));
  expect(found.by?.id).toBe('collections.items');
  expect(found.by?.finding?.message).toMatch(/^\d+ of \d+ cells:\n {2}(widgets|gadgets), /);
});

test('a fault that no rule speaks of survives', { timeout: 60_000 }, async () => {
  const [fault] = called('an empty collection of a custom type has items null');
  expect(await kill(fault as (typeof faults)[0], ruled('versioning.api-1-25'))).toMatchObject({ played: 1 });
});
