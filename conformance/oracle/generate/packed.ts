import { isMap, type Json } from '../../verbs/json.ts';
import { type Random, randomOf } from '../play/random.ts';
import type { Scenario } from '../play/scenario.ts';
import { nameOf, objectOf, sampleOf } from '../samples/objects.ts';
import { valueAt, withValue } from './boundary-values.ts';
import { asRow, inForm } from './forms.ts';
import { guessOf, holdsMembers } from './guess.ts';
import { interleaved } from './interleave.ts';
import type { FieldPath, KnownKind, Schemas } from './schema.ts';
import { beside, dryBeside, KindStory, type StepParts, Story } from './story.ts';
import { type Struct, structsOf } from './structs.ts';
import { prepareFor } from './tours/tours.ts';
import { toldFor, valuesOfType, wordsOf } from './typed-values.ts';

/**
 * Lists with many entries, each of which says something else: a refusal names the entries that will not do, and what is
 * left of them is shown as it is stored. One request tries as many values as else a dozen do.
 */

/** A list, and what its entries may be. */
interface Tried {
  readonly path: FieldPath;
  readonly entries: readonly Json[];
}

/** Some of the entries of a list at once. */
interface Pack {
  readonly path: FieldPath;
  readonly list: readonly Json[];
}

/** No list of which a server takes only some holds more. */
const perPack = 16;
const fewest = 4;
const most = 12;
/** How many scenarios are to tell all of a kind, as far as they may be large enough. */
const wantedRounds = 4;

export function* packedScenarios(known: readonly KnownKind[], seed: number): Generator<Scenario> {
  const tried = new Set<string>();
  const queues = known.filter(isTried).map((one) => {
    const random = randomOf(seed, `packs of ${one.kind.kind} ${one.kind.version}`);
    const packs = [...interleaved(listsOf(one, tried, random).map((list) => packsOf(list, one)))];
    const size = Math.min(most, Math.max(fewest, Math.ceil(packs.length / wantedRounds)));
    return { one, random, packs, size };
  });
  for (let round = 0; queues.some(({ packs, size }) => packs.length > round * size); round++)
    for (const { one, random, packs, size } of queues) {
      const some = packs.slice(round * size, (round + 1) * size);
      if (some.length > 0) yield scenarioOf(one, some, round, random);
    }
}

/** Of the versions of a type only one may be that of the store: they cannot be packed. */
const isTried = ({ kind, root }: KnownKind): boolean =>
  root !== undefined &&
  kind.verbs.includes('create') &&
  kind.kind !== 'CustomResourceDefinition' &&
  sampleOf(kind) !== undefined;

/** The outermost lists of a kind, each with entries of all types in it that no kind before had. */
function listsOf(known: KnownKind, tried: Set<string>, random: Random): readonly Tried[] {
  const structs = [...structsOf(known), ...(hasStatus(known) ? structsOf(known, 'status') : [])];
  const fresh = structs.filter((struct) => struct.path.includes(0) && !tried.has(nameOfAny(struct)));
  for (const struct of fresh) tried.add(nameOfAny(struct));
  const outermost = Map.groupBy(fresh, ({ path }) => path.slice(0, path.indexOf(0)).join('.'));
  return [...outermost.values()].map((some) => {
    const [first] = some as [Struct];
    const path = first.path.slice(0, first.path.indexOf(0));
    return { path, entries: entriesOf(some, path, known, random) };
  });
}

/** The same in each version of a group. */
const nameOfAny = ({ name }: Struct): string => name.replace(/\.v\d\w*\./, '.');

const hasStatus = ({ kind, root }: KnownKind): boolean =>
  root?.properties?.status !== undefined &&
  kind.subresources.some(({ name, verbs }) => name === 'status' && verbs.includes('patch'));

/** In turn of each member of each type, so that none waits for all values of another. */
function entriesOf(structs: readonly Struct[], list: FieldPath, known: KnownKind, random: Random): readonly Json[] {
  const { kind, schemas } = known;
  const there = valueAt(objectOf(kind, 'b'), [...list, 0]);
  const own = structs.find(({ path }) => path.length === list.length + 1);
  const base = isMap(there) ? there : own ? guessOf(own.schema, schemas, 1) : {};
  const members = structs.flatMap(({ path, schema }) => {
    const values = valuesIn(schema, known, random);
    const within = { path: path.slice(list.length + 1), schema, schemas, random };
    return [...values].map(([member, some]) =>
      [
        ...some.map((value) => ({ [member]: value, ...sometimesAnother(member, values, random) })),
        ...beneathWords(member, schema, known),
      ].map((said) => entryWith(base, said, within)),
    );
  });
  return [...interleaved(random.shuffled(members))];
}

/** Of texts there are many. */
const mostValues = 20;

/** What each member of a type may be: what samples of the kind say of it, and some of all that it can be read as. */
const valuesIn = ({ properties }: Json, { kind, schemas }: KnownKind, random: Random): ReadonlyMap<string, Json[]> =>
  new Map(
    Object.entries<Json>(properties).map(([member, given]) => {
      const values = random.shuffled(valuesOfType(given, schemas)).slice(0, mostValues);
      return [member, random.shuffled([...values, ...toldFor(kind.kind, member, given, schemas)])];
    }),
  );

