import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { configure, onSecrets, patchWith } from '../../verbs/webhooks.ts';

/** Patches that cannot be applied to an object. */
const unfitPatches: Readonly<Record<string, Json>> = {
  'remove of what is not there': { op: 'remove', path: '/metadata/annotations/none' },
  'add below what is not there': { op: 'add', path: '/none/of/these', value: 'a' },
  'a test that does not hold': { op: 'test', path: '/kind', value: 'Other' },
  'move of what is not there': { op: 'move', from: '/none', path: '/other' },
  'an operation of another name': { op: 'put', path: '/metadata/labels', value: {} },
  'a list where a map is': { op: 'add', path: '/data', value: ['a'] },
};

const label = { op: 'add', path: '/metadata/labels', value: { a: 'one' } };

/** Of what is deleted there is no object that could be changed: it stays until nobody wants to. */
export async function refusesPatchedDeletes(context: RuleContext): Promise<void> {
  const { secrets, expect } = context;
  let answer = patchWith(label);
  await configure(context, 'mutating', [{ over: { rules: onSecrets('DELETE') }, respond: () => answer }]);
  const name = nameOf(await secrets.create());
  const { status } = await secrets.delete(name);
  answer = { allowed: true };
  expect(status, 'a delete that a webhook answers by a patch').toBeGreaterThanOrEqual(400);
  expect((await secrets.get(name)).status, 'what was to be deleted').toBe(200);
}

/** An object to which a patch cannot be applied is not stored as if there were none, nor with a part of it. */
export async function refusesPatches(context: RuleContext): Promise<void> {
  const { secrets, expect } = context;
  let answer = patchWith(label);
  await configure(context, 'mutating', [{ respond: () => answer }]);
  for (const [what, unfit] of [
    ...Object.entries(unfitPatches).map(([each, operation]) => [each, patchWith(label, operation)] as const),
    // No base64, no JSON, and no list.
    ...['*', 'bm8=', 'e30='].map((patch) => [patch, { allowed: true, patchType: 'JSONPatch', patch }] as const),
  ]) {
    answer = unfit;
    const sample = secrets.sample();
    expect((await secrets.post(sample)).status, what).toBeGreaterThanOrEqual(400);
    expect((await secrets.get(nameOf(sample))).status, `the object of ${what}`).toBe(404);
  }
}
