import { type Cell, judgeCells } from '../../matrix.ts';
import type { Rule } from '../../rule.ts';
import { judge } from '../../runner/judge.ts';
import { sampleOf } from '../../selection/cell-sample.ts';
import { explore } from '../../target/capabilities.ts';
import type { KnownTarget } from '../../target/target.ts';
import type { Permit } from '../../verbs/guest/permit.ts';
import { placeOf } from '../../verbs/guest/request-path.ts';
import { type Pair, signatureOf } from '../compare/duel.ts';
import { interleaved } from '../generate/interleave.ts';
import type { Piece } from '../piece.ts';
import type { OpenSide } from '../play/open-side.ts';
import { putEverywhere } from '../play/put-everywhere.ts';
import { canonical, own } from './canonical.ts';
import { compareHeard, type HeardPlay } from './compare-heard.ts';
import { type Heard, listen } from './heard.ts';
import { type HeardTwice, pairsOf } from './pairs.ts';

export interface OpenPair extends Pair {
  readonly judged: OpenSide;
  readonly other: OpenSide;
}

export interface RuleWork {
  readonly pair: OpenPair;
  /** What rules may do to both servers. */
  readonly permit: Permit;
  /** Resources whose objects are not compared. */
  readonly leftOut: ReadonlySet<string>;
  /** Whether both servers reach webhooks on this machine. */
  readonly hooked: boolean;
}

/** A server on which rules are played to hear what it answers. */
interface Stage {
  readonly side: OpenSide;
  readonly known: KnownTarget;
}

/** Where and how pieces are played. */
interface Place extends RuleWork {
  readonly stages: readonly [Stage, Stage];
}

/** Milliseconds that a rule may take, and that it waits for what should come at once. */
interface Waits {
  readonly timeout: number;
  readonly patience: number;
}

const hasty: Waits = { timeout: 20_000, patience: 1_500 };
/** Of a difference that is tried again: on a busy machine one of the two may have been late. */
const patient: Waits = { timeout: 40_000, patience: 3_000 };

/**
 * What rules send that do not race, cell by cell: of each rule first the cell that shows most of it, then the next ones.
 * Chapters come in turn, so that a short run sees something of each.
 */
export async function rulePiecesOf(rules: readonly Rule[], work: RuleWork): Promise<Iterable<Piece>> {
  const { pair, permit, hooked } = work;
  const stageOf = async (side: OpenSide): Promise<Stage> => {
    const known = await explore(side.target, { declared: hooked ? ['webhooks'] : [], permit });
    return { side, known: { ...known, webhookHost: side.webhookHost } };
  };
  const stages = await Promise.all([stageOf(pair.judged), stageOf(pair.other)]);
  const calm = rules.filter(({ races }) => !races);
  return cellByCell(inTurnsOfChapters(calm)).map((rule) => rulePiece(rule, { ...work, stages }));
}

/** Chapters whose rules make or read a great deal of which little is compared: they come after all others. */
const late: ReadonlySet<string> = new Set(['limits', 'metrics']);

const chapterOf = ({ id }: Rule): string => id.split('.')[0] ?? '';

export function inTurnsOfChapters(rules: readonly Rule[]): readonly Rule[] {
  const chapters = [...Map.groupBy(rules, chapterOf)];
  const [first, last] = [false, true].map((isLate) =>
    chapters.filter(([chapter]) => late.has(chapter) === isLate).map(([, some]) => some),
  ) as [Rule[][], Rule[][]];
  return [...interleaved(first), ...interleaved(last)];
}

/** Rules of one cell each, in rounds. */
function* cellByCell(rules: readonly Rule[]): Generator<Rule> {
  const rounds = Math.max(1, ...rules.map(({ cells = [] }) => cells.length));
  const chosen = new Map<Rule, readonly Cell[]>();
  for (let round = 0; round < rounds; round++)
    for (const rule of rules) {
      const cells = chosen.get(rule) ?? sampleOf(rule.cells ?? [], rule.cells?.length ?? 0, 0);
      chosen.set(rule, cells);
      const cell = cells[round];
      if (cell) yield inCell(rule, cell);
      else if (round === 0) yield rule;
    }
}

const inCell = (rule: Rule, cell: Cell): Rule => ({
  ...rule,
  cells: [cell],
  check: (context) => judgeCells([cell], context),
});

/** What a rule sends and is answered on both servers. Its verdict does not count. */
function rulePiece(rule: Rule, place: Place): Piece {
  const { stages, permit, pair } = place;
  let before: readonly HeardPlay[] = [];
  return {
    name: [rule.id, ...(rule.cells ?? []).map(({ name }) => name)].join(': '),
    generator: 'rules',
    rules: [rule.id],
    async compare() {
      const [judged, other] = stages;
      const waits = before.length > 0 ? patient : hasty;
      const now = await Promise.all([perform(rule, judged, permit, waits), perform(rule, other, permit, waits)]);
      const wavering = new Set(before.flatMap((one, side) => changedSince(one, now[side] as HeardPlay, place)));
      before = now;
      const pairs = comparedOf(now, place);
      const found = compareHeard(now, pairs, pair);
      return { divergences: found.filter((one) => !wavering.has(signatureOf(one))), answers: pairs.length };
    },
  };
}

async function perform(rule: Rule, { side, known }: Stage, permit: Permit, waits: Waits): Promise<HeardPlay> {
  const { witness, heard } = listen();
  const { agents, stopped: signal } = side;
  const begun = Date.now();
  await judge(rule, known, { agents, ...waits, keep: false, permit, signal, witness });
  return { begun, url: known.url, heard: canonical(heard) };
}

function comparedOf([one, two]: readonly [HeardPlay, HeardPlay], { leftOut }: Place): readonly HeardTwice[] {
  const isLeftOut = ({ path }: Heard): boolean => leftOut.has(placeOf(path)?.resource ?? '');
  return pairsOf(one.heard, two.heard).filter(
    (pair) => !isLeftOut(pair[0]) && !isOfEverybody(pair[0]) && !isSilent(pair) && !isForeign(pair[0]),
  );
}

/** Where the one that it is compared with gave no answer, nothing is known of the judged one. */
const isSilent = ([judged, other]: HeardTwice): boolean => other.failure !== undefined && judged.failure === undefined;

/** What controllers put into every namespace may be there before a rule makes it. */
const isForeign = ({ method, path, body }: Heard): boolean =>
  method === 'POST' &&
  /\/(serviceaccounts|configmaps)$/.test(path) &&
  putEverywhere.has(/"metadata":\{[^}]*"name":"([^"]+)"/.exec(body.toString('utf8'))?.[1] ?? '');

/** What a server counts, and where its pages end, has to do with what others do meanwhile. */
const isOfEverybody = ({ path, query }: Heard): boolean =>
  path === '/metrics' || (/\b(limit|continue)=/.test(query) && !`${path} ${query}`.includes(own));

/** What one server answers otherwise when it is asked once more says nothing. */
const changedSince = (before: HeardPlay, now: HeardPlay, place: Place): readonly string[] =>
  compareHeard([before, now], comparedOf([before, now], place)).map(signatureOf);
