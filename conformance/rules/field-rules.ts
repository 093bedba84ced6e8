import { toldOtherwise } from '../checks/requests/as-sent.ts';
import { behindSound } from '../checks/unfit/behind-sound.ts';
import { defineRule, type Rule } from '../rule.ts';
import { acceptsInvalid, changesRefused, forgets, storesRefused } from '../sabotage/careless.ts';
import { edited } from '../sabotage/edited.ts';
import { answerStatus, editEvent, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { RuleContext } from '../verbs/context.ts';
import { groupPath, type KindName, kindPaths } from '../verbs/kinds.ts';
import { said } from '../verbs/said.ts';

/** Parts of an object by a few words on what is special about it; a function where the parts need the context. */
export type Variants = Readonly<Record<string, Json | ((context: RuleContext) => Promise<Json>)>>;

export interface FieldRule {
  readonly id: string;
  readonly kind: KindName;
}

export const pathsOf = (kind: KindName) => ({ path: new RegExp(`/${kindPaths[kind].resource}(/[^/]+)?$`) });
const readsOf = (kind: KindName) => ({ method: 'GET', path: new RegExp(`/${kindPaths[kind].resource}/[^/]+$`) });

/** Its collection where no namespace is named. */
const everywhereOf = (kind: KindName): RegExp =>
  new RegExp(`^${groupPath(kindPaths[kind])}/${kindPaths[kind].resource}$`);

/** What the kind needs beside its sample, where that depends on the rule's own namespace. */
const special: Partial<Record<KindName, (context: RuleContext) => Promise<Json>>> = {
  events: async ({ namespace }) => ({ regarding: { namespace: await namespace() } }),
};

export async function sampleFor(context: RuleContext, kind: KindName, over: Json = {}): Promise<Json> {
  const objects = context[kind];
  const first = objects.sample(await (special[kind]?.(context) ?? {}));
  return objects.sample(mergedParts(first, over));
}

export const mergedParts = (base: Json, over: Json): Json => {
  if (base === null || over === null || typeof base !== 'object' || typeof over !== 'object' || Array.isArray(over))
    return over;
  const next = { ...base };
  for (const [key, value] of Object.entries(over))
    next[key] = Object.hasOwn(base, key) ? mergedParts(base[key], value) : value;
  return next;
};

const partsOf = async (context: RuleContext, variant: Json): Promise<Json> =>
  typeof variant === 'function' ? variant(context) : variant;

/** Kinds whose objects an update may not make invalid either: those of the others are not looked at so closely then. */
const judgedAgain: readonly KindName[] = ['endpointSlices', 'ingresses', 'jobs', 'roles', 'clusterRoles'];

/** What is refused as a new object is refused as an update of one that is in order, which stays as it was. */
async function refusesUpdates(context: RuleContext, kind: KindName, refused: Variants): Promise<void> {
  const { expect } = context;
  const object = await context[kind].create(await sampleFor(context, kind));
  const { resourceVersion: _, ...metadata } = object.metadata;
  for (const [what, variant] of Object.entries(refused)) {
    const parts = await partsOf(context, variant);
    // Some of what is in metadata counts only for new objects.
    if ('metadata' in parts) continue;
    const replaced = await context[kind].put(mergedParts({ ...object, metadata }, parts));
    expectRefusal(context, replaced, `${what}, by an update`);
    const patched = await context[kind].patch(metadata.name, asMergePatch(parts));
    expectRefusal(context, patched, `${what}, by a merge patch`);
  }
  const stored = await context[kind].read(object.metadata.name);
  for (const member of ['spec', 'endpoints', 'ports', 'rules'])
    expect(stored[member], `${member} after updates that were refused`).toEqual(object[member]);
}

/** In words that a merge patch understands: what is left out goes. */
function asMergePatch(parts: Json): Json {
  if (parts === undefined) return null;
  if (parts === null || typeof parts !== 'object' || Array.isArray(parts)) return parts;
  return Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, asMergePatch(value)]));
}

/** What may stand beside the parts that a rule is about and makes them no better. */
const beside = (kind: KindName, parts: Json): Json | undefined => {
  const routes = kind === 'ingresses' && parts.spec?.rules?.length > 0;
  return routes
    ? { ...parts, spec: { defaultBackend: { service: { name: 'front', port: { number: 80 } } }, ...parts.spec } }
    : undefined;
};

