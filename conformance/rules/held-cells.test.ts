import { expect, test } from 'vitest';
import { heardWrites } from '../checks/webhooks/reviewed-writes.ts';
import { heldFrom } from '../holds-for.ts';
import type { Rule } from '../rule.ts';
import { subjects } from '../verbs/subjects.ts';
import component from './component/api-server.rules.ts';
import errors from './errors.rules.ts';
import names from './names.rules.ts';

const rules: readonly Rule[] = [...component, ...errors, ...names];

/** Why a server of this version need not keep a cell of a rule. */
function exemptionOf(id: string, cell: string, version: string): string | undefined {
  const found = rules.find((rule) => rule.id === id)?.cells?.find(({ name }) => name === cell);
  if (!found) throw new Error(`${id} has no cell ${cell}`);
  return found.holds.map((range) => heldFrom(range, version)).find(Boolean);
}

const validates = 'component.api-server.validates';

test.each([
  ['errors.403', 'pods, post eviction', 'v1.21.14', 'v1.22.0'],
  ['names.virtual.subject-access-review', 'node agents', 'v1.20.15', 'v1.21.0'],
  [validates, 'families of services', 'v1.20.15', 'v1.21.0'],
  [validates, 'services of ingresses', 'v1.36.0', 'v1.35.2'],
])('%s: %s, not for %s, but for %s', (id, cell, exempt, held) => {
  expect(exemptionOf(id, cell, exempt)).toContain(exempt);
  for (const version of [held, 'v1.25.0']) expect(exemptionOf(id, cell, version), version).toBeUndefined();
});

test.each([
  ['v1.21.14', false],
  ['v1.22.0', true],
  ['of an unknown version', true],
])('of a server %s webhooks hear of evictions: %s', (version, heard) => {
  expect(heardWrites(subjects.pods, version).some(({ sub }) => sub === 'eviction')).toBe(heard);
});
