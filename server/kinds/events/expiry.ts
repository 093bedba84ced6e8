import type { Cancel } from '../../base/time/timers.ts';
import { follow } from '../../store/follow.ts';
import { kindPrefix } from '../../store/object-keys.ts';
import { KeyMissingError, type Store } from '../../store/store.ts';
import type { KindSurroundings } from '../strategy.ts';

/** Events of both APIs are stored as this. */
const events = { group: '', resource: 'events' };
const minute = 60_000;

interface Due {
  readonly key: string;
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface ExpiryOptions extends KindSurroundings {
  /** How long an Event is kept after its last write, in milliseconds. */
  readonly ttl: number;
}

/**
 * Removes Events when their time is over (`--event-ttl`): they report, nobody owns them. Every write starts the time
 * anew, so what is due stands in the order of the writes. A store that does so itself is left to it. @returns what stops
 * it
 */
export async function expireEvents({ store, clock, timers, ttl, report }: ExpiryOptions): Promise<Cancel> {
  if (ttl <= 0 || store.lifetimeOf?.(kindPrefix(events)) !== undefined) return () => {};
  let due: Due[] = [];
  const note = (key: string, revision: number) => due.push({ key, revision, at: clock.now() + ttl });
  const following = await follow(store, events, {
    each: ({ key, revision, current }) => {
      if (current) note(key, revision);
    },
  });
  const sweep = async () => {
    const now = clock.now();
    const kept = due.findIndex(({ at }) => at > now);
    const over = due.splice(0, kept < 0 ? due.length : kept);
    for (const each of over) await removeUnchanged(store, each);
  };
  const interval = Math.min(minute, Math.max(1000, ttl / 10));
  const cancel = timers.every(interval, () => void sweep().catch(report));
  return () => {
    cancel();
    following.stop();
    due = [];
  };
}

/** An Event that was written since is due later, and stands in line again. */
async function removeUnchanged(store: Store, { key, revision }: Due): Promise<void> {
  try {
    await store.update(key, (current) => (current.revision === revision ? { remove: true } : { keep: true }));
  } catch (error) {
    if (!(error instanceof KeyMissingError)) throw error;
  }
}
