import type { Capability } from './capability.ts';
import type { Lab } from './lab/lab.ts';
import type { Sabotage } from './sabotage/sabotage.ts';
import type { RuleContext } from './verbs/context.ts';

/** How binding a sentence of the documents is. */
export type Level = 'must' | 'should' | 'may';

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
  /** Ways to break exactly this rule: under each of them the check must fail. */
  readonly sabotages: readonly Sabotage[];
  readonly needs: readonly Capability[];
  /** The server must have been started with these flags; one is started for the rule. May write files into the lab. */
  readonly flags?: Flags;
  readonly check: (context: RuleContext) => Promise<void>;
}

/** Flags of a server, or how to make them for a lab; the function gives the same at every call. */
export type Flags = readonly string[] | ((lab: Lab) => readonly string[]);

interface RuleParts {
  readonly sabotage: Sabotage | readonly Sabotage[];
  readonly needs?: readonly Capability[];
  readonly flags?: Flags;
  readonly check: (context: RuleContext) => Promise<void>;
}

/** Throws when no sabotage is named: a check that cannot fail proves nothing. */
export function defineRule(id: string, { sabotage, needs = [], flags, check }: RuleParts): Rule {
  const sabotages = Array.isArray(sabotage) ? sabotage : [sabotage as Sabotage];
  if (sabotages.length === 0) throw new Error(`rule ${id} names no sabotage`);
  return { id, sabotages, needs, ...(flags ? { flags } : {}), check };
}
