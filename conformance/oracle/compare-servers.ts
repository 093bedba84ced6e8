import type { Target } from '../target/target.ts';
import { type OracleOptions, type OracleReport, runOracle } from './oracle.ts';

/** What is compared, and for how long; the rest may be left out. */
export type CompareOptions = { readonly judged: Target } & Partial<OracleOptions>;

/** Milliseconds. */
const usualBudget = 60_000;

/** Plays generated work against two servers and tells where they differ. The same seed plays the same work. */
export const compare = (options: CompareOptions): Promise<OracleReport> =>
  runOracle({ seed: 1, budget: usualBudget, clusterWide: false, ...options });