/** What is refused is refused as well behind something that is in order, and nothing of it is stored. */
async function refusesCreates(context: RuleContext, kind: KindName, what: string, variant: Json): Promise<void> {
  const parts = await partsOf(context, variant);
  const sound = await sampleFor(context, kind);
  const other = beside(kind, parts);
  const variants: [string, Json][] = [
    ['', parts],
    ...behindSound(sound, parts).map((each): [string, Json] => [', not the first', each]),
    ...(other ? [[', beside a backend for all else', other] as [string, Json]] : []),
  ];
  for (const [place, one] of variants) {
    const sample = await sampleFor(context, kind, one);
    expectRefusal(context, await context[kind].post(sample), `${what}${place}`);
    const stored = await context[kind].get(sample.metadata.name);
    context.expect(stored.status, `${what}${place}, as stored`).toBe(404);
  }
}

/** What is refused is refused as well where the server makes up the name, and where an update would make it. */
async function refusesOtherwise(context: RuleContext, kind: KindName, [what, variant]: [string, Json]): Promise<void> {
  const parts = await partsOf(context, variant);
  // A name that is refused is another.
  if ('metadata' in parts) return;
  const sample = await sampleFor(context, kind, parts);
  const { name: _, ...metadata } = { ...sample.metadata, generateName: 'made-up-' };
  const unnamed = await context[kind].post({ ...sample, metadata });
  context.expect([400, 422], `${what}, under a generated name`).toContain(unnamed.status);
  const put = await context[kind].put(sample);
  context.expect([400, 404, 422], `${what}, by an update that would make it`).toContain(put.status);
}

/** Some objects are accepted, others refused as invalid; the documents leave the code open. */
export function validityRule({
  id,
  kind,
  accepted = {},
  refused = {},
}: FieldRule & { accepted?: Variants; refused?: Variants }): Rule {
  const posts = { ...pathsOf(kind), method: 'POST' };
  const names = Object.keys(refused);
  const again = names.length > 0 && judgedAgain.includes(kind);
  const sent = Object.keys(Object.values(accepted)[0] ?? {}).filter((key) => key !== 'metadata');
  return defineRule(id, {
    sabotage: [
      ...(names.length > 0 ? [acceptsInvalid(posts), storesRefused(pathsOf(kind)), replaceIn('reason', posts)] : []),
      ...(again && Object.values(refused).some((parts) => !('metadata' in parts))
        ? [acceptsInvalid({ ...pathsOf(kind), method: 'PUT' })]
        : []),
      ...(Object.keys(accepted).length > 0 ? [answerStatus(422, { ...posts, instead: 201 })] : []),
      ...(sent.length > 0 ? [forgets(sent, readsOf(kind))] : []),
    ],
    async check(context) {
      const { expect } = context;
      for (const [what, variant] of Object.entries(accepted)) {
        const parts = await partsOf(context, variant);
        const sample = await sampleFor(context, kind, parts);
        const answer = await context[kind].post(sample);
        expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
        for (const [where, stored] of await shown(context, kind, sample.metadata.name)) {
          expect(stored, `${what}, as stored, ${where}`).toMatchObject(sentPart(answer.body, parts));
          expect(toldOtherwise(kind, sample, stored), `${what}, not as sent, ${where}`).toEqual([]);
        }
        await acceptsBehind(context, kind, what, parts);
      }
      for (const [what, variant] of Object.entries(refused)) await refusesCreates(context, kind, what, variant);
      for (const first of Object.entries(refused).slice(0, 1)) await refusesOtherwise(context, kind, first);
      if (again) await refusesUpdates(context, kind, refused);
    },
  });
}

/** Whether a text stands twice in a list, or two items have one name. */
function repeats(value: Json): boolean {
  if (value === null || typeof value !== 'object') return false;
  const words = Array.isArray(value) ? value.map((one) => one?.name ?? one) : [];
  const texts = words.filter((word) => typeof word === 'string');
  return new Set(texts).size < texts.length || Object.values(value).some(repeats);
}

/** What is accepted is accepted as well behind something that is in order, and stored as it was sent. */
async function acceptsBehind(context: RuleContext, kind: KindName, what: string, parts: Json): Promise<void> {
  const { expect } = context;
  // What is in order may not be so beside the other value of a field.
  if (Object.values(parts).some((value) => typeof value !== 'object')) return;
  for (const one of behindSound(await sampleFor(context, kind), parts).filter((each) => !repeats(each))) {
    const sample = await sampleFor(context, kind, one);
    const answered = await context[kind].post(sample);
    expect(answered.status, `${what}, not the first: ${said(answered)}`).toBe(201);
    const stored = await context[kind].read(sample.metadata.name);
    expect(toldOtherwise(kind, sample, stored), `${what}, not the first, not as sent`).toEqual([]);
  }
}

