import { runOracle } from '../oracle/oracle.ts';
import { startReference } from '../target/reference.ts';
import type { Fault } from './fault.ts';
import { withFaulty } from './kill.ts';

/** What the oracle saw of a fault: how the first difference is called, or none. */
export interface Notice {
  readonly differs?: string;
  readonly comparisons: number;
}

/** Compares a server with one fault with one that has none, until they differ or the time is spent. */
export async function notice(fault: Fault, budget: number): Promise<Notice> {
  const starting = startReference();
  // Whoever waits for it is told.
  starting.catch(() => undefined);
  const found = new AbortController();
  try {
    return await withFaulty(fault, new Set(), async (judged) => {
      const other = await starting;
      const report = await runOracle({
        judged,
        other: other.target,
        seed: 1,
        budget,
        clusterWide: true,
        shrinkLimit: 1,
        signal: found.signal,
        onProgress: ({ differing }) => {
          if (differing > 0) found.abort();
        },
      });
      const [first] = report.differs;
      return { comparisons: report.comparisons, ...(first ? { differs: first.signature } : {}) };
    });
  } finally {
    await (await starting).stop();
  }
}
