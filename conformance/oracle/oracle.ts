import { entryOf } from '../catalogue/catalogue.ts';
import { loadSections } from '../runner/sections.ts';
import { isAboutClient } from '../selection/profiles.ts';
import { launchReference } from '../target/reference.ts';
import type { Target } from '../target/target.ts';
import { rulesBehind, rulesUnder } from './bearing.ts';
import { besideControllers } from './beside-controllers.ts';
import { leftOut } from './choice.ts';
import { type CommonGround, commonGround } from './common-ground.ts';
import { authorizersLike, authorizersTold } from './compare/authorizers.ts';
import { callersOn } from './compare/caller.ts';
import type { Difference } from './compare/differ.ts';
import type { Pair } from './compare/duel.ts';
import { type Broken, rulesBehindPromise, type Strained, strain } from './concurrency.ts';
import { edgePieces } from './edges.ts';
import { interleaved } from './generate/interleave.ts';
import { knownKinds } from './generate/schema.ts';
import { generators, type WorkOptions, workOf } from './generate/work.ts';
import { leftOn } from './left.ts';
import { lostAmong } from './lost.ts';
import type { OracleKind } from './oracle-kind.ts';
import { type Piece, scenarioPiece } from './piece.ts';
import { openSide } from './play/open-side.ts';
import { makeOwnWords } from './play/play.ts';
import type { Scenario, Step } from './play/scenario.ts';
import { type OpenPair, type RuleWork, rulePiecesOf } from './rules/rule-pieces.ts';
import { type Counts, campaign, type Found } from './run.ts';
import { burstKindsOf } from './samples/custom-samples.ts';

export interface OracleOptions extends WorkOptions {
  readonly judged: Target;
  /** What it is compared with; without one the reference server is started in a process of its own. */
  readonly other?: Target;
  /** Milliseconds after which no further work begins. Differences found by then are still tried again and shrunk. */
  readonly budget: number;
  /** Resources to which the work is limited, such as `jobs`. */
  readonly resources?: readonly string[];
  /** Whether objects that concern all of a cluster may be made, such as nodes and webhook configurations. */
  readonly clusterWide: boolean;
  /** At which both servers reach webhooks on this machine; known of servers on this machine. */
  readonly webhookHost?: string;
  /** Played instead of generated work. */
  readonly scenarios?: readonly Scenario[];
  /** Milliseconds to look for the shortest sequence of one difference; 20 000 unless given. */
  readonly shrinkLimit?: number;
  /** Ends the work: what is under way is cleaned up, and what was found is told. */
  readonly signal?: AbortSignal;
  /** The value of the label that all it makes carries; one of its own unless given. */
  readonly run?: string;
  readonly onProgress?: (counts: Counts) => void;
}

/** One way in which the judged server is not like the other. It is no verdict. */
export interface Differs {
  readonly signature: string;
  /** What showed it: a scenario, or a rule and its cell. */
  readonly piece: string;
  readonly generator: string;
  readonly hits: number;
  /** Ids of the documented rules that it bears on. */
  readonly rules: readonly string[];
  readonly differences: readonly Difference[];
  /** The shortest sequence found that shows it; its last divergent step is `step`. */
  readonly scenario?: Scenario;
  /** Where there is no such sequence, the request that was answered otherwise. */
  readonly request?: Step;
  readonly step?: string;
}

export interface OracleReport {
  readonly judged: string;
  readonly other: string;
  readonly seed: number;
  readonly milliseconds: number;
  readonly comparisons: number;
  readonly scenarios: number;
  readonly kinds: number;
  /** False when the time was spent before all work was done. */
  readonly complete: boolean;
  /** Whether the user ended it. */
  readonly ended?: true;
  /** That a server does not answer any more, and what was under way then. */
  readonly lost?: string;
  readonly differs: readonly Differs[];
  /** Differences that did not show again: of timing, most likely. */
  readonly passing: number;
  readonly passed: readonly string[];
  /** Scenarios that could not be played to their end, and why. */
  readonly broken: readonly string[];
  /** What was left out, and why. */
  readonly notCompared: readonly string[];
  /** What was made and would not go, with the reason. */
  readonly left: readonly string[];
}

