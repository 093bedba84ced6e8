import type { Cancel, Timers } from '../base/time/timers.ts';
import { Backlog, type BacklogLimits, type Waiting } from './backlog.ts';
import type { EventEncoder } from './event-encoder.ts';
import type { VisibleChange } from './visible-change.ts';
import type { WatchSink } from './watch-sink.ts';

export interface DeliveryLimits extends BacklogLimits {
  /** Milliseconds that a sink may refuse chunks before its reader counts as gone. */
  readonly stall: number;
}

/** How far a reader is behind. */
export interface Behind {
  /** That wait for their turn. */
  readonly changes: number;
  /** That were sent, and that the reader has not taken. */
  readonly bytes: number;
}

export interface DeliveryEvents {
  /** Everything so far was delivered, and the sink takes more. */
  idle(): void;
  /** The reader cannot follow, or does not read at all. */
  slow(): void;
  /** A change could not be encoded. */
  failed(error: unknown): void;
}

/** Chunks are put together up to about this size: a write costs more than a copy. */
const batchSize = 64 * 1024;

let lastWaiting: (Waiting & { readonly encoder: EventEncoder }) | undefined;

/** A change with its bytes. It is handed to all watchers before the next one, so those of one encoder share it. */
function waiting(encoder: EventEncoder, { type, stored }: VisibleChange): Waiting {
  if (lastWaiting?.stored === stored && lastWaiting.encoder === encoder && lastWaiting.type === type)
    return lastWaiting;
  const bytes = encoder.change(type, stored);
  // Its failure is noticed when its turn comes.
  if (bytes instanceof Promise) bytes.catch(() => {});
  lastWaiting = { type, stored, bytes, encoder };
  return lastWaiting;
}

let lastBatch: { readonly parts: readonly Buffer[]; readonly whole: Buffer } | undefined;

/** Several chunks as one. Watchers of the same changes write the same, one after the other: it is put together once. */
function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  if (lastBatch?.parts.length === parts.length && parts.every((part, at) => part === lastBatch?.parts[at]))
    return lastBatch.whole;
  lastBatch = { parts, whole: Buffer.concat(parts) };
  return lastBatch.whole;
}

/** Brings changes to one sink: in order, no faster than it takes them, several in one chunk when they pile up. */
export class Delivery {
  readonly #sink: WatchSink;
  readonly #encoder: EventEncoder;
  readonly #limits: DeliveryLimits;
  readonly #timers: Timers;
  readonly #events: DeliveryEvents;
  readonly #backlog = new Backlog();
  #first = true;
  #idle = false;
  #closed = false;
  #blocked = false;
  #converting = false;
  /** Was converted while the sink was blocked. */
  #converted: Buffer | undefined;
  #cancelStall: Cancel | undefined;

  constructor(sink: WatchSink, encoder: EventEncoder, limits: DeliveryLimits, timers: Timers, events: DeliveryEvents) {
    this.#sink = sink;
    this.#encoder = encoder;
    this.#limits = limits;
    this.#timers = timers;
    this.#events = events;
    sink.onDrain(() => this.#drained());
  }

  /** Everything so far was delivered, and the sink takes more. */
  get isIdle(): boolean {
    return this.#idle;
  }

  /** What the reader has yet to be told. */
  get behind(): Behind {
    return { changes: this.#backlog.length + (this.#converted ? 1 : 0), bytes: this.#sink.unread };
  }

  /** What comes before all changes that are added; encoded when its turn comes. */
  startWith(changes: Iterable<VisibleChange>): void {
    this.#idle = false;
    this.#backlog.startWith(changes);
  }

  /** Puts a change in line that happened before the watch; encoded when its turn comes. */
  addHistory(change: VisibleChange): void {
    this.#idle = false;
    this.#backlog.add({ ...change, bytes: undefined });
  }

  /** Puts a new change in line. It is encoded now, while all watchers are told of it. */
  add(change: VisibleChange): void {
    if (this.#closed) return;
    this.#idle = false;
    try {
      this.#backlog.add(waiting(this.#encoder, change));
    } catch (error) {
      this.#events.failed(error);
      return;
    }
    if (!this.#backlog.exceeds(this.#limits)) return;
    this.pump();
    if (this.#backlog.exceeds(this.#limits)) this.#events.slow();
  }

  /** Delivers as much as the sink takes. */
  pump(): void {
    while (!this.#closed && !this.#blocked && !this.#converting) {
      const batch = this.#gather();
      if (batch.length > 0) this.write(joined(batch));
      else if (!this.#converting) {
        this.#idle = true;
        this.#events.idle();
        return;
      }
    }
  }

  /** Writes past the line: bookmarks and errors, which come when it is empty or does not matter any more. */
  write(chunk: Buffer): void {
    if (this.#closed || this.#sink.write(chunk) || this.#blocked) return;
    this.#blocked = true;
    this.#idle = false;
    this.#cancelStall = this.#timers.after(this.#limits.stall, () => this.#events.slow());
  }

  /** Nothing is written any more. */
  close(): void {
    this.#closed = true;
    this.#cancelStall?.();
    this.#backlog.clear();
  }

  #drained(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#cancelStall?.();
    this.pump();
  }

  /** The next chunks, until there are enough, or one that is not there yet. */
  #gather(): Buffer[] {
    const batch: Buffer[] = [];
    let size = 0;
    const put = (chunk: Buffer) => {
      batch.push(chunk);
      size += chunk.length;
    };
    if (this.#converted) put(this.#converted);
    this.#converted = undefined;
    while (size < batchSize) {
      const bytes = this.#next();
      if (bytes instanceof Promise) {
        this.#await(bytes);
        break;
      }
      if (!bytes) break;
      put(bytes);
    }
    return batch;
  }

  #next(): Buffer | Promise<Buffer> | undefined {
    const next = this.#backlog.take();
    if (!next) return undefined;
    const encode = (this.#first && this.#encoder.firstChange) || undefined;
    this.#first = false;
    try {
      return encode?.(next.type, next.stored) ?? next.bytes ?? this.#encoder.change(next.type, next.stored);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #await(bytes: Promise<Buffer>): void {
    this.#converting = true;
    bytes.then(
      (chunk) => {
        this.#converting = false;
        this.#converted = chunk;
        this.pump();
      },
      (error) => {
        if (!this.#closed) this.#events.failed(error);
      },
    );
  }
}
