import type { Capability } from './capability.ts';
import type { CatalogueEntry } from './catalogue/catalogue.ts';
import type { CellOutcome } from './matrix.ts';
import type { Level, Verdict } from './rule.ts';
import { Breach, type BreachKind, Skipped } from './verbs/breach.ts';
import type { RuleRun } from './verbs/context.ts';
import { type Exchange, publishable, redact } from './verbs/exchange.ts';

/** What is said about a check that did not pass. */
export interface Finding {
  /** `missing`: the target lacks what it claims to have. `crash`: the suite itself broke. */
  readonly kind: BreachKind | 'missing' | 'crash';
  readonly message: string;
  readonly expected?: string;
  readonly seen?: string;
  /** Of a general rule: the cells that did not hold. */
  readonly cells?: readonly CellFinding[];
}

/** What is said about one cell of a general rule. */
export interface CellFinding extends Omit<Finding, 'cells'> {
  readonly cell: string;
}

/** How many cells of a general rule were judged, and how many of them held. */
export interface CellCounts {
  readonly judged: number;
  readonly held: number;
  /** Why the others were not judged. */
  readonly skipped: readonly { readonly cell: string; readonly reason: string }[];
}

/** One rule's result: plain data, fit for reports. */
export interface RuleResult {
  readonly id: string;
  readonly chapter: string;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  readonly verdict: Verdict;
  readonly finding?: Finding;
  /** Why it was skipped. */
  readonly reason?: string;
  /** What would have to be there to judge it. */
  readonly lacking?: readonly Capability[];
  /** It was claimed, and yet nothing is known of it. */
  readonly leftOut?: boolean;
  readonly warnings: readonly string[];
  /** What the rule has made and could not remove again. */
  readonly left?: readonly string[];
  /** Only of a general rule. */
  readonly cells?: CellCounts;
  /** Secrets redacted; left out of a pass. */
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
  readonly milliseconds: number;
}

/** What a result says of its rule. */
export type RuleFacts = Pick<CatalogueEntry, 'id' | 'chapter' | 'level' | 'statement' | 'source'>;

/** How a check went: what it threw, if anything, and the outcome of each cell. */
export interface Outcome {
  readonly thrown?: unknown;
  readonly cells: readonly CellOutcome[];
}

/** Reads the outcome of a check. */
export function resultOf(
  entry: RuleFacts,
  run: Pick<RuleRun, 'exchanges' | 'warnings' | 'requests'>,
  { thrown, cells }: Outcome,
  milliseconds: number,
  verbose: boolean,
): RuleResult {
  const counts = countsOf(cells);
  const requests = run.requests();
  if (thrown instanceof Skipped) return { ...skippedResult(entry, thrown.message), requests, milliseconds };
  if (counts?.judged === 0)
    return { ...skippedResult(entry, counts.skipped[0]?.reason ?? ''), cells: counts, requests, milliseconds };
  const finding = thrown === undefined ? findingOfCells(cells) : findingOf(thrown);
  const verdict = verdictOf(entry.level, finding, run.warnings.length);
  const exchanges = [...run.exchanges, ...cells.flatMap((cell) => cell.exchanges)];
  return {
    ...facts(entry),
    verdict,
    ...(finding ? { finding } : {}),
    warnings: run.warnings,
    ...(counts ? { cells: counts } : {}),
    exchanges: verdict === 'pass' && !verbose ? [] : exchanges.map(publishable),
    requests,
    milliseconds,
  };
}

function countsOf(cells: readonly CellOutcome[]): CellCounts | undefined {
  if (cells.length === 0) return undefined;
  const skipped = cells.flatMap(({ cell, skipped: reason }) => (reason === undefined ? [] : [{ cell, reason }]));
  const broken = cells.filter(({ error }) => error !== undefined).length;
  return { judged: cells.length - skipped.length, held: cells.length - skipped.length - broken, skipped };
}

