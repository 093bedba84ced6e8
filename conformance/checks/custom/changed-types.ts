import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf, groupPath, type KindPath } from '../../verbs/kinds.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { publishesCustomOperations } from '../kinds/published-operations.ts';

const text = { type: 'string' };
const size = { type: 'integer' };
const first = { type: 'object', properties: { size }, required: ['size'] };
const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
const parts = { type: 'array', items: { type: 'object', properties: { kind: { ...text, default: 'plain' } } } };

/** A type gets a default for a field, one for what is in a list, a column, a short name and a second version. */
const later = {
  ...first,
  properties: { ...first.properties, colour: { ...text, default: 'red' }, parts },
};
const versions = ['v1', 'v2'].map((name) => ({
  ...{ name, served: true, storage: name === 'v1' },
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: later } } },
  additionalPrinterColumns: [{ name: 'Colour', type: 'string', jsonPath: '.spec.colour' }],
}));

async function change({ definitions, unique }: RuleContext, { at }: Collection): Promise<string> {
  const shortName = unique('s').replace(/[^a-z0-9]/g, '');
  const names = { shortNames: [shortName], categories: [shortName] };
  await definitions.merge(`${at.resource}.${at.group}`, { spec: { versions, names } });
  return shortName;
}

/** The members of `spec` that a schema among these has for a type in a version, with an exclamation mark behind those that have to be there. */
function fieldsIn(schemas: Json = {}, { group, kind }: KindPath, version: string): string[] {
  const isIt = (schema: Json): boolean =>
    schema['x-kubernetes-group-version-kind']?.some(
      (one: Json) => one.group === group && one.version === version && one.kind === kind,
    );
  const { properties = {}, required = [] }: Json = Object.values<Json>(schemas).find(isIt)?.properties?.spec ?? {};
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `${name}!` : name))
    .sort();
}

type Look = (version: string) => Promise<string[]>;

/** What each version of OpenAPI tells of a type; servers of old know the second alone. */
async function toldBy({ send }: RuleContext, at: KindPath): Promise<Readonly<Record<string, Look>>> {
  const told = async (path: string): Promise<Json> =>
    (await send('GET', `/openapi/${path}`, { headers: { accept: 'application/json' } })).body;
  const second: Look = async (version) => fieldsIn((await told('v2'))?.definitions, at, version);
  const third: Look = async (version) =>
    fieldsIn((await told(`v3/apis/${at.group}/${version}`))?.components?.schemas, at, version);
  const isOld = (await send('GET', '/openapi/v3')).status === 404;
  return { 'in version 2 of OpenAPI': second, ...(!isOld && { 'in version 3 of OpenAPI': third }) };
}

/** Where version 3 of OpenAPI tells of a version now: who has been there need not look again. */
async function addressOf({ send }: RuleContext, { group, version }: KindPath): Promise<string | undefined> {
  const { body } = await send('GET', '/openapi/v3', { headers: { accept: 'application/json' } });
  return body?.paths?.[`apis/${group}/${version}`]?.serverRelativeURL;
}

/** What is published of a type is what it is now: its fields, its versions and its names. */
export async function publishesChanges(context: RuleContext): Promise<void> {
  const { waitUntil, longPatience } = context;
  const things = await customType(context, { spec: first });
  const told = Object.entries(await toldBy(context, things.at));
  const until = (what: string, look: () => Promise<string[]>, fields: string): Promise<unknown> =>
    waitUntil(what, look, (seen) => seen.join() === fields, { limit: longPatience, interval: 500 });
  for (const [where, look] of told) await until(`the type is told of ${where}`, () => look('v1'), 'size!');
  // Of several servers another may be asked than the one that was seen to know.
  await context.allHeard();
  await publishesCustomOperations(context, things.at);
  const shortName = await change(context, things);
  for (const version of ['v1', 'v2']) {
    for (const [where, look] of told)
      await until(`its fields are told of ${where}, for ${version}`, () => look(version), 'colour,parts,size!');
    await discovers(context, { ...things.at, version }, shortName);
  }
  await ordersVersions(context, things.at.group);
  await ordersEveryVersion(context);
  await movesAddress(context);
}

/**
 * What is told of a group is found elsewhere once its one type is another, stays there while only objects of it come, and is
 * gone with it: with other types in it, these would move it.
 */
async function movesAddress(context: RuleContext): Promise<void> {
  const { definitions, send, waitUntil, longPatience } = context;
  if ((await send('GET', '/openapi/v3')).status === 404) return;
  const things = await customType(context, { spec: first, alone: true });
  const limit = { limit: longPatience, interval: 500 };
  const found = (): Promise<string | undefined> => addressOf(context, things.at);
  const address = await waitUntil('version 3 of OpenAPI tells of its group', found, (at) => at !== undefined, limit);
  await change(context, things);
  // Of several servers one may not know of it yet.
  const isElsewhere = (at: string | undefined): boolean => at !== undefined && at !== address;
  const moved = await waitUntil('it is found at another address', found, isElsewhere, limit);
  await things.create({ spec: { size: 1 } });
  await waitUntil('it is found there again', found, (at) => at === moved, limit);
  await definitions.delete(`${things.at.resource}.${things.at.group}`);
  await waitUntil('it is gone with its type', found, (at) => at === undefined, limit);
}

