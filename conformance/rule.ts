import type { Capability } from './capability.ts';
import type { Lab } from './lab/lab.ts';
import {
  type Axes,
  type Cell,
  type CellContext,
  type CellOf,
  type CellOutcome,
  cellsOf,
  judgeCells,
} from './matrix.ts';
import { paceOf } from './runner/pace.ts';
import type { Sabotage } from './sabotage/sabotage.ts';
import type { RuleContext } from './verbs/context.ts';

/** How binding a sentence of the documents is. */
export const levels = ['must', 'should', 'may'] as const;
export type Level = (typeof levels)[number];

/**
 * pass: the rule was kept. fail: the server broke it. warn: it was not kept, but need not be (a should, or a point
 * where genuine servers are looser than the documents). skipped: a stated capability is missing. error: the suite
 * itself broke.
 */
export type Verdict = 'pass' | 'fail' | 'warn' | 'skipped' | 'error';

/** One documented sentence with the check that judges a server by it. */
export interface Rule {
  /** The catalogue's id; it starts with the path of the file that holds the rule. */
  readonly id: string;
  /** What it says, for a rule of one's own, which no catalogue holds. */
  readonly own?: OwnSentence;
  /** Ways to break exactly this rule: under each of them the check must fail. */
  readonly sabotages: readonly Sabotage[];
  readonly needs: readonly Capability[];
  /** The server must have been started with these flags; one is started for the rule. May write files into the lab. */
  readonly flags?: Flags;
  /** What it is answered depends on which of its requests comes first: two servers are not compared by it. */
  readonly races?: boolean;
  /** What a general rule ranges over, cell by cell. */
  readonly cells?: readonly Cell[];
  /** Throws when a rule about one thing is broken; a general one gives the outcome of each of its cells. */
  // biome-ignore lint/suspicious/noConfusingVoidType: checks of rules about one thing return nothing
  readonly check: (context: RuleContext) => Promise<readonly CellOutcome[] | void>;
}

/** What the catalogue says of documented rules. */
export interface OwnSentence {
  readonly statement: string;
  readonly level: Level;
  /** Where it is written down. */
  readonly source: string;
}

/** Flags of a server, or how to make them for a lab; the function gives the same at every call. */
export type Flags = readonly string[] | ((lab: Lab) => readonly string[]);

interface RuleParts<A extends Axes> {
  readonly sabotage: Sabotage | readonly Sabotage[];
  readonly needs?: readonly Capability[];
  readonly flags?: Flags;
  /** Whether its answers depend on which of its requests comes first. */
  readonly races?: boolean;
  /** The check runs once for each combination of these values, with a namespace that no other cell of its kind has. */
  readonly matrix?: A;
  /** Which combinations make sense; all unless it is given. */
  readonly where?: (cell: CellOf<A>) => boolean;
  readonly check: (context: CellContext<A>, cell: CellOf<A>) => Promise<unknown>;
}

/** Throws when no sabotage is named: a check that cannot fail proves nothing. */
export function defineRule<const A extends Axes = Record<never, never>>(id: string, parts: RuleParts<A>): Rule {
  const { sabotage } = parts;
  const sabotages = Array.isArray(sabotage) ? sabotage : [sabotage as Sabotage];
  if (sabotages.length === 0) throw new Error(`rule ${id} names no sabotage`);
  return { ...checkOf(id, parts), sabotages };
}

/** A rule that no document holds says itself what the catalogue says of the others. */
interface OwnRuleParts<A extends Axes> extends Omit<RuleParts<A>, 'sabotage'>, Partial<OwnSentence> {
  readonly statement: string;
}

/** A rule of one's own, for `runRules`; a `must` unless it says otherwise. */
export const defineOwnRule = <const A extends Axes = Record<never, never>>(
  id: string,
  parts: OwnRuleParts<A>,
): Rule => {
  const { statement, level = 'must', source = 'a rule of one’s own' } = parts;
  return { ...checkOf(id, parts), sabotages: [], own: { statement, level, source } };
};

function checkOf<const A extends Axes>(id: string, parts: Omit<RuleParts<A>, 'sabotage'>): Omit<Rule, 'sabotages'> {
  const { needs = [], flags, races, matrix, where, check } = parts;
  const common = { id, needs, ...(flags && { flags }), ...(races && { races }) };
  if (!matrix)
    return {
      ...common,
      check: async (context) => void (await check(context as CellContext<A>, {} as CellOf<A>)),
    };
  const cells = cellsOf(matrix, check, where, paceOf(id));
  return { ...common, cells, check: (context) => judgeCells(cells, context) };
}
