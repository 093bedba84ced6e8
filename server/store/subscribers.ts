import type { EventSink, StoreEvent, Subscription } from './store.ts';

interface Subscriber {
  readonly prefix: string;
  readonly sink: EventSink;
  /** Has been told of everything up to here. */
  seen: number;
  stopped: boolean;
}

/**
 * Hands each event to the subscribers of its key, in order and one after the other: what a sink writes is announced
 * once all have been told of what came before. Finding them costs one look-up per length of prefix in use.
 */
export class Subscribers {
  readonly #byPrefix = new Map<string, Set<Subscriber>>();
  /** How many prefixes have this length. */
  readonly #lengths = new Map<number, number>();
  readonly #pending: StoreEvent[] = [];
  #publishing = false;
  #published: number;

  constructor(revision: number) {
    this.#published = revision;
  }

  /** Delivers `history` (which may grow meanwhile), then what is published. */
  add(prefix: string, after: number, history: Iterable<StoreEvent>, sink: EventSink): Subscription {
    const subscriber: Subscriber = { prefix, sink, seen: after, stopped: false };
    for (const event of history) deliver(subscriber, event);
    this.#enter(subscriber);
    return {
      stop: () => this.#leave(subscriber),
      progress: () => this.#published,
    };
  }

  publish(event: StoreEvent): void {
    this.#pending.push(event);
    if (this.#publishing) return;
    this.#publishing = true;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      for (const length of this.#lengths.keys()) {
        if (length > next.key.length) continue;
        for (const each of this.#byPrefix.get(next.key.slice(0, length)) ?? []) deliver(each, next);
      }
      this.#published = next.revision;
    }
    this.#publishing = false;
  }

  stopAll(): void {
    for (const group of this.#byPrefix.values()) for (const each of group) each.stopped = true;
    this.#byPrefix.clear();
    this.#lengths.clear();
  }

  #enter(subscriber: Subscriber): void {
    const { prefix } = subscriber;
    const group = this.#byPrefix.get(prefix);
    if (group) {
      group.add(subscriber);
      return;
    }
    this.#byPrefix.set(prefix, new Set([subscriber]));
    this.#lengths.set(prefix.length, (this.#lengths.get(prefix.length) ?? 0) + 1);
  }

  #leave(subscriber: Subscriber): void {
    subscriber.stopped = true;
    const { prefix } = subscriber;
    const group = this.#byPrefix.get(prefix);
    if (!group?.delete(subscriber) || group.size > 0) return;
    this.#byPrefix.delete(prefix);
    const others = (this.#lengths.get(prefix.length) ?? 1) - 1;
    if (others > 0) this.#lengths.set(prefix.length, others);
    else this.#lengths.delete(prefix.length);
  }
}

function deliver(subscriber: Subscriber, event: StoreEvent): void {
  if (subscriber.stopped || event.revision <= subscriber.seen || !event.key.startsWith(subscriber.prefix)) return;
  subscriber.seen = event.revision;
  try {
    subscriber.sink(event);
  } catch (error) {
    // The write is committed and others wait for it: a broken sink is cut off and made known, nothing more.
    subscriber.stopped = true;
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
