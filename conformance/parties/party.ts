import { entryOf } from '../catalogue/catalogue.ts';
import type { Flag, FlagTexts } from '../commands/flag-table.ts';
import type { RuleFacts } from '../result.ts';
import type { Level } from '../rule.ts';
import type { Exchange } from '../verbs/exchange.ts';

/** Values of flags by name, as `parseArgs` gives them. */
export type FlagValues = Readonly<FlagTexts>;

/**
 * A party of the API other than its server, and how one is judged. `T` is what is judged (a command, an address), `C`
 * what a check works with.
 */
export interface Party<T, C> {
  /** The word after `touchstone judge`; also the name of its folder. */
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** What follows the name of the party, as people would type it. */
  readonly examples: readonly string[];
  /** What follows the flags, such as `-- COMMAND [ARGUMENT…]`; left out when nothing may. */
  readonly operands?: string;
  /** Beside those that every judge has. */
  readonly flags: readonly Flag[];
  readonly rules: readonly PartyRule<C>[];
  /** Reads what is to be judged. @throws UsageError */
  readonly candidate: (values: FlagValues, operands: readonly string[]) => T;
  /** By what reports tell it from others of its kind, such as its address. */
  readonly called: (candidate: T) => string;
  /** Looks whether there is anything to judge. @throws TargetFault */
  readonly inspect?: (candidate: T) => Promise<void>;
  /** Makes what the check of one rule works with; what it opens is given to `run.release`. */
  readonly open: (candidate: T, run: PartyRun) => Promise<C>;
  /** Starts a party of our own: a good one, or one with this fault, by which the self-check shows that rules can fail. */
  readonly specimen: (fault?: string) => Promise<Specimen<T>>;
  /** How many of them are judged at once unless it is said; without it as many as rules of a candidate. */
  readonly specimensAtOnce?: number;
  /** One that runs already meets all rules: what one of them makes can bring it down under another. */
  readonly isShared?: boolean;
  /** Faults so grave that no rule at all passes, such as doing nothing. */
  readonly dead: readonly string[];
}

export interface Specimen<T> {
  readonly candidate: T;
  readonly stop: () => Promise<void>;
}

/** One sentence that binds a party, with its check. */
export interface PartyRule<C> extends RuleFacts {
  /** The catalogue's rules that the check judges; empty for a rule that only follows from some. */
  readonly proves: readonly string[];
  /** Faults of specimens under each of which the check must fail. */
  readonly faults: readonly string[];
  /** Throws when the rule is broken; `Skipped` when the party does not do what the rule is about. */
  readonly check: (context: C) => Promise<void>;
}

/** What one run of a rule leaves behind. */
export interface PartyRun {
  readonly ruleId: string;
  /** In the order they began, to be shown when the rule is broken. */
  readonly exchanges: Exchange[];
  readonly warnings: string[];
  /** What was made on a cluster and would not go again, with the reason. */
  readonly left: string[];
  /** What to do when the rule is done, the last first. */
  readonly release: (undo: () => unknown) => void;
}

interface Parts<C> {
  /** One or several. */
  readonly fault: string | readonly string[];
  readonly check: (context: C) => Promise<void>;
}

/** A rule of the catalogue. @throws Error when there is none of that id, or no fault is named */
export function documented<C>(id: string, parts: Parts<C>): PartyRule<C> {
  const { chapter, level, statement, source } = entryOf(id);
  return { id, chapter, level, statement, source, proves: [id], ...checked(id, parts) };
}

interface Sentence {
  readonly statement: string;
  readonly level?: Level;
  /** The catalogue's rules from which it follows. */
  readonly from: readonly string[];
}

/** A rule that no sentence states by itself. Its id begins with the party's name. @throws Error as `documented` */
export function implied<C>(id: string, { statement, level = 'must', from }: Sentence, parts: Parts<C>): PartyRule<C> {
  const source = `follows from ${from.map((one) => entryOf(one).id).join(', ')}`;
  const chapter = id.slice(0, id.indexOf('.'));
  return { id, chapter, level, statement, source, proves: [], ...checked(id, parts) };
}

/** Implied rules whose ids begin alike. */
export const impliedUnder =
  <C>(prefix: string) =>
  (
    name: string,
    statement: string,
    from: readonly string[],
    fault: Parts<C>['fault'],
    check: Parts<C>['check'],
    level: 'must' | 'should' = 'must',
  ): PartyRule<C> =>
    implied(`${prefix}.${name}`, { statement, from, level }, { fault, check });

function checked<C>(id: string, { fault, check }: Parts<C>): Pick<PartyRule<C>, 'faults' | 'check'> {
  const faults = [fault].flat();
  if (faults.length === 0) throw new Error(`rule ${id} names no fault`);
  return { faults, check };
}
