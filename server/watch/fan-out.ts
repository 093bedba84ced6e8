import { systemTimers, type Timers } from '../base/time/timers.ts';
import type { Store } from '../store/store.ts';
import { defaultLimits } from './backlog.ts';
import { Watcher, type WatcherContext, type WatchLimits, type WatchRequest } from './watcher.ts';

export interface FanOutOptions {
  readonly store: Store;
  readonly timers?: Timers;
  readonly limits?: Partial<WatchLimits>;
  /** Milliseconds, from any point. */
  readonly now?: () => number;
}

const minute = 60_000;
/**
 * After changes were written to so many watchers, the next ones wait for so many times as many milliseconds, at most for
 * so many: what few watch is written at once, and many share a write among the changes that came meanwhile, since what
 * a write costs is hardly a matter of its length. (How long writing took is no measure: sinks do most of it later.)
 */
const rest = { each: 0.2, most: 20 };
const limitsByDefault: WatchLimits = { ...defaultLimits, stall: minute, bookmarkInterval: minute, grace: 5000 };

/**
 * All open watches of a server. Each one subscribes to the store itself, which finds the subscribers of a key without
 * asking all of them; what they share is the encoding of an event and the moment of writing: changes that come within
 * one turn of the event loop leave together, and where many watch, those of several turns.
 */
export class FanOut {
  readonly #watchers = new Set<Watcher>();
  readonly #unflushed = new Set<Watcher>();
  readonly #context: WatcherContext;
  readonly #timers: Timers;
  readonly #now: () => number;
  /** Before then nothing more is written. */
  #restsUntil = 0;
  #isStopped = false;

  constructor({ store, timers = systemTimers, limits, now = () => performance.now() }: FanOutOptions) {
    this.#timers = timers;
    this.#now = now;
    this.#context = {
      store,
      timers,
      limits: { ...limitsByDefault, ...limits },
      wantFlush: (watcher) => this.#wantFlush(watcher),
      ended: (watcher) => this.#forget(watcher),
    };
  }

  /** How many watches are open. */
  get size(): number {
    return this.#watchers.size;
  }

  /** Opens a watch, which ends by itself, at once when all have ended; `leave` of the result ends it when the client goes away. */
  open(request: WatchRequest): Watcher {
    const watcher = new Watcher(request, this.#context);
    this.#watchers.add(watcher);
    void watcher.open();
    if (this.#isStopped) watcher.stop();
    return watcher;
  }

  /** Sends those that take bookmarks one, but for those that something still waits for. */
  bookmark(): void {
    for (const watcher of this.#watchers) watcher.bookmark();
  }

  /** Ends all watches in good order, also those that are yet to come. */
  stop(): void {
    this.#isStopped = true;
    for (const watcher of [...this.#watchers]) watcher.stop();
  }

  #wantFlush(watcher: Watcher): void {
    if (this.#unflushed.size === 0) this.#flushSoon();
    this.#unflushed.add(watcher);
  }

  #flushSoon(): void {
    const left = this.#restsUntil - this.#now();
    if (left < 1) this.#timers.soon(() => this.#flush());
    else this.#timers.after(Math.min(left, rest.most), () => this.#flush());
  }

  #flush(): void {
    const due = [...this.#unflushed];
    this.#unflushed.clear();
    for (const watcher of due) watcher.flush();
    this.#restsUntil = this.#now() + Math.min(rest.most, rest.each * due.length);
  }

  #forget(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#unflushed.delete(watcher);
  }
}

/**
 * Milliseconds until a watch ends by itself. Without a wish (or with 0), between `minimum` and twice as much, so that
 * watches which began together do not end together; a negative wish is over at once.
 */
export function watchTimeout(
  seconds: number | undefined,
  { minimum = 30 * minute, random = Math.random }: { readonly minimum?: number; readonly random?: () => number } = {},
): number {
  if (!seconds) return Math.round(minimum * (1 + random()));
  return Math.max(0, seconds * 1000);
}
