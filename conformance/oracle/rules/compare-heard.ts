import type { Json } from '../../verbs/client.ts';
import { placeOf } from '../../verbs/guest/request-path.ts';
import { patchTypes } from '../../verbs/patch-types.ts';
import { eventsOf, type StreamEvent } from '../compare/content.ts';
import type { Difference } from '../compare/differ.ts';
import { type Divergence, divergencesOf, type Pair } from '../compare/duel.ts';
import { toldByBoth } from '../compare/from-cache.ts';
import type { Observation } from '../play/observation.ts';
import type { Played } from '../play/play.ts';
import type { Step } from '../play/scenario.ts';
import { own } from './canonical.ts';
import { type Heard, sentIn } from './heard.ts';
import type { HeardTwice } from './pairs.ts';

/** One play of a rule: when it began, and what was heard of it, under names that all its plays have in common. */
export interface HeardPlay {
  readonly begun: number;
  readonly url: string;
  readonly heard: readonly Heard[];
}

/** What each type of patch is called. */
const patchVerbs: Readonly<Record<string, string>> = {
  [patchTypes.json]: 'json patch',
  [patchTypes.merge]: 'merge patch',
  [patchTypes.strategic]: 'strategic merge patch',
  [patchTypes.apply]: 'apply',
};

/** What a request is an instance of, such as `update jobs/status`. */
function whatOf({ method, path, headers, isWatch }: Heard): string {
  const place = placeOf(path);
  if (!place) return `${method} ${path}`;
  const { name, resource, sub } = place;
  const verbs: Readonly<Record<string, string>> = {
    GET: isWatch ? 'watch' : name === undefined ? 'list' : 'get',
    POST: 'create',
    PUT: 'update',
    PATCH: patchVerbs[[headers['content-type'] ?? ''].flat().join()] ?? 'patch',
    DELETE: name === undefined ? 'delete collection' : 'delete',
  };
  return `${verbs[method] ?? method} ${resource}${sub === undefined ? '' : `/${sub}`}`;
}

const inPlay = (text: string): string => text.replaceAll(own, '<own>');

function stepOf(one: Heard, at: number): Step {
  const { method, path, query, headers, body, isWatch } = one;
  return {
    id: `request ${at + 1}`,
    what: whatOf(one),
    method,
    path: inPlay(path),
    ...(query === '' ? {} : { query: inPlay(query) }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body.length === 0 ? {} : { body: { text: inPlay(body.toString()) } }),
    ...(isWatch ? { watch: {} } : {}),
  };
}

/** Moments that are told and sent back again are still the server's. */
const moment = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** All that the rule said of its own accord, and to whom. */
const saidIn = ({ heard, url }: HeardPlay): string =>
  `${url}\n${sentIn(heard)}`.replaceAll(moment, (text) => (isNear(text) ? '' : text));

const isNear = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < 48 * 3600_000;

const observationOf = ({ at, status, answerHeaders, warnings, chunks, failure }: Heard, step: Step): Observation => ({
  step,
  at,
  status,
  headers: answerHeaders,
  warnings,
  bytes: Buffer.concat(chunks),
  ...(failure === undefined ? {} : { failure }),
});

/** What a stream told of the play itself. Bookmarks come when the server likes. */
function toldBy({ bytes, headers }: Observation): readonly StreamEvent[] {
  const type = (headers['content-type'] ?? '').toLowerCase();
  return eventsOf(bytes, type).filter(
    ({ type: name, object }) => name === 'ERROR' || (name !== 'BOOKMARK' && JSON.stringify(object)?.includes(own)),
  );
}

/** The answers of a request in two plays. How far a stream was read is by chance: it counts to where both were. */
function observed(pair: HeardTwice, step: Step): readonly Observation[] {
  const both = pair.map((one) => observationOf(one, step));
  if (!step.watch || both.some(({ status }) => status !== 200)) return both;
  const told = toldByBoth(step, both.map(toldBy));
  return both.map((one, side) => ({ ...one, events: told[side] ?? [] }));
}

/** Where two plays of one rule were answered differently. */
export function compareHeard(
  [judged, other]: readonly [HeardPlay, HeardPlay],
  pairs: readonly HeardTwice[],
  { callers, asSetUp }: Pick<Pair, 'callers' | 'asSetUp'> = {},
): readonly Divergence[] {
  const observations = pairs.map((pair, at) => observed(pair, stepOf(pair[0], at)));
  const sent = [judged, other].map(saidIn);
  const [one, two] = [judged, other].map(({ begun }, side): Played => {
    const seen = observations.map((both) => both[side] as Observation);
    return { own, begun, sent, observations: seen };
  }) as [Played, Played];
  return divergencesOf(one, two, callers, (difference) => !asSetUp?.has(difference.at) && !isEcho(difference, sent));
}

/** Each was told what was said to it, and the rule did not say the same to both: a port, a key, a moment. */
function isEcho({ seen, expected }: Difference, [judged = '', other = '']: readonly string[]): boolean {
  if (!isPlain(seen) || !isPlain(expected)) return false;
  return judged.includes(String(seen)) && other.includes(String(expected)) && !other.includes(String(seen));
}

const isPlain = (value: Json): boolean => typeof value === 'string' || typeof value === 'number';
