import { type Cancel, systemTimers, type Timers } from '../base/time/timers.ts';
import type { Store } from './store.ts';

export interface CompactionOptions {
  /** Milliseconds between two compactions: history is held at least that long and at most twice. 0: never compact. */
  readonly interval: number;
  readonly timers?: Timers;
  /** Told when a compaction fails; the next interval tries again. */
  readonly onError?: (error: unknown) => void;
}

/** Every interval, forgets what was history one interval ago already. @returns what stops it */
export function startCompaction(
  store: Store,
  { interval, timers = systemTimers, onError = (error) => process.emitWarning(String(error)) }: CompactionOptions,
): Cancel {
  if (interval <= 0) return () => {};
  let oneIntervalAgo: number | undefined;
  const compact = async () => {
    const due = oneIntervalAgo;
    oneIntervalAgo = await store.currentRevision();
    if (due !== undefined) await store.compact(due);
  };
  return timers.every(interval, () => void compact().catch(onError));
}
