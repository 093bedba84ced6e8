import type { Json } from '../verbs/client.ts';
import { runLabel } from '../verbs/guest/permit.ts';
import type { Pair } from './compare/duel.ts';
import { valueAt } from './generate/boundary-values.ts';
import { guessOf, typeOf } from './generate/guess.ts';
import { type KnownKind, resolved, type Schemas } from './generate/schema.ts';
import { KindStory, Story } from './generate/story.ts';
import { placedAnew, placedWithin, type Struct, structsOf } from './generate/structs.ts';
import { prepareFor } from './generate/tours/tours.ts';
import { type Piece, scenarioPiece } from './piece.ts';
import { dropNamespace } from './play/clean-up.ts';
import { fill, type Scenario } from './play/scenario.ts';
import type { Side } from './play/side.ts';
import { objectOf, sampleOf } from './samples/objects.ts';

/** A number in an object of a kind: the object with another one in its place. */
export type Numbered = (number: number) => Json;

/** What a server says of an object with that number. */
type Verdict = (number: number) => Promise<string>;

/** Far enough apart that most bounds lie between two of them, and those of whole types beyond. */
const first: readonly number[] = [-1, 1, 50, 1000, 65_536, 2_147_483_647];

/** Where a verdict becomes another one: the last number of the one, and the first of the other. */
export async function edgesOf(verdict: Verdict): Promise<readonly number[]> {
  const found = await Promise.all(first.map(verdict));
  const turns = first.flatMap((low, at) => {
    const high = first[at + 1];
    return high === undefined || found[at] === found[at + 1] ? [] : [{ low, high, below: found[at] as string }];
  });
  return (await Promise.all(turns.map((turn) => narrowed(turn, verdict)))).flat();
}

interface Turn {
  readonly low: number;
  readonly high: number;
  /** What is said of the lower one. */
  readonly below: string;
}

async function narrowed(turn: Turn, verdict: Verdict): Promise<readonly number[]> {
  let { low, high } = turn;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((await verdict(middle)) === turn.below) low = middle;
    else high = middle;
  }
  return [low, high];
}

/**
 * For each kind with numbers a piece that looks for their bounds on the server that the judged one is compared with, and
 * tries what lies on either side on both: a bound that is off by one shows nowhere else. A type is tried in one kind.
 */
export function edgePieces(pair: Pair, known: readonly KnownKind[]): readonly Piece[] {
  const tried = new Set<string>();
  return known
    .filter(({ kind, root }) => root && kind.verbs.includes('create') && sampleOf(kind) !== undefined)
    .map((one) => ({ one, numbers: numbersOf(one, tried) }))
    .filter(({ numbers }) => numbers.length > 0)
    .map(({ one, numbers }) => edgePiece(pair, one, numbers));
}

/** The numbers of a kind in types that were not tried before. */
export function numbersOf(known: KnownKind, tried: Set<string>): readonly Numbered[] {
  const { kind, root, schemas } = known;
  const object = objectOf(kind, 'b');
  const itself: Struct = { name: `${kind.group} ${kind.kind}`, path: [], schema: resolved(root, schemas).schema };
  const fresh = [itself, ...structsOf(known)].filter(({ name }) => !tried.has(name));
  return fresh.flatMap(({ name, path, schema }): Numbered[] => {
    tried.add(name);
    // What stands in a list may shut others out: there it gets an entry of its own.
    const isListed = path.includes(0);
    const bare = isListed || valueAt(object, path) === undefined ? guessOf(schema, schemas) : {};
    const place = (value: Json): Json =>
      isListed ? placedAnew(object, path, value, known) : placedWithin(object, path, value);
    return numberMembers(schema, schemas).map((member) => (number) => place({ ...bare, [member]: number }));
  });
}

const numberMembers = ({ properties = {} }: Json, schemas: Schemas): readonly string[] =>
  Object.keys(properties).filter((member) => typeOf(resolved(properties[member], schemas).schema) === 'number');

function edgePiece(pair: Pair, { kind }: KnownKind, numbers: readonly Numbered[]): Piece {
  const name = `edges of ${new KindStory(new Story(), kind).label}`;
  let told: Promise<Piece> | undefined;
  const tell = (): Promise<Piece> =>
    (told ??= scenarioFor(pair, kind, numbers).then((steps) => scenarioPiece(pair, { ...steps, name })));
  return {
    name,
    generator: 'fields',
    compare: async (patience) => (await tell()).compare(patience),
    shrink: async (difference, limit) => (await tell()).shrink?.(difference, limit),
  };
}

async function scenarioFor(pair: Pair, kind: KnownKind['kind'], numbers: readonly Numbered[]): Promise<Scenario> {
  const at = new KindStory(new Story(), kind);
  for (const [number, edges] of (await edgesOn(pair.other, pair.ownWords(), at, numbers)).entries())
    for (const edge of edges) at.create(numbers[number]?.(edge), { query: { dryRun: 'All' }, alongside: true });
  return at.story.scenario('edges', 'fields', 1, prepareFor([kind]));
}

/** The edges of each number, as a server tells of rehearsals in a namespace of their own. */
async function edgesOn(
  side: Side,
  own: string,
  at: KindStory,
  numbers: readonly Numbered[],
): Promise<readonly (readonly number[])[]> {
  const words = { own, run: side.run };
  const send = (path: string, body: Json, query = {}) =>
    side.client.send('POST', fill(path, words, new Map()), {
      body: fill(JSON.stringify(body), words, new Map()),
      query,
    });
  const metadata = { name: '<own>-1', labels: { [runLabel]: side.run } };
  await send('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  for (const { path, body } of prepareFor([at.kind]).slice(0, 1)) await send(path, (body as { json: Json }).json);
  try {
    const found: (readonly number[])[] = [];
    for (const numbered of side.stopped.aborted ? [] : numbers)
      found.push(
        await edgesOf(async (number) => saidOf(await send(at.collection(1), numbered(number), { dryRun: 'All' }))),
      );
    return found;
  } finally {
    await dropNamespace(side, `${own}-1`);
  }
}

/** What was said, but for words. */
const saidOf = ({ status, body }: { status: number; body: Json }): string =>
  JSON.stringify([status, (body?.details?.causes ?? []).map(({ reason, field }: Json) => [reason, field])]);