/** One member more that is not said, or is said otherwise: what one says of another is seen only where both are. */
function sometimesAnother(member: string, values: ReadonlyMap<string, Json[]>, random: Random): Json {
  const others = [...values].filter(([name, some]) => name !== member && some.length > 0);
  if (others.length === 0 || random.once(2)) return {};
  const [name, some] = random.pick(others);
  return { [name]: random.once(2) ? undefined : random.pick(some) };
}

/** A word decides what else may be said: each that samples of the kind have, with one other member left out. */
const beneathWords = (member: string, { properties }: Json, { kind, schemas }: KnownKind): readonly Json[] =>
  wordsOf(kind.kind, member, properties[member], schemas).flatMap((word) =>
    Object.keys(properties)
      .filter((other) => other !== member && !holdsMembers(properties[other], schemas))
      .slice(0, mostLeftOut)
      .map((other) => ({ [member]: word, [other]: undefined })),
  );

const mostLeftOut = 4;

interface Within {
  /** From the entry to the type that has the members. */
  readonly path: FieldPath;
  readonly schema: Json;
  readonly schemas: Schemas;
  readonly random: Random;
}

/** An entry with values of members, beside all that the entry has or beside none of what may shut them out. */
function entryWith(entry: Json, values: Json, { path, schema, schemas, random }: Within): Json {
  const holders = Object.keys(schema.properties).filter((name) => holdsMembers(schema.properties[name], schemas));
  const [first] = random.shuffled(holders.filter((name) => !(name in values)));
  const guess = random.once(3) || first === undefined ? {} : { [first]: guessOf(schema.properties[first], schemas, 1) };
  const there = valueAt(entry, path) ?? { ...guessOf(schema, schemas), ...guess };
  const around = random.once(2) ? there : without(there, holders);
  const whole = withValue(entry, path, { ...around, ...values });
  const isInner = path.length > 0 && random.once(2);
  return isInner ? { ...withoutStructs(entry), [String(path[0])]: whole[path[0] as string] } : whole;
}

const without = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const withoutStructs = (entry: Json): Json =>
  Object.fromEntries(Object.entries<Json>(entry).filter(([, value]) => !isMap(value)));

function* packsOf({ path, entries }: Tried, { kind }: KnownKind): Generator<Pack> {
  const base = valueAt(objectOf(kind, 'b'), [...path, 0]);
  for (let from = 0; from < entries.length; from += perPack)
    yield { path, list: entries.slice(from, from + perPack).map((entry, at) => numbered(entry, base, { path, at })) };
}

const tellingApart: readonly string[] = ['name', 'mountPath', 'key', 'uid', 'topologyKey', 'containerPort', 'port'];

/** Told apart from the others in a list, unless it is about that. */
function numbered(entry: Json, base: Json, { path, at: number }: { path: FieldPath; at: number }): Json {
  const names = path.at(-1) === 'conditions' ? ['type'] : tellingApart;
  const told = names.filter((name) => base?.[name] === undefined || entry[name] === base[name]);
  const other = (value: Json): Json => (typeof value === 'number' ? value + number : `${value}-${number}`);
  return {
    ...entry,
    ...Object.fromEntries(told.filter((name) => isPlain(entry[name])).map((name) => [name, other(entry[name])])),
  };
}

const isPlain = (value: Json): boolean => typeof value === 'string' || typeof value === 'number';

/** All at once; then what was not refused as rows, and in other ways. */
function scenarioOf({ kind }: KnownKind, packs: readonly Pack[], round: number, random: Random): Scenario {
  const at = new KindStory(new Story(), kind);
  at.create(objectOf(kind, 'a'));
  const sent = packs.map((pack) => (pack.path[0] === 'status' ? told(at, pack) : made(at, pack)));
  const left = sent.map((send) => send.again(asRow));
  for (const send of left) random.pick(send.ways)();
  return at.story.scenario(`packs of ${at.label}, ${round + 1}`, 'fields', 2, prepareFor([kind]));
}

interface Again {
  /** What was sent, without what was refused. */
  readonly again: (parts: StepParts) => Left;
}

interface Left {
  readonly ways: readonly (() => void)[];
}

function made(at: KindStory, { path, list }: Pack): Again {
  const json = withValue(objectOf(at.kind, 'b'), path, list);
  const id = at.create(json, dryBeside);
  return {
    again: (parts) => {
      const passedOf = at.create(json, { ...parts, ...beside, body: { passedOf: id } });
      const name = nameOf(at.kind, 'a');
      const head = { passedOf, merge: { metadata: { name, labels: null } } };
      const query = { ...dryBeside.query, fieldManager: 'alice', force: 'true' };
      return {
        ways: [
          () => at.create(json, { ...dryBeside, ...inForm('protobuf'), body: { passedOf } }),
          () => at.patch('a', 'apply', {}, { ...dryBeside, query, body: head }),
          () => at.patch('a', 'strategic', {}, { ...dryBeside, body: head }),
          () => at.patch('a', 'merge', {}, { ...dryBeside, body: head }),
        ],
      };
    },
  };
}

/** By the door of the status. */
function told(at: KindStory, { path, list }: Pack): Again {
  const send = (parts: StepParts): string =>
    at.patch('a', 'merge', withValue(sampleOf(at.kind)?.status ?? {}, path, list), parts, 'status');
  const id = send(dryBeside);
  return {
    again: (parts) => {
      const passedOf = send({ ...parts, ...beside, body: { passedOf: id } });
      return { ways: [() => send({ ...dryBeside, ...inForm('protobuf'), body: { passedOf } })] };
    },
  };
}
