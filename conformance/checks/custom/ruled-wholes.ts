import type { RuleContext } from '../../verbs/context.ts';
import { customType, sharedGroup } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { listOf, whole as number, objectOf, text } from './schema-parts.ts';

const told = 'ready is at most size';

/** What a rule of the whole can see though the schema says nothing of it, and that it sees the parts beside each other. */
const rules: readonly Json[] = [
  { rule: `self.apiVersion == '${sharedGroup}/v1' && self.kind.startsWith('T')` },
  { rule: "self.metadata.name.startsWith('fit')" },
  { rule: "!has(self.metadata.generateName) || self.metadata.generateName != 'fit-not-'" },
  { rule: '!has(self.spec.name) || self.spec.name == self.metadata.name' },
  { rule: '!has(self.status) || self.status.ready <= self.spec.size', message: told },
];

/** Each pair of the list is looked at: what that may take is within bounds, what a long list takes is not. */
const pairs = listOf(number, {
  maxItems: 800,
  'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x + y >= 0))' }],
});

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

/** Objects, and whether they keep the rules. */
const objects: readonly (readonly [Json, 201 | 422])[] = [
  [{ metadata: { name: 'fit-a' }, spec: { name: 'fit-a' } }, 201],
  [{ metadata: { name: 'fit-a' }, spec: { name: 'fit-b' } }, 422],
  [{ metadata: { name: 'unfit-a' } }, 422],
  [{ metadata: { generateName: 'fit-' } }, 201],
  [{ metadata: { generateName: 'fit-not-' } }, 422],
  [{ metadata: { generateName: 'unfit-' } }, 422],
  [{ metadata: { name: 'fit-a' }, spec: { pairs: zeros(100) } }, 201],
  [{ metadata: { name: 'fit-a' }, spec: { pairs: zeros(800) } }, 422],
];

/**
 * Rules of a whole object see what it is and how it is called, are judged for its status as well, and may not take too
 * long.
 */
export async function judgesWholes(context: RuleContext): Promise<void> {
  const { unique, expect } = context;
  const things = await customType(context, {
    spec: objectOf({ name: { ...text, maxLength: 60 }, size: number, pairs }),
    status: objectOf({ ready: number }),
    version: { subresources: { status: {} } },
    whole: { 'x-kubernetes-validations': rules },
  });
  const { apiVersion, kind } = things.sample();
  for (const [object, status] of objects) {
    const answer = await things.post({ apiVersion, kind, spec: {}, ...object }, { dryRun: 'All' });
    const what = JSON.stringify(object).slice(0, 80);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(status);
  }
  const { name } = (await things.create({ metadata: { name: unique('fit') }, spec: { size: 1 } })).metadata;
  const write = (ready: number) => things.patch(name, { status: { ready } }, { sub: 'status' });
  expect((await write(1)).status, 'a status that fits the whole').toBe(200);
  const refused = await write(2);
  expect(refused.status, 'a status that does not fit the whole').toBe(422);
  expect(refused.body.message, 'a status that does not fit the whole').toContain(told);
}