/** An object as it is told in each place where it is. */
async function shown(context: RuleContext, kind: KindName, name: string): Promise<readonly [string, Json][]> {
  const objects = context[kind];
  const query = { fieldSelector: `metadata.name=${name}` };
  const [within, all] = [await objects.list(query), await context.send('GET', objects.everywhere, { query })];
  const watch = await objects.watch(query);
  const { object } = await watch.next('the object');
  watch.close();
  return [
    ['by itself', await objects.read(name)],
    ['in a list', within.items[0]],
    ['in a list of all', all.body?.items?.[0]],
    ['by a watch', object],
  ];
}

/** What was answered in the places of what was sent: a server may write a value in another way, but not another value. */
const sentPart = (answer: Json, parts: Json): Json =>
  Object.fromEntries(
    Object.keys(parts).flatMap((key) => (key === 'metadata' || !(key in answer) ? [] : [[key, answer[key]]])),
  );

/** An object that is invalid is refused with what is wrong with it; what cannot even be read may be so without. */
export function expectRefusal({ expect }: RuleContext, { status, body }: Answer, what: string): void {
  expect([400, 422], what).toContain(status);
  expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
  expect(body.reason, what).toBe(status === 422 ? 'Invalid' : 'BadRequest');
  expect(body.message, what).not.toBe('');
  if (status === 400) return;
  expect(body.details?.causes?.length ?? 0, `causes of ${what}`).toBeGreaterThan(0);
  for (const cause of body.details.causes) expect(cause.message, `cause of ${what}`).toBeTypeOf('string');
}

/** A value that is sent is stored and read back. */
export function keptRule({ id, kind, over, path }: FieldRule & { over: Json; path: string }): Rule {
  return defineRule(id, {
    sabotage: [
      removeIn(path, readsOf(kind)),
      replaceIn(path, { ...readsOf(kind), with: 'other' }),
      removeIn(`items.*.${path}`, { method: 'GET', path: everywhereOf(kind) }),
      editEvent(`object.${path}`, { method: 'GET', query: { watch: true } }),
    ],
    async check(context) {
      const { expect } = context;
      for (const one of [{ over, path }, ...behindAnother(over, path)]) {
        const sample = await sampleFor(context, kind, one.over);
        const answer = await context[kind].post(sample);
        expect(answer.status, said(answer)).toBe(201);
        for (const [where, stored] of await shown(context, kind, sample.metadata.name))
          expect(valueAt(stored, one.path), `${one.path}, ${where}`).toEqual(valueAt(sample, one.path));
      }
    },
  });
}

/** The same in the second item of a list, whose first goes without. */
function behindAnother(over: Json, path: string): { readonly over: Json; readonly path: string }[] {
  const [list = '', member] = path.split('.0.');
  if (member === undefined) return [];
  const both = ([one]: Json): Json => [edited(one, member.split('.'), () => undefined), one];
  return [{ over: edited(over, list.split('.'), both), path: `${list}.1.${member}` }];
}

/** A value that is set cannot be changed by an update. */
export function immutableRule({
  id,
  kind,
  overs = [{}],
  change,
  path,
}: FieldRule & { overs?: readonly Json[]; change: Json; path: string }): Rule {
  return defineRule(id, {
    sabotage: [
      answerStatus(200, { ...pathsOf(kind), method: 'PUT', instead: 422 }),
      changesRefused({ ...pathsOf(kind), method: ['PUT', 'PATCH'] }),
    ],
    async check(context) {
      for (const over of overs) {
        const object = await context[kind].create(await sampleFor(context, kind, over));
        expectRefusal(context, await context[kind].put(mergedParts(object, change)), 'an update');
        const patched = await context[kind].patch(object.metadata.name, change);
        context.expect([400, 422], 'a patch').toContain(patched.status);
        const stored = await context[kind].read(object.metadata.name);
        context.expect(valueAt(stored, path), path).toEqual(valueAt(object, path));
      }
    },
  });
}

/** The part of an object at a path such as `spec.rules.0.host`. */
export const valueAt = (object: Json, path: string): Json =>
  path.split('.').reduce((part, step) => part?.[step], object);
