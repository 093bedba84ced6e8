import { checkKinds, type OptionKind } from '../../mistyped.ts';
import { checkTarget } from '../conformance-options.ts';
import type { Target } from '../target/target.ts';
import { type OracleOptions, type OracleReport, runOracle } from './oracle.ts';

/** What is compared, and for how long; the rest may be left out. */
export type CompareOptions = { readonly judged: Target } & Partial<OracleOptions>;

/** Every option there is; the type asks for one that is missing here. */
const kinds: Readonly<Record<keyof CompareOptions, OptionKind>> = {
  ...{ judged: 'an object', other: 'an object', budget: 'a number', resources: 'a list', clusterWide: 'true or false' },
  ...{ webhookHost: 'a text', run: 'a text', scenarios: 'a list', shrinkLimit: 'a number', signal: 'an AbortSignal' },
  ...{ onProgress: 'a function', seed: 'a number', generators: 'a list', sequences: 'a number', steps: 'a number' },
};

/** Milliseconds. */
const usualBudget = 60_000;

/**
 * Plays generated work against two servers and tells where they differ. The same seed plays the same work.
 * @throws Error, a TypeError, for options that cannot be meant
 */
export async function compare(options: CompareOptions): Promise<OracleReport> {
  checkKinds(options, kinds);
  checkTarget('judged', options.judged);
  if (options.other !== undefined) checkTarget('other', options.other);
  return runOracle({ seed: 1, budget: usualBudget, clusterWide: false, ...options });
}
