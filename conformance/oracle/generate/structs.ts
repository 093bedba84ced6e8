import { isMap, type Json } from '../../verbs/json.ts';
import { type Random, randomOf } from '../play/random.ts';
import type { Scenario } from '../play/scenario.ts';
import { objectOf, sampleOf } from '../samples/objects.ts';
import { valueAt, withValue } from './boundary-values.ts';
import { asRow } from './forms.ts';
import { guessOf, holdsMembers, typeOf } from './guess.ts';
import { type FieldPath, type KnownKind, resolved, type Schemas } from './schema.ts';
import { dryBeside, KindStory, Story } from './story.ts';
import { prepareFor } from './tours/tours.ts';

/** A type with members, and where it is first found of a kind. */
export interface Struct {
  readonly name: string;
  readonly path: FieldPath;
  readonly schema: Json;
}

const deepest = 9;

type Rooted = Pick<KnownKind, 'root' | 'schemas'>;

/**
 * The types that a kind is made of, the outermost first, each where it is first met by the name of a member.
 * @param part of its status alone, where that is asked for; else of all but that
 */
export function structsOf({ root, schemas }: Rooted, part?: 'status'): readonly Struct[] {
  const found = new Map<string, Struct>();
  const waiting: { given: Json; path: FieldPath }[] = [
    part ? { given: schemaAt(root, [part], schemas), path: [part] } : { given: root, path: [] },
  ];
  for (const { given, path } of waiting) {
    const { name, schema } = resolved(given, schemas);
    const key = `${name || path.join('.')} as ${path.findLast((member) => typeof member === 'string') ?? ''}`;
    if (path.length > deepest || found.has(key)) continue;
    if (schema.items) waiting.push({ given: schema.items, path: [...path, 0] });
    if (typeof schema.additionalProperties === 'object')
      waiting.push({ given: schema.additionalProperties, path: [...path, '*'] });
    if (!schema.properties) continue;
    if (path.length > 0) found.set(key, { name: key, path, schema });
    for (const [member, inner] of Object.entries(schema.properties))
      if (path.length > 0 || !['apiVersion', 'kind', 'metadata', 'status'].includes(member))
        waiting.push({ given: inner, path: [...path, member] });
  }
  return [...found.values()];
}

type Members = readonly (readonly [string, Json])[];

const numbers = [0, -1, 2, 65_536, 4_294_967_296];
const texts = ['Not_A/Good Name!', '', 'x'.repeat(300)];
const mostTogether = 24;

/** What a struct may say: as little as it must, each member beside that, one value for all of one type, each word. */
export function valuesOf({ schema }: Struct, schemas: Schemas): readonly Json[] {
  const bare = guessOf(schema, schemas);
  const members = membersOf(schema, schemas);
  const alone = members.map(([name, member]) => ({ ...bare, [name]: guessOf(member, schemas, 1) }));
  const barely = members.map(([name, member]) => ({ ...bare, [name]: guessOf(member, schemas) }));
  const all = Object.assign({}, ...alone) as Json;
  const plain = Object.assign({}, ...alone.filter((_, at) => !holdsMembers(members[at]?.[1], schemas))) as Json;
  return distinct([
    bare,
    ...alone,
    ...barely,
    all,
    ...worded(members, plain),
    ...numbers.flatMap((value) => alike(bare, members, (member) => typeOf(member) === 'number', value)),
    ...texts.flatMap((value) => alike(bare, members, (member) => typeOf(member) === 'text', value)),
  ]);
}

const membersOf = ({ properties = {} }: Json, schemas: Schemas): Members =>
  Object.entries<Json>(properties).map(([name, given]) => [name, resolved(given, schemas).schema]);

/** The same value in all members of a type at once. */
function alike(bare: Json, members: Members, isMeant: (schema: Json) => boolean, value: Json): Json[] {
  const meant = members.filter(([, schema]) => isMeant(schema)).map(([name]) => [name, value]);
  return meant.length === 0 ? [] : [{ ...bare, ...Object.fromEntries(meant) }];
}

/** Each word of each member that has some, with each of the others', beside all that is plain, and beside nothing. */
function worded(members: Members, plain: Json): readonly Json[] {
  let choices: readonly Json[] = [{}];
  for (const [name, { enum: words }] of members)
    if (words) choices = choices.flatMap((choice) => words.map((word: Json) => ({ ...choice, [name]: word })));
  const lists = members.filter(([, { type }]) => type === 'array').map(([name]) => [name, []]);
  const without = { ...plain, ...Object.fromEntries(lists) };
  if (choices.length < 2) return [];
  return choices.slice(0, mostTogether).flatMap((choice) => [
    { ...plain, ...choice },
    { ...without, ...choice },
  ]);
}

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** An object with a value at a path, in a new entry of each list on the way that says no more than it must. */
export function placedAnew(object: Json, path: FieldPath, value: Json, { root, schemas }: Rooted): Json {
  const list = path.indexOf(0);
  if (list < 0) return withValue(object, path, value);
  const [outer, inner] = [path.slice(0, list), path.slice(list + 1)];
  const entry = guessOf(schemaAt(root, [...outer, 0], schemas), schemas) ?? {};
  const within = { root: schemaAt(root, [...outer, 0], schemas), schemas };
  const there = valueAt(object, outer);
  const added = inner.length === 0 ? value : placedAnew(entry, inner, value, within);
  return withValue(object, outer, [...(Array.isArray(there) ? there : []), added]);
}

