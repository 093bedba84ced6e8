import { type OwnWords, type Played, play } from '../play/play.ts';
import { headerOf, type Scenario, type Step } from '../play/scenario.ts';
import type { Side } from '../play/side.ts';
import type { Patience } from '../play/watching.ts';
import type { Callers } from './caller.ts';
import { type Difference, differencesOf, isNull } from './differ.ts';
import { anywhere } from './headers.ts';
import { type Normal, normalsOf } from './normal.ts';
import { haveSameBody } from './same-body.ts';

/** A step that two servers answer differently. */
export interface Divergence {
  readonly step: Step;
  readonly seen: Normal;
  readonly expected: Normal;
  readonly differences: readonly Difference[];
}

/** The judged server and the one it is compared with. */
export interface Pair {
  readonly judged: Side;
  readonly other: Side;
  readonly ownWords: OwnWords;
  /** Whom each takes the player for, where they do not agree. */
  readonly callers?: Callers;
  /** Places of answers that are not compared, since they are as each server was set up. */
  readonly asSetUp?: ReadonlySet<string>;
}

/** Who answers 500 where the other refuses is likely to do so for every kind, by one fault. */
const isCrash = (difference: Difference | undefined): boolean =>
  difference?.at === 'status' &&
  [difference.seen, difference.expected].includes(500) &&
  Math.min(difference.seen, difference.expected) >= 400;

/** What a server adds to one answer it is likely to add to most. */
const isAnywhere = ({ at }: Difference): boolean =>
  at.startsWith('header ') && anywhere.has(at.slice('header '.length));

/** What tells one difference from another, whichever scenario shows it. */
export const signatureOf = (divergence: Divergence): string => {
  const field = faultedField(divergence);
  return `${sortOf(divergence)}${field === undefined ? '' : `, field ${field.replaceAll(/\[[^\]]*\]/g, '[]')}`}`;
};

/** The same whichever field a refusal is about: a server that refuses nothing differs in one way, and not in a thousand. */
export const sortOf = ({ step, differences }: Divergence): string => {
  const [first] = differences;
  if (isCrash(first))
    return `${step.method} ${step.headers?.['content-type'] ?? ''}: ${first?.seen} for ${first?.expected}`;
  if (first !== undefined && isAnywhere(first)) return `${first.at}: ${first.seen} for ${first.expected}`;
  if (first !== undefined && isNull(first)) return `null or nothing: ${first.at}`;
  const values = first?.at === 'status' ? ` ${first.seen} for ${first.expected}` : '';
  return `${step.what}: ${first?.at}${values}`;
};

/** Where a group is served, and its path in a document. */
const groupIn = /\/apis?\/[^/\s]+(\/v\d\w*)?/g;
const pathIn = /^paths\.\/[^.]*(\.[^/]*\/[^.]*)*/;

const resourceIn = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/watch)?(?:\/namespaces\/[^/]+(?=\/))?\/([a-z]+)/;

/** The same for each kind of which a server says the same where the other says the same other: one fault, most likely. */
export function alikeOf(divergence: Divergence): string {
  const { step, differences } = divergence;
  const [first] = differences;
  const [, resource = ''] = resourceIn.exec(step.path) ?? [];
  const what = step.what.replace(new RegExp(`\\b${resource}(\\.[\\w.-]+)?`), 'KIND').replaceAll(groupIn, 'GROUP');
  const at = first?.at.replace(pathIn, 'PATH');
  return `${what}: ${at} ${valuesOf(first)}, field ${faultedField(divergence)}`;
}

/** Where one says nothing, that is alike whatever the other says; so are lists of documents that each tell of a group of its own. */
function valuesOf(first: Difference | undefined): string {
  if (first?.seen === undefined) return 'nothing for some';
  if (first.expected === undefined) return 'some for nothing';
  if (first.at.startsWith('paths.')) return 'other';
  return JSON.stringify([first.seen, first.expected]).replaceAll(/<[^>]*>/g, '<>');
}

