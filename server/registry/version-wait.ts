import { versionTooLarge } from '../base/status-error.ts';
import { pause, type Timers } from '../base/time/timers.ts';
import type { Store } from '../store/store.ts';
import type { Resource } from './resource.ts';

/** How long a read waits for a version that the store has not reached, in milliseconds (rule `rv.too-large.list`). */
const patience = 3000;
const interval = 50;

interface Waiting {
  readonly store: Store;
  readonly timers: Timers;
}

/** @throws 504 when the store does not reach the version in time: for what a cache would hold with Retry-After */
export async function waitForVersion(
  { store, timers }: Waiting,
  version: number,
  { rules }: Pick<Resource, 'rules'>,
): Promise<void> {
  if (version <= (await store.currentRevision({ any: true }))) return;
  // A store may take long to say where it is: that counts as well.
  let isOver = false;
  const cancel = timers.after(patience, () => {
    isOver = true;
  });
  try {
    for (;;) {
      const isLast = isOver;
      const current = await store.currentRevision();
      if (version <= current) return;
      if (isLast) throw versionTooLarge(version, current, rules.isUncached ? undefined : 1);
      await pause(timers, interval);
    }
  } finally {
    cancel();
  }
}
