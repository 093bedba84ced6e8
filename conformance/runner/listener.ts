import type { ConformanceOptions } from '../conformance-options.ts';
import type { RuleResult } from '../result.ts';

/** Who is told of results, by a function that may throw. */
export interface Listener {
  /** Throws nothing; after its first error nobody is told any more. */
  readonly tell: (result: RuleResult) => void;
  /** Aborted when the function has thrown: the run ends, and cleans up. */
  readonly signal: AbortSignal;
  /** Once the run has ended. @throws what the function threw */
  readonly close: () => Promise<void>;
}

/** Whoever listens to a run may break; the run still cleans up, and it is he who hears of it. */
export function listenerOf({ onResult }: Pick<ConformanceOptions, 'onResult'>): Listener {
  const broken = new AbortController();
  const fail = (error: unknown): void => broken.abort(error);
  const open: Promise<unknown>[] = [];
  return {
    signal: broken.signal,
    tell(result) {
      if (broken.signal.aborted) return;
      try {
        // An async function is one that gives nothing, to the compiler.
        open.push(Promise.resolve(onResult?.(result)).catch(fail));
      } catch (error) {
        fail(error);
      }
    },
    async close() {
      await Promise.all(open);
      broken.signal.throwIfAborted();
    },
  };
}
