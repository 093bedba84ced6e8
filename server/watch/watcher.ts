import { expired, internalError, type Status, StatusError } from '../base/status-error.ts';
import type { Cancel, Timers } from '../base/time/timers.ts';
import {
  CompactedError,
  type Concern,
  type Store,
  type Stored,
  type StoreEvent,
  type Subscription,
} from '../store/store.ts';
import { type Behind, Delivery, type DeliveryLimits } from './delivery.ts';
import type { EventEncoder } from './event-encoder.ts';
import { type Filter, type VisibleChange, visibleChange } from './visible-change.ts';
import type { WatchSink } from './watch-sink.ts';

export interface WatchRequest {
  /** Keys of what is watched begin with this: all of a resource, or one namespace of it. */
  readonly prefix: string;
  /** Changes after it are sent. Undefined: first what exists now, as additions, then the changes after that. */
  readonly revision: number | undefined;
  /** Whether any state will do to begin with, however old; without it, the newest. */
  readonly any?: boolean;
  readonly matches: Filter;
  /** What all that matches has in common, by which it may be found. */
  readonly concern?: Concern | undefined;
  readonly encoder: EventEncoder;
  readonly sink: WatchSink;
  /** Milliseconds until the watch ends. */
  readonly timeout: number;
  /** Aborted once what is watched is no more what it was: the watch ends. */
  readonly lasts?: AbortSignal | undefined;
  /** Whether the client takes bookmarks. */
  readonly bookmarks: boolean;
  /** Told once its start is settled: whatever happens from now on, the sink will hear of. */
  readonly onBegin?: () => void;
  /** Told once, after the sink. */
  readonly onEnd?: (end: WatchEnd) => void;
}

/**
 * Why a watch ended: its time was over, the client left, the server stops, its version is no longer held, its reader
 * was too slow, a change could not be shown, or what is watched is no more what it was.
 */
export type WatchEnd = 'timeout' | 'left' | 'stopped' | 'expired' | 'slow' | 'failed' | 'outdated';

export interface WatcherContext {
  readonly store: Store;
  readonly timers: Timers;
  readonly limits: WatchLimits;
  /** Asks for `flush` soon. */
  wantFlush(watcher: Watcher): void;
  ended(watcher: Watcher): void;
}

export interface WatchLimits extends DeliveryLimits {
  /** Milliseconds between two bookmarks. */
  readonly bookmarkInterval: number;
  /** Milliseconds that a watch at its end waits for its reader to take the rest. */
  readonly grace: number;
}

/** One open watch: follows the store from its start to one of its ends. */
export class Watcher {
  readonly #request: WatchRequest;
  readonly #context: WatcherContext;
  readonly #delivery: Delivery;
  readonly #cancels: Cancel[] = [];
  #subscription: Subscription | undefined;
  /** The version the watch starts after; what comes up to `#historyEnd` is history. */
  #start = 0;
  #historyEnd = 0;
  /** Is to end so once everything was delivered. */
  #closing: WatchEnd | undefined;
  #finalProgress = 0;
  #over = false;

  constructor(request: WatchRequest, context: WatcherContext) {
    this.#request = request;
    this.#context = context;
    this.#delivery = new Delivery(request.sink, request.encoder, context.limits, context.timers, {
      idle: () => this.#idle(),
      slow: () => this.#end('slow'),
      failed: (error) => this.#fail(error),
    });
  }

  /** Never rejects: what goes wrong is told in the stream, as an ERROR event. */
  async open(): Promise<void> {
    const { timers, limits } = this.#context;
    this.#cancels.push(timers.after(this.#request.timeout, () => this.#close('timeout')));
    const { lasts } = this.#request;
    if (lasts) this.#cancels.push(whenAborted(lasts, () => this.#close('outdated')));
    if (this.#request.bookmarks) this.#cancels.push(timers.every(limits.bookmarkInterval, () => this.bookmark()));
    try {
      await this.#subscribe();
      if (!this.#over) this.#request.onBegin?.();
      this.flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What the client has yet to be told. */
  get behind(): Behind {
    return this.#delivery.behind;
  }

  /** Delivers what waits. */
  flush(): void {
    this.#delivery.pump();
  }

  /** The client has gone: nothing is written any more. */
  leave(): void {
    this.#finish('left');
  }

  /** The server stops: the client gets what waits, and the end. */
  stop(): void {
    this.#close('stopped');
  }

  async #subscribe(): Promise<void> {
    const { store } = this.#context;
    const { prefix, revision, any = false, matches } = this.#request;
    if (revision === undefined) {
      const { items, revision: now } = await store.list(prefix, { any });
      this.#start = this.#historyEnd = now;
      this.#delivery.startWith(additions(items, matches));
    } else {
      this.#start = revision;
      this.#historyEnd = await store.currentRevision({ any: true });
    }
    if (this.#over) return;
    const subscription = await store.watch(prefix, this.#start, (event) => this.#receive(event), {
      lost: (error) => this.#fail(error),
      concern: this.#request.concern,
    });
    if (this.#over || this.#closing) subscription.stop();
    this.#subscription = subscription;
  }

  #receive(event: StoreEvent): void {
    const change = visibleChange(event, this.#request.matches);
    if (!change) return;
    if (event.revision <= this.#historyEnd) this.#delivery.addHistory(change);
    else this.#delivery.add(change);
    this.#context.wantFlush(this);
  }

  /** Says how far the client is, if it takes that, unless something still waits for it: then it hears of that first. */
  bookmark(): void {
    if (!this.#request.bookmarks) return;
    this.#delivery.pump();
    this.#writeBookmark(this.#subscription?.progress() ?? 0);
  }

  #writeBookmark(progress: number): void {
    if (this.#over || !this.#delivery.isIdle || progress < this.#start) return;
    this.#delivery.write(this.#request.encoder.bookmark(progress));
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    const { status, end } = failureOf(error, this.#start);
    this.#delivery.write(this.#request.encoder.error(status));
    this.#finish(end, () => this.#request.sink.end());
  }

  #close(end: WatchEnd): void {
    if (this.#over || this.#closing) return;
    this.#subscription?.stop();
    this.#closing = end;
    this.#finalProgress = this.#subscription?.progress() ?? 0;
    this.#cancels.push(this.#context.timers.after(this.#context.limits.grace, () => this.#end('slow')));
    this.#delivery.pump();
  }

  #idle(): void {
    if (!this.#closing || this.#over) return;
    if (this.#request.bookmarks) this.#writeBookmark(this.#finalProgress);
    this.#finish(this.#closing, () => this.#request.sink.end());
  }

  #end(end: WatchEnd): void {
    this.#finish(end, () => this.#request.sink.abort());
  }

  #finish(end: WatchEnd, last: () => void = () => {}): void {
    if (this.#over) return;
    this.#over = true;
    this.#subscription?.stop();
    for (const cancel of this.#cancels) cancel();
    this.#delivery.close();
    last();
    this.#context.ended(this);
    this.#request.onEnd?.(end);
  }
}

/** Calls back once, at once where that has come already. */
function whenAborted(signal: AbortSignal, act: () => void): Cancel {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

function* additions(items: readonly Stored[], matches: Filter): Generator<VisibleChange> {
  for (const stored of items) if (matches(stored)) yield { type: 'ADDED', stored };
}

function failureOf(error: unknown, revision: number): { status: Status; end: WatchEnd } {
  if (error instanceof CompactedError) {
    const { status } = expired(`too old resource version: ${revision} (${error.compacted})`);
    return { status, end: 'expired' };
  }
  const failure = error instanceof StatusError ? error : internalError(String(error));
  return { status: failure.status, end: 'failed' };
}