/** The best version of a custom group comes first, and is the one to be preferred; other types may have more of them. */
async function ordersVersions({ send, waitUntil, patience, expect }: RuleContext, group: string): Promise<void> {
  const look = async (): Promise<Json> => (await send('GET', `/apis/${group}`)).body;
  const namesIn = ({ versions: all = [] }: Json): string[] => all.map(({ version }: Json) => version);
  const hasBoth = (found: Json): boolean => ['v1', 'v2'].every((version) => namesIn(found ?? {}).includes(version));
  const found = await waitUntil('the group tells of both versions', look, hasBoth, { limit: patience * 4 });
  const stable = namesIn(found).filter((version) => ['v1', 'v2'].includes(version));
  expect(stable, 'its stable versions, the best first').toEqual(['v2', 'v1']);
  expect(found.preferredVersion, 'the version to be preferred').toEqual(found.versions[0]);
}

/** The best first: what is stable, then beta, then alpha, of these the higher; then others by alphabet. */
const bestFirst = [
  ...['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v10beta2', 'v3beta1'],
  ...['v12alpha1', 'v11alpha2', 'foo1', 'foo10'],
];

/** The versions of a group are told by what they are, however they stand in its definition. */
async function ordersEveryVersion(context: RuleContext): Promise<void> {
  const { send, waitUntil, longPatience, expect } = context;
  const others = bestFirst.filter((version) => version !== 'v1').toSorted();
  const { at } = await customType(context, { others, alone: true });
  const look = async (): Promise<Json> => (await send('GET', `/apis/${at.group}`)).body;
  const hasAll = (found: Json): boolean => found?.versions?.length === bestFirst.length;
  const found = await waitUntil('the group tells of all its versions', look, hasAll, { limit: longPatience });
  const told = found.versions.map(({ version }: Json) => version);
  expect(told, 'versions of every sort, the best first').toEqual(bestFirst);
  expect(found.preferredVersion, 'the one to be preferred of every sort').toEqual(found.versions[0]);
}

async function discovers(context: RuleContext, at: KindPath, shortName: string): Promise<void> {
  const { send, waitUntil, patience, expect } = context;
  const entry = async (): Promise<Json> =>
    (await send('GET', groupPath(at))).body?.resources?.find(({ name }: Json) => name === at.resource);
  const hasIt = (one: Json): boolean =>
    [one?.shortNames, one?.categories].every((names) => Boolean(names?.includes(shortName)));
  const what = `discovery tells of its new name and category, in ${at.version}`;
  const found = await waitUntil(what, entry, hasIt, { limit: patience * 4 });
  expect(found.kind, at.version).toBe(at.kind);
}

/**
 * What was stored before its type had a default has it in every read from then on, though nobody has written it; and what its
 * type has no more is not shown.
 */
export async function fillsAnew(context: RuleContext): Promise<void> {
  const { waitUntil, allHeard, patience, expect } = context;
  const plain = { ...parts, items: { type: 'object' } };
  const things = await customType(context, { spec: { ...first, properties: { size, gone: text, parts: plain } } });
  const old = await things.create({ spec: { size: 1, gone: 'soon', parts: [{}] } });
  await change(context, things);
  const colour = async (): Promise<string> =>
    (await things.post(things.sample({ spec: { size: 2 } }), { dryRun: 'All' })).body?.spec?.colour;
  await waitUntil('the default counts', colour, (seen) => seen === 'red', { limit: patience * 4 });
  await allHeard();
  const read = await things.read(nameOf(old));
  expect(read.spec, 'as read').toEqual(filled);
  expect(versionOf(read), 'nobody has written it').toBe(versionOf(old));
  await showsFilled(context, things, nameOf(old));
  const patched = await things.merge(nameOf(old), { spec: { size: 3 } });
  expect(patched.spec, 'after a patch of something else').toEqual({ ...filled, size: 3 });
  await followsLater(context, things);
  await allHeard();
  const other = context.kind({ ...things.at, version: 'v2' });
  await heedsOptions(context, other, nameOf(old));
  await tellsVersion(context, other, read);
}

/** The versions with this schema, and another column of the one that is stored; the other has none any more. */
const sized = (spec: Json): Json[] =>
  versions.map((one) => ({
    ...one,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    additionalPrinterColumns: one.storage ? [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }] : undefined,
  }));