const width = 16;
const shrinks = 20;
const shrinkLimit = 20_000;

/** Plays the same generated work against two servers and reports each difference, shrunk. */
export async function runOracle(options: OracleOptions): Promise<OracleReport> {
  const run = (Date.now() % 36 ** 4).toString(36).padStart(4, '0');
  const { signal: stopped = new AbortController().signal, run: label = `oracle-${run}` } = options;
  const parts = { run: label, stopped, ...(options.webhookHost ? { webhookHost: options.webhookHost } : {}) };
  const judged = openSide(options.judged, parts);
  const reference = options.other ? undefined : await launchReference(await authorizersLike(judged));
  const target = options.other ?? (reference?.target as Target);
  const other = openSide(target, parts);
  try {
    const [callers, asSetUp] = await Promise.all([callersOn(judged, other), authorizersTold(judged, other)]);
    const pair = { judged, other, ownWords: makeOwnWords(run), asSetUp, ...(callers ? { callers } : {}) };
    const [compared] = await Promise.allSettled([compare(options, pair, run, target.url)]);
    // A server of our own goes with all that is on it.
    const left = (await Promise.all((options.other ? [judged, other] : [judged]).map((side) => leftOn(side)))).flat();
    if (compared.status === 'rejected') throw compared.reason;
    return { ...compared.value, left };
  } finally {
    await Promise.all([judged.close(), other.close()]);
    await reference?.stop();
  }
}

async function compare(
  options: OracleOptions,
  pair: OpenPair,
  run: string,
  url: string,
): Promise<Omit<OracleReport, 'left'>> {
  const begun = performance.now();
  const ground = await commonGround(options, pair, run);
  const pieces = await piecesOn(options, pair, ground);
  const [{ found, counts, complete, lost }, strained] = await Promise.all([
    campaign({
      pieces,
      stopped: pair.judged.stopped,
      budget: options.budget,
      width,
      shrinks,
      shrinkLimit: options.shrinkLimit ?? shrinkLimit,
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      lost: () => lostAmong([pair.judged, pair.other]),
    }),
    strainedBy(options, pair, run),
  ]);
  return {
    judged: options.judged.url,
    other: url,
    seed: options.seed,
    milliseconds: Math.round(performance.now() - begun),
    ...counts,
    kinds: ground.chosen.length,
    complete,
    ...(lost ? { lost } : {}),
    ...(pair.judged.stopped.aborted ? { ended: true } : {}),
    differs: [...found.map(differsOf), ...strained.promises.map(brokenPromise)],
    broken: [...counts.broken, ...strained.brokenOff],
    notCompared: notComparedOn(options, pair, ground),
  };
}

/** All the work that both servers are to be given. */
async function piecesOn(options: OracleOptions, pair: OpenPair, ground: CommonGround): Promise<Iterable<Piece>> {
  const { all, chosen, hooked, hasControllers, brought } = ground;
  const fit = new Set(chosen.map(({ resource }) => resource));
  const unfit = new Set(all.map(({ resource }) => resource).filter((one) => !fit.has(one)));
  const work = { kinds: chosen, hooked, hasControllers, brought: brought?.allowed };
  // The rules are read while the servers tell of their types, which takes either of them most of a second.
  const [scenarios, rules] = await Promise.all([
    scenarioPieces(options, pair, work),
    rulesBeside(options, { pair, leftOut: unfit, hooked }),
  ]);
  return mixed(scenarios, rules);
}

const notComparedOn = (options: OracleOptions, pair: Pair, ground: CommonGround): readonly string[] => [
  ...leftOut(ground.shared, ground.chosen, ground.others, options, ground.hasControllers),
  ...setApart(pair, ground.hooked),
  ...(ground.brought?.refused ?? []),
];