function schemaAt(root: Json, path: FieldPath, schemas: Schemas): Json {
  return path.reduce<Json>((given, member) => {
    const { schema } = resolved(given, schemas);
    if (typeof member === 'number') return schema.items;
    return member === '*' ? schema.additionalProperties : schema.properties?.[member];
  }, root);
}

const perScenario = 40;

/**
 * Every type that kinds are made of, with as much and as little in it as it may have, as rehearsals: what one member
 * says of another is seen only where both are there. A type that several kinds have is tried in two of them.
 */
export function* structScenarios(known: readonly KnownKind[], seed: number): Generator<Scenario> {
  const tried = new Map<string, number>();
  const queues = known.filter(isTried).map((one) => {
    const fresh = structsOf(one).filter(({ name }) => {
      const times = tried.get(name) ?? 0;
      tried.set(name, times + 1);
      return times < mostKinds;
    });
    return { one, objects: objectsOf(one, fresh, randomOf(seed, `structs of ${one.kind.kind} ${one.kind.version}`)) };
  });
  for (let round = 0; queues.some(({ objects }) => objects.length > round * perScenario); round++)
    for (const { one, objects } of queues) {
      const some = objects.slice(round * perScenario, (round + 1) * perScenario);
      if (some.length > 0) yield scenarioOf(one, some, round);
    }
}

const mostKinds = 2;

const isTried = ({ kind, root }: KnownKind): boolean =>
  root !== undefined && kind.verbs.includes('create') && sampleOf(kind) !== undefined;

/** In an order in which no struct waits for all values of another. */
function objectsOf(known: KnownKind, structs: readonly Struct[], random: Random): readonly Json[] {
  const object = objectOf(known.kind, 'b');
  const all = structs.map((struct) => {
    const values = valuesOf(struct, known.schemas);
    return values.flatMap((value) => {
      const within = placedWithin(object, struct.path, value);
      return struct.path.includes(0) ? [within, placedAnew(object, struct.path, value, known)] : [within];
    });
  });
  return random.shuffled(all.flat());
}

/** What the sample says of the place is not lost: it is what makes the rest of it good. */
const beside = (current: Json, value: Json): Json => (isMap(current) ? { ...current, ...value } : value);

/** An object with a value beside what it says at a path. */
export const placedWithin = (object: Json, path: FieldPath, value: Json): Json =>
  withValue(object, path, beside(valueAt(object, path), value));

function scenarioOf({ kind }: KnownKind, objects: readonly Json[], round: number): Scenario {
  const at = new KindStory(new Story(), kind);
  at.create(objectOf(kind, 'a'));
  for (const [place, json] of objects.entries())
    at.create(json, { ...(place % 2 === 0 ? dryBeside : asRow), alongside: true });
  return at.story.scenario(`structs of ${at.label}, ${round + 1}`, 'fields', 2, prepareFor([kind]));
}

const mostStored = 12;

/** What the sample of a kind does not say is stored, and then said otherwise and not any more: much may not change. */
export function* changeScenarios(known: readonly KnownKind[]): Generator<Scenario> {
  for (const one of known.filter(isTried)) yield* changesOf(one);
}

function* changesOf({ kind, root, schemas }: KnownKind): Generator<Scenario> {
  const sample = objectOf(kind, 'a');
  const outer: FieldPath = sample.spec === undefined ? [] : ['spec'];
  const missing = membersOf(resolved(schemaAt(root, outer, schemas), schemas).schema, schemas).filter(
    ([name]) => !told.has(name) && valueAt(sample, [...outer, name]) === undefined,
  );
  for (let from = 0; from < missing.length && kind.verbs.includes('update'); from += mostStored) {
    const at = new KindStory(new Story(), kind);
    for (const [place, [name, schema]] of missing.slice(from, from + mostStored).entries())
      changed(at, `m${place}`, [...outer, name], guessOf(schema, schemas, 3));
    const number = 1 + from / mostStored;
    yield at.story.scenario(`changes of members of ${at.label}, ${number}`, 'fields', 2, prepareFor([kind]));
  }
}

/** Told of elsewhere; and what others would notice: a class for all Pods, a group that nobody answers for. */
const told = new Set(['apiVersion', 'kind', 'metadata', 'status', 'globalDefault', 'service']);

function changed(at: KindStory, word: string, path: FieldPath, value: Json): void {
  const stored = at.create(withValue(objectOf(at.kind, word), path, value));
  for (const next of [other(value), null]) {
    const merge = withValue({}, path, next);
    at.patch(word, 'merge', merge, dryBeside);
    at.put(word, { answerOf: stored, merge }, dryBeside);
  }
}

/** A value of the same shape that says something else. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return value === 'some-name' ? 'other-name' : value;
  if (Array.isArray(value)) return value.map(other);
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, item]) => [name, other(item)]));
}