/** The first field at which only one of the two finds a fault. */
function faultedField({ differences }: Divergence): string | undefined {
  const told = isCrash(differences[0]) ? undefined : differences.find(({ at }) => refused.has(at));
  const [one, other] = [told?.seen, told?.expected].map((causes): string[] =>
    (Array.isArray(causes) ? causes : []).flatMap(({ field }) => field ?? []),
  ) as [string[], string[]];
  return [...one.filter((field) => !other.includes(field)), ...other.filter((field) => !one.includes(field))][0];
}

const refused: ReadonlySet<string> = new Set(['details.causes', 'details.causes.length']);

/** Plays a scenario on both servers at once, and gives each step whose answers are not the same. */
export async function duel(
  { judged, other, ownWords, callers, asSetUp }: Pair,
  told: Scenario,
  patience: Patience,
): Promise<Divergence[]> {
  const own = ownWords();
  const scenario = [judged, other].some(({ target }) => target.proxied) ? withoutSockets(told) : told;
  const [one, two] = await bothOf([play(judged, scenario, own, patience), play(other, scenario, own, patience)]);
  refuseSilence(one, two);
  return divergencesOf(one, two, callers, ({ at }) => !asSetUp?.has(at));
}

/** A proxy of ours passes no WebSocket on. */
const withoutSockets = ({ steps, ...scenario }: Scenario): Scenario => ({
  ...scenario,
  steps: steps.filter((step) => headerOf(step, 'upgrade') === ''),
});

/** Fails when one does, but not before the other has taken away what it made. */
async function bothOf(plays: readonly [Promise<Played>, Promise<Played>]): Promise<[Played, Played]> {
  await Promise.allSettled(plays);
  return Promise.all(plays);
}

/**
 * Each step that was answered otherwise in one play than in another one.
 * @param isOne whether a difference is one after all
 */
export function divergencesOf(
  one: Played,
  two: Played,
  callers: Callers | undefined,
  isOne: (difference: Difference) => boolean,
): Divergence[] {
  const isSame = (place: number): boolean => {
    const [left, right] = [one.observations[place], two.observations[place]];
    return callers === undefined && left !== undefined && right !== undefined && haveSameBody(left, right);
  };
  const [seen, expected] = [normalsOf(one, callers?.judged, isSame), normalsOf(two, callers?.other, isSame)];
  const lag = lagBetween(one, two);
  const found = one.observations.flatMap(({ step }, at) => {
    const differences = differencesOf(seen[at] as Normal, expected[at] as Normal, lag).filter(isOne);
    return differences.length === 0
      ? []
      : [{ step, seen: seen[at] as Normal, expected: expected[at] as Normal, differences }];
  });
  return meaningful(found);
}

/** Where the one that it is compared with gave no answer, nothing is known of the judged one. */
function refuseSilence(judged: Played, other: Played): void {
  for (const [at, { step, failure }] of other.observations.entries())
    if (failure !== undefined && judged.observations[at]?.failure === undefined)
      throw new Error(`${step.what}: the other server does not answer: ${failure}`);
}

/** How many seconds one play was behind the other when it was furthest behind. */
export function lagBetween(one: Played, other: Played): number {
  const apart = one.observations.map(({ at }, place) => {
    const { at: otherAt = 0 } = other.observations[place] ?? {};
    return Math.abs(at - one.begun - (otherAt - other.begun)) / 1000;
  });
  return Math.max(0, ...apart);
}

/**
 * After a write that went differently the servers are not in the same state, and what follows says nothing. A stream that
 * was opened before tells of what follows, too.
 */
function meaningful(found: readonly Divergence[]): Divergence[] {
  const first = found.findIndex(({ step }) => !step.alongside && step.method !== 'GET' && step.method !== 'HEAD');
  return first < 0 ? [...found] : found.slice(0, first + 1).filter(({ step }) => !step.watch);
}
