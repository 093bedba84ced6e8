import type { KnownTarget } from '../target/target.ts';
import type { Permit } from '../verbs/guest/permit.ts';

/** How many rules are run at the same time for each worker that was asked for: they wait much and compute little. */
export const concurrency = 12;

/** As many where what was broken is judged again. */
export const calmConcurrency = 2;

/** How many of them may start servers of their own: a rule ends what it starts, but some start several. */
export const startersAtOnce = 2;

/** What the workers are told: plain data. */
export interface Plan {
  readonly target: KnownTarget;
  /** The rules to run; files may hold others. */
  readonly ids: readonly string[];
  readonly timeout: number;
  readonly patience: number;
  readonly keep: boolean;
  readonly permit: Permit;
  /** Keep the exchanges of rules that pass, too. */
  readonly verbose: boolean;
  /** How many rules a worker runs at the same time. */
  readonly rulesAtOnce: number;
  /** In how many cells a general rule is judged at most; in all unless it is given. */
  readonly cellsAtMost?: number;
  /** Set for a self-check: the addresses of the servers under which nothing may pass. */
  readonly deadServers?: readonly { readonly name: string; readonly url: string }[];
}
