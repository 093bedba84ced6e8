import type { Json } from '../base/kube-object.ts';
import type { OddNumbers, UnknownField } from './decoded.ts';

/** How a decoded object is checked. */
export interface CheckOptions {
  /**
   * `typed` (built-in kinds): types are checked and the value is brought into the form in which a typed server holds
   * it. `prune` (custom types): unknown fields are found and dropped, all else is left to the validator.
   */
  readonly mode?: 'typed' | 'prune';
  /** As decoded. */
  readonly oddNumbers?: OddNumbers;
  /** Whole numbers that do not fit are cut to size instead of being refused. */
  readonly wrapsNumbers?: boolean;
  /** Whether others may have their turn meanwhile, since there is much to check. */
  readonly inTurns?: boolean;
}

/** What was found, and what is left. */
export interface Checked {
  /** Changed in place where that is possible; use this one, not the argument. */
  readonly value: { [key: string]: Json };
  /** The topmost unknown fields, in the order of the value; they were dropped. At most `maximumFaults`. */
  readonly unknown: readonly UnknownField[];
  /**
   * Where lists and maps were dropped because they were sent empty: the names of the fields on the way, at most the first
   * three (`spec.egress`, `spec.podSelector.matchLabels`).
   */
  readonly emptied: ReadonlySet<string>;
}

/** Nothing was sent empty. */
export const nowhere: ReadonlySet<string> = new Set();
