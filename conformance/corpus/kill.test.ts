import { expect, test } from 'vitest';
import { loadSections } from '../runner/sections.ts';
import { loadCorpus } from './corpus.ts';
import type { Fault } from './fault.ts';
import { kill } from './kill.ts';

const rules = (await loadSections()).flatMap((section) => section.rules);
const ruled = (...ids: readonly string[]) => rules.filter(({ id }) => ids.includes(id));

const faults = (await loadCorpus()).flatMap((subject) => subject.faults);
const fault = faults.find(({ name }) => name === 'an empty collection of a custom type has items null') as Fault;

test('a fault is killed by a rule that fails, and which one is told', async () => {
  const found = await kill(fault, ruled('collections.items'));
  expect(found.by?.id).toBe('collections.items');
  expect(found.by?.finding?.message).toMatch(/^\d+ of \d+ cells:\n {2}(widgets|gadgets), /);
});

test('a fault that no rule speaks of survives', async () => {
  expect(await kill(fault, ruled('versioning.api-1-25'))).toMatchObject({ played: 1 });
});
