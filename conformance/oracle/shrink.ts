import fc from 'fast-check';
import type { Json } from '../verbs/client.ts';
import { type Divergence, duel, type Pair, signatureOf } from './compare/duel.ts';
import { Stopped } from './play/play.ts';
import { neededBy, type Scenario, type Step } from './play/scenario.ts';
import type { Patience } from './play/watching.ts';

/** A scenario that shows a difference, as short as it was found to be. */
export interface Shrunk {
  readonly scenario: Scenario;
  readonly divergence: Divergence;
}

/** Without the steps of these places, and without those that mean nothing any more. */
export function without(steps: readonly Step[], places: ReadonlySet<number>): Step[] {
  const kept: Step[] = [];
  const ids = new Set<string>();
  for (const [at, step] of steps.entries()) {
    if (places.has(at) || neededBy(step).some((id) => !ids.has(id) && steps.some((one) => one.id === id))) continue;
    ids.add(step.id);
    kept.push(step);
  }
  return kept;
}

const isRead = ({ method }: Step): boolean => method === 'GET' || method === 'HEAD';

/** All that a step refers to, and what that refers to. */
function lineOf(steps: readonly Step[], last: Step): ReadonlySet<string> {
  const line = new Set([last.id]);
  for (const step of [...steps].reverse()) if (line.has(step.id)) for (const id of neededBy(step)) line.add(id);
  return line;
}

/**
 * Guesses that are right more often than not: the step alone with what it refers to, with what was created, with what was
 * written. What runs alongside others has changed nothing.
 */
export function* guesses(steps: readonly Step[], id: string): Generator<Step[]> {
  const last = steps.find((step) => step.id === id);
  if (!last) return;
  // A stream tells of what comes after it, too.
  const place = last.watch ? steps.length : steps.indexOf(last);
  const line = lineOf(steps, last);
  const isMade = ({ method, alongside }: Step): boolean => method === 'POST' && !alongside;
  const isWritten = (step: Step): boolean => !isRead(step) && !step.alongside;
  const keeps: readonly ((step: Step, at: number) => boolean)[] = [
    (step) => line.has(step.id),
    (step, at) => line.has(step.id) || (at < place && isMade(step) && step === steps.find(isMade)),
    (step, at) => line.has(step.id) || (at < place && isMade(step)),
    (step, at) => line.has(step.id) || (at < place && isWritten(step)),
    (step) => line.has(step.id) || !isRead(step),
    (_, at) => at <= place,
  ];
  for (const keep of keeps) {
    const gone = steps.flatMap((step, at) => (keep(step, at) ? [] : [at]));
    if (gone.length > 0) yield without(steps, new Set(gone));
  }
}

function* shorter(steps: readonly Step[], id: string): Generator<Step[]> {
  yield* guesses(steps, id);
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < steps.length; from += size) {
      const gone = new Set(Array.from({ length: size }, (_, at) => from + at));
      const left = without(steps, gone);
      if (left.length > 0 && left.length < steps.length) yield left;
    }
}

const kept = new Set(['apiVersion', 'kind', 'name', 'namespace']);

/** So many members go together first, and then half of them: one after another they would take all the time there is. */
const togetherFrom = 4;

/**
 * The same value with some members or entries less, or with one, the outermost first. The label of the run stays: a sweep
 * finds by it.
 */
export function* lesser(value: Json): Generator<Json> {
  if (value === null || typeof value !== 'object') return;
  const names = Object.keys(value).filter((name) => !kept.has(name) && !JSON.stringify(value[name])?.includes('<run>'));
  for (let size = Math.ceil(names.length / 2); size >= togetherFrom; size = Math.ceil(size / 2))
    for (let from = 0; from < names.length; from += size)
      yield withoutMembers(value, new Set(names.slice(from, from + size)));
  for (const name of names) yield withoutMember(value, name);
  for (const [name, item] of Object.entries(value))
    for (const less of lesser(item))
      yield Array.isArray(value) ? value.with(Number(name), less) : { ...value, [name]: less };
}

const withoutMember = (value: Json, name: string): Json => withoutMembers(value, new Set([name]));

const withoutMembers = (value: Json, names: ReadonlySet<string>): Json =>
  Array.isArray(value)
    ? value.filter((_, at) => !names.has(String(at)))
    : Object.fromEntries(Object.entries(value).filter(([key]) => !names.has(key)));

/** The same step asking for less. */
function* simpler(step: Step): Generator<Step> {
  const { query, headers, body } = step;
  if (query && typeof query === 'object')
    for (const name of Object.keys(query)) yield { ...step, query: withoutMember(query, name) };
  if (headers) for (const name of Object.keys(headers)) yield { ...step, headers: withoutMember(headers, name) };
  if (body && 'json' in body) for (const json of lesser(body.json)) yield { ...step, body: { json } };
  if (body && 'answerOf' in body && body.merge)
    for (const merge of lesser(body.merge)) yield { ...step, body: { ...body, merge } };
}

function* candidates(steps: readonly Step[], id: string): Generator<Step[]> {
  yield* shorter(steps, id);
  for (const [at, step] of steps.entries()) for (const less of simpler(step)) yield steps.with(at, less);
}

/** Gives one known value, and from it only what is shorter or asks for less. */
class Shortening extends fc.Arbitrary<readonly Step[]> {
  readonly #steps: readonly Step[];
  /** The step whose answers differ. */
  readonly #id: string;

  constructor(steps: readonly Step[], id: string) {
    super();
    this.#steps = steps;
    this.#id = id;
  }

  generate(): fc.Value<readonly Step[]> {
    return new fc.Value<readonly Step[]>(this.#steps, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return Array.isArray(value);
  }

  shrink(value: readonly Step[]): fc.Stream<fc.Value<readonly Step[]>> {
    return fc.stream(candidates(value, this.#id)).map((steps) => new fc.Value<readonly Step[]>(steps, undefined));
  }
}

/** A trial that was broken off shows nothing. */
function nothingIfStopped(error: unknown): Divergence[] {
  if (error instanceof Stopped) return [];
  throw error;
}

/**
 * Looks for the shortest sequence that still shows the difference, for at most `limit` milliseconds. Every trial is a
 * play of its own, under fresh names; that the whole scenario shows it was seen before.
 */
export async function shrink(
  pair: Pair,
  scenario: Scenario,
  divergence: Divergence,
  { patience, limit }: { readonly patience: Patience; readonly limit: number },
): Promise<Shrunk> {
  const signature = signatureOf(divergence);
  let best: Shrunk = { scenario, divergence };
  const isAlike = async (steps: readonly Step[]): Promise<boolean> => {
    if (steps === scenario.steps) return true;
    const trial = { ...scenario, steps };
    const divergences = await duel(pair, trial, patience).catch(nothingIfStopped);
    const alike = divergences.find((one) => signatureOf(one) === signature);
    if (alike) best = { scenario: trial, divergence: alike };
    return alike !== undefined;
  };
  const arbitrary = new Shortening(scenario.steps, divergence.step.id);
  const property = fc.asyncProperty(arbitrary, async (steps) => !(await isAlike(steps)));
  await fc.check(property, { numRuns: 1, interruptAfterTimeLimit: limit, seed: 1 });
  return best;
}
