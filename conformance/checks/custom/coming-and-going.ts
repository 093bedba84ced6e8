import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { groupPath } from '../../verbs/kinds.ts';
import { holds, nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';

/** A custom type is found by the versions that its definition serves, now these and now others, and by no other. */
export async function comesAndGoes(context: RuleContext): Promise<void> {
  const { definitions, kind, send, waitUntil, longPatience, expect } = context;
  // No other type has that version: they share their group.
  const version = 'v77';
  const things = await customType(context, { others: [version] });
  const { resource, group } = things.at;
  const others = kind({ ...things.at, version });
  const name = nameOf(await things.create());
  // Where it was found again and again it is looked for anew.
  for (const _ of [1, 2]) await untilStatus(context, 'it is there by another version', 200, () => others.get(name));
  const serve = (served: boolean) =>
    definitions.patch(`${resource}.${group}`, [{ op: 'replace', path: '/spec/versions/1/served', value: served }], {
      type: 'json',
    });
  for (const served of [false, true]) {
    expect((await serve(served)).status, `a version that is ${served ? '' : 'not '}served`).toBe(200);
    await untilStatus(context, `the version is ${served ? '' : 'not '}served`, served ? 200 : 404, () =>
      others.get(name),
    );
    await untilStatus(context, 'it is there by the other version', 200, () => things.get(name));
    await waitUntil(
      `discovery does ${served ? '' : 'not '}tell of it`,
      async () => (await send('GET', groupPath(others.at))).body?.resources ?? [],
      (told) => told.some((one: Json) => one.name === resource) === served,
      { limit: longPatience },
    );
    await waitUntil(
      `its group does ${served ? '' : 'not '}tell of the version`,
      async () => (await send('GET', `/apis/${group}`)).body?.versions ?? [],
      (told) => told.some((one: Json) => one.version === version) === served,
      { limit: longPatience },
    );
    await registers(context, `${version}.${group}`, served);
  }
}

/** Who serves a version, the server itself as well, is told by an object, where there are such. */
async function registers(context: RuleContext, name: string, served: boolean): Promise<void> {
  const { apiServices } = context;
  if ((await apiServices.get('v1.')).status !== 200) return;
  const what = `an APIService does ${served ? '' : 'not '}tell of the version`;
  await untilStatus(context, what, served ? 200 : 404, () => apiServices.get(name));
}

/** What is served follows the definition: its short names and categories, and in which versions objects are and were stored. */
export async function followsDefinition(context: RuleContext): Promise<void> {
  const things = await customType(context, { others: ['v2'] });
  const [first, later] = [['a'], ['b', 'c']].map((words) => words.map(context.unique)) as [string[], string[]];
  // One of them at a time: the change of the other would tell of both.
  await takesNames(context, things, { shortNames: first, categories: ['some'] });
  await takesNames(context, things, { shortNames: later, categories: ['some'] });
  await takesNames(context, things, { shortNames: later, categories: [] });
  await storesElsewhere(context, things);
}

async function takesNames(
  { definitions, send, waitUntil, longPatience, expect }: RuleContext,
  { at }: Collection,
  names: { readonly shortNames: readonly string[]; readonly categories: readonly string[] },
): Promise<void> {
  const definition = `${at.resource}.${at.group}`;
  const { shortNames, categories } = names;
  expect((await definitions.patch(definition, { spec: { names } })).status, 'short names').toBe(200);
  const told = async (): Promise<Json> =>
    (await send('GET', groupPath(at))).body?.resources?.find(({ name }: Json) => name === at.resource);
  const isTold = (seen: Json): boolean =>
    seen?.shortNames?.join() === shortNames.join() && (seen.categories ?? []).join() === categories.join();
  await waitUntil('discovery tells its short names and categories', told, isTold, { limit: longPatience });
  expect((await definitions.read(definition)).status.acceptedNames.shortNames, 'as accepted').toEqual(shortNames);
}

async function storesElsewhere(context: RuleContext, things: Collection): Promise<void> {
  const { definitions, kind, expect } = context;
  const definition = `${things.at.resource}.${things.at.group}`;
  const name = nameOf(await things.create());
  const stored = [false, true].map((value, at) => ({ op: 'replace', path: `/spec/versions/${at}/storage`, value }));
  expect((await definitions.patch(definition, stored, { type: 'json' })).status, 'another version to store').toBe(200);
  const { storedVersions } = (await definitions.read(definition)).status;
  expect(storedVersions, 'versions in which some are stored').toEqual(['v1', 'v2']);
  for (const version of ['v1', 'v2'])
    await untilStatus(context, `it is there by ${version}`, 200, () => kind({ ...things.at, version }).get(name));
}

/** With its definition go the objects of a custom type: they are not there again when it comes back. */
export async function goesWithDefinition(context: RuleContext): Promise<void> {
  const { definitions, waitUntil, longPatience, expect } = context;
  const things = await customType(context, {});
  const definition = `${things.at.resource}.${things.at.group}`;
  const { apiVersion, kind, spec } = await definitions.read(definition);
  const free = nameOf(await things.create());
  const held = nameOf(await things.create({ metadata: { finalizers: ['example.com/hold'] } }));
  await definitions.delete(definition);
  await untilStatus(context, 'what nobody holds is gone', 404, () => things.get(free));
  const isGoing = ({ metadata }: Json): boolean => metadata.deletionTimestamp !== undefined;
  await waitUntil('what somebody holds is there, and going', () => things.read(held), isGoing, { limit: longPatience });
  expect((await definitions.read(definition)).metadata.deletionTimestamp, 'of its definition').toBeTypeOf('string');
  await things.merge(held, { metadata: { finalizers: null } });
  await untilStatus(context, 'the definition is gone', 404, () => definitions.get(definition));
  await untilStatus(context, 'so is where its objects were', 404, () => things.getAll());
  await definesAgain(context, things, { apiVersion, kind, metadata: { name: definition }, spec });
  expect((await things.list()).items, 'objects of the definition that is gone').toEqual([]);
}

async function definesAgain(context: RuleContext, things: Collection, body: Json): Promise<void> {
  const { definitions, send, waitUntil, allHeard, longPatience, expect } = context;
  expect((await send('POST', definitions.everywhere, { body })).status, 'the definition again').toBe(201);
  // What is served before that may still be the type that is gone.
  const look = () => definitions.read(nameOf(body));
  await waitUntil('the definition is established', look, holds('Established'), { limit: longPatience });
  await untilStatus(context, 'the type is served again', 200, () => send('GET', things.everywhere));
  await allHeard();
}
