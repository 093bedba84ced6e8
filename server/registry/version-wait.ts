import { versionTooLarge } from '../base/status-error.ts';
import { pause, type Timers } from '../base/timers.ts';
import type { Store } from '../store/store.ts';

/** How long a read waits for a version that the store has not reached, in milliseconds (rule `rv.too-large.list`). */
const patience = 3000;
const interval = 50;

interface Waiting {
  readonly store: Store;
  readonly timers: Timers;
}

/** @throws 504 with Retry-After when the store does not reach the version in time */
export async function waitForVersion({ store, timers }: Waiting, version: number): Promise<void> {
  for (let waited = 0; ; waited += interval) {
    const current = await store.currentRevision();
    if (version <= current) return;
    if (waited >= patience) throw versionTooLarge(version, current, 1);
    await pause(timers, interval);
  }
}