/** Another column counts, and after that a limit and its end, though nothing else of the type has changed. */
async function followsLater(context: RuleContext, things: Collection): Promise<void> {
  const { definitions, kind, waitUntil, patience } = context;
  const limit = { limit: patience * 4 };
  const change = (spec: Json): Promise<Json> =>
    definitions.merge(`${things.at.resource}.${things.at.group}`, { spec: { versions: sized(spec) } });
  await change(later);
  const shown = (objects: Collection) => async (): Promise<string[]> =>
    ((await objects.getAll('', table)).body?.columnDefinitions ?? []).map(({ name }: Json) => name);
  await waitUntil('the new column is shown', shown(things), (names) => names.join() === 'Name,Size', limit);
  const other = shown(kind({ ...things.at, version: 'v2' }));
  await waitUntil('what has no columns has an age', other, (names) => names.join() === 'Name,Age', limit);
  const tried = async (): Promise<number> =>
    (await things.post(things.sample({ spec: { size: 12 } }), { dryRun: 'All' })).status;
  for (const [maximum, status] of [
    [11, 422],
    [12, 201],
  ]) {
    await change({ ...later, properties: { ...later.properties, size: { ...size, maximum } } });
    await waitUntil(`12 is answered ${status}, with ${maximum} the most`, tried, (seen) => seen === status, limit);
  }
}

/** What a request says besides counts in a version that is not the one of the store as in any. */
async function heedsOptions({ expect }: RuleContext, other: Collection, name: string): Promise<void> {
  const dry = { dryRun: 'All' };
  const object = await other.read(name);
  const changed = { spec: { size: 9 } };
  const tried = {
    create: await other.post(await other.draft(), dry),
    update: await other.put({ ...object, ...changed }, dry),
    patch: await other.patch(name, changed, { query: dry }),
    apply: await other.tryApply(name, changed, 'applier', { ...dry, force: 'true' }),
    delete: await other.delete(name, { query: dry }),
    deletecollection: await other.deleteAll({ query: dry }),
  };
  for (const [what, answer] of Object.entries(tried))
    expect([200, 201], `a dry run of ${what} by another version: ${said(answer)}`).toContain(answer.status);
  expect((await other.list()).items, 'after dry runs by another version').toEqual([object]);
  await selects(expect, other);
  const unknown = { spec: { shape: 'round' } };
  const strict = await other.patch(name, unknown, { query: { fieldValidation: 'Strict' } });
  expect([400, 422], 'Strict, by another version').toContain(strict.status);
  expect((await other.patch(name, unknown, { query: dry })).all('warning'), 'by another version').toHaveLength(1);
}

/** Whoever selects is told of nothing else. */
async function selects(expect: Expect, other: Collection): Promise<void> {
  const last = await other.create({ metadata: { name: 'z-last', labels: { seen: 'yes' } }, spec: { size: 1 } });
  const watch = await other.watch({ labelSelector: 'seen=yes' });
  expect(nameOf((await watch.next('what is selected')).object), 'a watch by another version').toBe('z-last');
  await other.remove(nameOf(last));
  for (const query of [{ labelSelector: 'touchstone/none' }, { fieldSelector: 'metadata.name=touchstone-none' }])
    expect((await other.list(query)).items, `${JSON.stringify(query)}, by another version`).toEqual([]);
}

/** Whatever is answered in a version that is not the one of the store says that it is of this one. */
async function tellsVersion({ expect }: RuleContext, other: Collection, { metadata }: Json): Promise<void> {
  const { name, labels } = metadata;
  const version = apiVersionOf(other.at);
  const watch = await other.watch({ fieldSelector: `metadata.name=${name}` });
  const seen: Record<string, Json> = { 'as it is when a watch begins': (await watch.next('the object')).object };
  const change = { metadata: { labels: { ...labels, told: 'yes' } } };
  seen['a patch'] = (await other.patch(name, change)).body;
  seen['an update'] = (await other.put({ ...(await other.read(name)), spec: { size: 4 } })).body;
  seen['an apply'] = (await other.tryApply(name, { spec: { size: 5 } }, 'applier', { force: 'true' })).body;
  for (const write of Object.keys(seen).slice(1)) seen[`the event of ${write}`] = (await watch.next(write)).object;
  seen['an item of a list'] = (await other.list()).items.find((item: Json) => nameOf(item) === name);
  await other.remove(name);
  const { type, object } = await watch.next('the removal');
  expect(type).toBe('DELETED');
  for (const [what, told] of Object.entries({ ...seen, 'the event of the removal': object }))
    expect(told?.apiVersion, `${what}, by another version`).toBe(version);
}

const filled = { size: 1, colour: 'red', parts: [{ kind: 'plain' }] };

async function showsFilled(context: RuleContext, things: Collection, name: string): Promise<void> {
  const { kind, waitUntil, patience, expect } = context;
  expect((await things.list()).items[0].spec, 'as listed').toEqual(filled);
  const watch = await things.watch();
  expect((await watch.next('the object')).object.spec, 'as watched').toEqual(filled);
  const { body } = await things.getAll('', table);
  expect(body.rows[0].cells, 'in a table').toEqual([name, 'red']);
  const other = kind({ ...things.at, version: 'v2' });
  const served = async (): Promise<number> => (await other.get(name)).status;
  await waitUntil('the second version is served', served, (status) => status === 200, { limit: patience * 4 });
  expect((await other.read(name)).spec, 'by another version').toEqual(filled);
}
