import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
const many = 2_600;
const names = Array.from({ length: many }, (_, index) => `name-${index}`);

/** Where things are put into a long list and taken out of it, one after the other. */
const steps: readonly (readonly [op: 'add' | 'remove' | 'replace', position: number])[] = [
  ...[0, 1_023, 1_024, 1_025, 2_048, 2_590].map((position) => ['remove', position] as const),
  ...[0, 700, 1_500, 2_400].map((position) => ['replace', position] as const),
  // As many at one place as would make a part of any length too long.
  ...Array.from({ length: 1_100 }, () => ['add', 1_300] as const),
  ...[3, 2_400, 3_500].map((position) => ['remove', position] as const),
];

/** What a list is after a step, by the plain meaning of it. */
function done(list: string[], [op, position]: (typeof steps)[number], value: string): void {
  if (op === 'add') list.splice(position, 0, value);
  else if (op === 'remove') list.splice(position, 1);
  else list[position] = value;
}

/** A JSON patch means on a list of thousands what it means on a short one. */
export async function jsonLongListsMean(roles: Collection, expect: RuleContext['expect'], name: string): Promise<void> {
  await roles.merge(name, { rules: [{ ...rule, resourceNames: names }] });
  const list = [...names];
  const at = (position: number | '-'): string => `/rules/0/resourceNames/${position}`;
  const operations: Json[] = steps.map((step, number) => {
    const [op, position] = step;
    const value = `new-${number}`;
    done(list, step, value);
    return { op, path: at(position), ...(op !== 'remove' && { value }) };
  });
  list.push('last');
  operations.push(
    { op: 'add', path: at('-'), value: 'last' },
    { op: 'test', path: at(list.length - 1), value: 'last' },
  );
  const answer = await roles.patch(name, operations, { type: 'json' });
  expect(answer.status, `of a long list: ${said(answer)}`).toBe(200);
  expect(answer.body.rules[0].resourceNames, 'a long list').toEqual(list);
  const beyond = [{ op: 'add', path: at(list.length + 1), value: 'beyond' }];
  expect((await roles.patch(name, beyond, { type: 'json' })).status, 'beyond a long list').toBe(422);
}
