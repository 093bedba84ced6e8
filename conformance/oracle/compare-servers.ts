import { refuseUnknown } from '../../mistyped.ts';
import { checkTarget } from '../conformance-options.ts';
import type { Target } from '../target/target.ts';
import { type OracleOptions, type OracleReport, runOracle } from './oracle.ts';

/** What is compared, and for how long; the rest may be left out. */
export type CompareOptions = { readonly judged: Target } & Partial<OracleOptions>;

/** Every option there is; the type asks for one that is missing here. */
const known: Readonly<Record<keyof CompareOptions, true>> = {
  ...{ judged: true, other: true, budget: true, resources: true, clusterWide: true, webhookHost: true, run: true },
  ...{ scenarios: true, shrinkLimit: true, signal: true, onProgress: true },
  ...{ seed: true, generators: true, sequences: true, steps: true },
};

/** Milliseconds. */
const usualBudget = 60_000;

/**
 * Plays generated work against two servers and tells where they differ. The same seed plays the same work.
 * @throws Error, a TypeError, for options that cannot be meant
 */
export async function compare(options: CompareOptions): Promise<OracleReport> {
  refuseUnknown(options, Object.keys(known));
  checkTarget('judged', options.judged);
  if (options.other !== undefined) checkTarget('other', options.other);
  return runOracle({ seed: 1, budget: usualBudget, clusterWide: false, ...options });
}