/** What is not compared of each answer, and for want of what. */
const setApart = ({ asSetUp }: Pair, hooked: boolean): readonly string[] => [
  ...(asSetUp && asSetUp.size > 0
    ? ['whether reviews of rules tell all: the two servers have not the same authorizers']
    : []),
  ...(hooked ? [] : ['webhooks: they need --yes, and --webhook-host where a server is not on this machine']),
];

interface ScenarioPieces {
  readonly scenarios: Iterable<Piece>;
  readonly edges: Iterable<Piece>;
}

interface ScenarioWork {
  readonly kinds: readonly OracleKind[];
  readonly hooked: boolean;
  readonly hasControllers: boolean;
  readonly brought?: readonly Scenario[] | undefined;
}

/** What is generated, or what somebody brings. */
async function scenarioPieces(
  options: OracleOptions,
  pair: OpenPair,
  { kinds, hooked, hasControllers, brought }: ScenarioWork,
): Promise<ScenarioPieces> {
  const servers = [pair.judged.client.send, pair.other.client.send];
  const hasFields = !brought && (options.generators ?? generators).includes('fields');
  const known = hasFields ? await knownKinds(servers, kinds) : [];
  const work = workOf(options, { kinds, known, hooked });
  const scenarios = Iterator.from(brought ?? (hasControllers ? Iterator.from(work).map(besideControllers) : work));
  return { scenarios: scenarios.map((one) => scenarioPiece(pair, one)), edges: edgePieces(pair, known) };
}

/** How many turns of other work there are for each kind whose edges are looked for: that takes as long as many of them. */
const turnsPerEdges = 5;

/**
 * A cell of a rule is shorter than a scenario and takes about as long: rules wait, and make types and users of their own.
 * Their own verdicts tell most of it, so that scenarios have four turns for each of theirs.
 */
function mixed({ scenarios, edges }: ScenarioPieces, rules: Iterable<Piece>): Iterable<Piece> {
  const turns = Array.from({ length: turnsPerEdges }, () => [scenarios, scenarios, scenarios, scenarios, rules]);
  return interleaved([...turns.flat(), edges]);
}

/** What rules send, where that is asked for: they do not know of single resources. */
async function rulesBeside(
  { generators: asked = generators, scenarios, resources = [], clusterWide }: OracleOptions,
  work: Omit<RuleWork, 'permit'>,
): Promise<Iterable<Piece>> {
  if (!asked.includes('rules') || scenarios || resources.length > 0) return [];
  const permit = { run: work.pair.judged.run, write: true, cluster: clusterWide, disruptive: false };
  const all = (await loadSections()).flatMap((section) => section.rules);
  const rules = all.filter(({ id }) => !isAboutClient(entryOf(id)));
  return rulePiecesOf(rules, { ...work, permit });
}

const strainRounds = 6;

/** Histories are of the judged server alone: what they must keep is known without another one. */
async function strainedBy(
  { generators: asked = generators, scenarios, seed, budget }: OracleOptions,
  { judged, ownWords }: Pair,
  run: string,
): Promise<Strained> {
  return asked.includes('concurrency') && !scenarios
    ? strain(judged, ownWords, { seed, rounds: strainRounds, budget, burstKinds: burstKindsOf(run) })
    : { promises: [], brokenOff: [] };
}

const brokenPromise = ({ promise, what, hits }: Broken): Differs => ({
  signature: `clients at once: ${promise}`,
  piece: 'clients at once',
  generator: 'concurrency',
  hits,
  rules: (rulesBehindPromise[promise] ?? []).flatMap((prefix) => rulesUnder(prefix)),
  differences: [{ at: promise, seen: what, expected: undefined }],
});

function differsOf({ signature, piece, hits, shrunk, first }: Found): Differs {
  const divergence = shrunk?.divergence ?? first;
  return {
    signature,
    piece: piece.name,
    generator: piece.generator,
    hits,
    rules: [...new Set([...(piece.rules ?? []), ...rulesBehind(divergence)])],
    differences: divergence.differences,
    ...(shrunk ? { scenario: shrunk.scenario } : { request: divergence.step }),
    step: divergence.step.id,
  };
}