/** From the most telling kind of breach to the least: one cell that crashed must not hide a rule that is broken. */
const telling: readonly Finding['kind'][] = ['assertion', 'malformed', 'timeout', 'connection', 'preparation', 'crash'];

/** One finding for all the cells that did not hold. */
function findingOfCells(outcomes: readonly CellOutcome[]): Finding | undefined {
  const cells = outcomes.flatMap(({ cell, error }): CellFinding[] =>
    error === undefined ? [] : [{ cell, ...findingOf(error) }],
  );
  const first = telling.flatMap((kind) => cells.filter((cell) => cell.kind === kind))[0];
  if (!first) return undefined;
  const { cell: _, message: __, ...parts } = first;
  const lines = cells.map(({ cell, message }) => `  ${cell}: ${message.split('\n')[0]}`);
  return { ...parts, message: `${cells.length} of ${outcomes.length} cells:\n${lines.join('\n')}`, cells };
}

const facts = ({ id, chapter, level, statement, source }: RuleFacts): RuleFacts => ({
  id,
  chapter,
  level,
  statement,
  source,
});

/** A rule that was not judged. */
export const skippedResult = (
  entry: RuleFacts,
  reason: string,
  more: Pick<RuleResult, 'lacking' | 'leftOut'> = {},
): RuleResult => ({
  ...facts(entry),
  verdict: 'skipped',
  reason,
  ...more,
  warnings: [],
  exchanges: [],
  requests: 0,
  milliseconds: 0,
});

/** A rule that was not judged for a reason that counts against the target or the suite. */
export const brokenResult = (entry: RuleFacts, finding: Finding): RuleResult => {
  const { reason: _, ...blank } = skippedResult(entry, '');
  return { ...blank, verdict: verdictOf(entry.level, finding, 0), finding };
};

/** Only a must can fail; of a should or a may it is worth knowing. */
export function verdictOf(level: Level, finding: Finding | undefined, warnings: number): Verdict {
  if (finding === undefined) return warnings > 0 ? 'warn' : 'pass';
  if (finding.kind === 'crash') return 'error';
  return level === 'must' ? 'fail' : 'warn';
}

const shown = (value: unknown): string => {
  const text =
    typeof value === 'string'
      ? value
      : JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
  return redact(text ?? String(value)).slice(0, 4_000);
};

/** Where checks read answers; compiled once published. */
const inRule = /\.rules\.[jt]s|[\\/]verbs[\\/]|[\\/]conformance[\\/](?:checks|rules)[\\/]/;

/** What only a text that somebody else wrote makes a reader throw, however deep in it. */
const unreadable = ['SyntaxError', 'YAMLParseError'];

/** A check that stumbles over what it was answered. */
const isMalformed = ({ name, stack = '' }: Error): boolean =>
  unreadable.includes(name) || (['TypeError', 'RangeError'].includes(name) && inRule.test(stack));

/** Tells a broken rule from a broken suite: only assertions and breaches speak about the target. */
export function findingOf(error: unknown): Finding {
  if (error instanceof Breach) return { kind: error.kind, message: error.message };
  if (error instanceof Error && error.name === 'AssertionError') {
    const { actual, expected } = error as { actual?: unknown; expected?: unknown };
    return {
      kind: 'assertion',
      message: error.message,
      ...(expected === undefined ? {} : { expected: shown(expected) }),
      ...(actual === undefined ? {} : { seen: shown(actual) }),
    };
  }
  if (error instanceof TypeError && /expects? to (receive|be called)/.test(error.message))
    return { kind: 'assertion', message: error.message };
  if (error instanceof Error && isMalformed(error))
    return { kind: 'malformed', message: `the answer is not of the shape that the check reads: ${error.message}` };
  if (error instanceof Error) return { kind: 'crash', message: error.stack ?? error.message };
  return { kind: 'crash', message: String(error) };
}
