import type { Answer, Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { mighty } from '../access/identity.ts';
import { behindSound } from './behind-sound.ts';
import type { JudgedKind } from './judged-kind.ts';

/** How often a controller may be quicker than an update. */
const tries = 5;

type Changing = (parts: Json, query?: Query) => Promise<Answer>;

/** Updates of the newest state, one after the other; it is read anew only where it may have become another. */
export function changing(objects: Collection, name: string): Changing {
  let newest: Json | undefined;
  return async (parts, query = {}) => {
    for (let left = tries; ; left--) {
      newest ??= await objects.read(name);
      const answer = await objects.put(merged(newest, parts), query);
      // What is refused leaves it as it was.
      if (answer.status !== 422) newest = undefined;
      if (answer.status !== 409 || left === 1) return answer;
    }
  };
}

/** An update of the newest state by these parts. */
export const changed = (objects: Collection, name: string, parts: Json, query?: Query): Promise<Answer> =>
  changing(objects, name)(parts, query);

type Change = (objects: Collection, name: string, parts: Json, query: Query) => Promise<Answer>;

/** As a patch says what is to be left out. */
const withNulls = (parts: Json): Json =>
  JSON.parse(JSON.stringify(parts, (_, value) => (value === undefined ? null : value)));

/** The same change by patches: those that say what is new, and one that puts whole members in their place. */
const patches = {
  'a merge patch': (objects, name, parts, query) => objects.patch(name, withNulls(parts), { query }),
  'a strategic merge patch': (objects, name, parts, query) =>
    objects.patch(name, withNulls(parts), { type: mergesLists(objects, parts) ? 'merge' : 'strategic', query }),
  'a JSON patch': async (objects, name, parts, query) => {
    const next = merged(await objects.read(name), parts);
    const operations = Object.keys(parts).map((member) =>
      next[member] === undefined
        ? { op: 'remove', path: `/${member}` }
        : { op: 'add', path: `/${member}`, value: next[member] },
    );
    return objects.patch(name, operations, { type: 'json', query });
  },
} satisfies Record<string, Change>;

/** Kinds of which strategic merge patches replace every list. */
const whole = ['endpointslices', 'ingresses', 'roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];

/** Whether a strategic merge patch could make something else of lists than was meant. */
const mergesLists = ({ at }: Collection, parts: Json): boolean =>
  !whole.includes(at.resource) && JSON.stringify(parts).includes('[');

/** What may not be by an update may not be by a patch: what never changes by any, all else by one of them in turn. */
async function refusesPatches({ expect }: RuleContext, objects: Collection, name: string, kind: JudgedKind) {
  const query = queryOf(kind);
  const forms: readonly [string, Change][] = Object.entries(patches);
  const refused = Object.entries(kind.refused).filter(([, parts]) => !('metadata' in parts));
  for (const [place, [what, parts]] of refused.entries()) {
    const [form, patch] = forms[place % (forms.length + 1)] ?? [];
    if (patch) expect((await patch(objects, name, parts, query)).status, `${what}, by ${form}`).toBe(422);
    else expect(await applied(objects, parts, query), `${what}, by an apply`).toBeGreaterThanOrEqual(400);
  }
  for (const [what, parts] of Object.entries(kind.fixed)) {
    if ('metadata' in parts) continue;
    for (const [form, patch] of forms)
      expect((await patch(objects, name, parts, query)).status, `${what}, by ${form}`).toBe(422);
  }
}

/** How a new object is taken by an apply; a genuine server takes some faults of lists for its own. */
async function applied(objects: Collection, parts: Json, query: Query): Promise<number> {
  const sample = objects.sample(parts);
  return (await objects.tryApply(sample.metadata.name, sample, 'applier', query)).status;
}

const queryOf = ({ rehearsed }: JudgedKind): Query => (rehearsed ? { dryRun: 'All' } : {});

/** The object of the kind that is changed, and what is to stand there when all changes are refused. */
async function opened(objects: Collection, { rehearsed, status }: JudgedKind): Promise<readonly [string, Json]> {
  const { metadata, status: _, ...sound } = rehearsed?.on ? await objects.read(rehearsed.on) : await objects.create();
  if (status) await objects.patch(metadata.name, { status }, { sub: 'status' });
  return [metadata.name, sound];
}

/** What is refused, and refused as well behind something in order. */
const anywhere = (sound: Json, unfit: Readonly<Record<string, Json>>): readonly (readonly [string, Json])[] =>
  Object.entries(unfit).flatMap(([what, parts]) => [
    [what, parts] as const,
    ...behindSound(sound, parts).map((one) => [`${what}, not the first`, one] as const),
  ]);

/** How a new object is answered; where the server says that it failed, how it is to who may do everything. */
export async function posted(
  { unique }: RuleContext,
  objects: Collection,
  sample: Json,
  query: Query,
): Promise<Answer> {
  const answer = await objects.post(sample, query);
  return answer.status === 500 ? objects.post(sample, query, { headers: mighty(unique('mighty')) }) : answer;
}

/** What is no object of its kind is refused as a new one. */
async function refusesNew(context: RuleContext, objects: Collection, kind: JudgedKind): Promise<void> {
  const { expect } = context;
  const query = queryOf(kind);
  const sent = new Map<string, string>();
  for (const [what, parts] of anywhere(objects.sample(), { ...kind.refused, ...kind.fresh, ...kind.given })) {
    const sample = objects.sample(parts);
    const send = what in kind.given ? posted(context, objects, sample, query) : objects.post(sample, query);
    const answer = await send;
    expect(answer.status, `${what}: ${said(answer)}`).toBe(422);
    expect(answer.body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Invalid' });
    sent.set(sample.metadata.name, what);
  }
  // Of a kind that has no namespace others may have more objects than fit into an answer.
  const { items } = await objects.list({ labelSelector: runLabel });
  const stored = items.flatMap(({ metadata }: Json) => sent.get(metadata.name) ?? []);
  expect(stored, `stored all the same: ${stored.join(', ')}`).toEqual([]);
}

/** What is unfit in a list is so behind what the server put there itself, too. */
async function refusesBehindDefaults(
  { expect }: RuleContext,
  objects: Collection,
  change: Changing,
  kind: JudgedKind,
  sound: Json,
): Promise<void> {
  const sample = objects.sample();
  for (const [what, parts] of Object.entries(kind.refused)) {
    if ('metadata' in parts || behindSound(sample, parts).length > 0) continue;
    for (const one of behindSound(sound, parts)) {
      const { status } = await change(one, queryOf(kind));
      expect(status, `${what}, behind what the server put there`).toBe(422);
    }
  }
}

/**
 * What is no object of its kind is refused, new or as a change, and so is what no object of it may become; what is one,
 * odd as it may look, is taken, and so is what it may become.
 */
export async function judgesKind(context: RuleContext, kind: JudgedKind): Promise<void> {
  const { expect } = context;
  const { at, base, refused, fixed, free, fitting } = kind;
  await kind.prepare?.(context);
  const objects = context.kind(at).with({ base });
  for (const [what, parts] of Object.entries(fitting)) {
    const answered = await objects.post(objects.sample(parts), { dryRun: 'All' });
    expect(answered.status, `${what}: ${said(answered)}`).toBe(201);
  }
  const [name, sound] = await opened(objects, kind);
  await refusesNew(context, objects, kind);
  const query = queryOf(kind);
  const change = changing(objects, name);
  const changes = Object.entries({ ...refused, ...fixed }).filter(([, parts]) => !('metadata' in parts));
  for (const [what, parts] of changes) expect((await change(parts, query)).status, `${what}, by an update`).toBe(422);
  await refusesBehindDefaults(context, objects, change, kind, sound);
  await refusesPatches(context, objects, name, kind);
  const { metadata: _, status: __, ...stored } = await objects.read(name);
  if (!kind.rehearsed) expect(stored, 'what is stored after that').toEqual(sound);
  const label = { metadata: { labels: { changed: 'yes' } } };
  for (const [what, parts] of Object.entries({ 'a label': label, ...free })) {
    const answer = await change(parts, query);
    expect(answer.status, `${what}, by an update: ${said(answer)}`).toBe(200);
    expect(answer.body, what).toMatchObject(parts);
  }
}
