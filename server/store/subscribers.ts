import type { EventSink, StoreEvent, Subscription } from './store.ts';

interface Subscriber {
  readonly prefix: string;
  /** Changes up to this revision are of no interest. */
  readonly after: number;
  readonly sink: EventSink;
  readonly lost: ((error: Error) => void) | undefined;
  /** Has been told of so many changes as history. */
  told: number;
  stopped: boolean;
}

export interface Subscribe {
  readonly prefix: string;
  readonly after: number;
  readonly sink: EventSink;
  readonly lost?: ((error: Error) => void) | undefined;
}

/**
 * Hands each event to the subscribers of its key, in order and one after the other: what a sink writes is announced
 * once all have been told of what came before. Finding them costs one look-up per length of prefix in use.
 */
export class Subscribers {
  readonly #byPrefix = new Map<string, Set<Subscriber>>();
  /** The lengths of the prefixes, each once. */
  #lengths: readonly number[] = [];
  readonly #pending: StoreEvent[] = [];
  #publishing = false;
  /** How many changes were announced, and how many of them all subscribers have been told of. */
  #announced = 0;
  #delivered = 0;
  #published: number;

  constructor(revision: number) {
    this.#published = revision;
  }

  /** Delivers `history` (which may grow meanwhile, and ends with the last change announced), then what is published. */
  add({ prefix, after, sink, lost }: Subscribe, history: Iterable<StoreEvent>): Subscription {
    const subscriber: Subscriber = { prefix, after, sink, lost, told: 0, stopped: false };
    for (const event of history) deliver(subscriber, event);
    subscriber.told = this.#announced;
    this.#enter(subscriber);
    return {
      stop: () => this.#leave(subscriber),
      progress: () => this.#published,
    };
  }

  publish(event: StoreEvent): void {
    this.#pending.push(event);
    this.#announced++;
    if (this.#publishing) return;
    this.#publishing = true;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      const number = ++this.#delivered;
      for (const length of this.#lengths) {
        const group = length > next.key.length ? undefined : this.#byPrefix.get(next.key.slice(0, length));
        if (group) for (const each of group) if (each.told < number) deliver(each, next);
      }
      this.#published = next.revision;
    }
    this.#publishing = false;
  }

  /** There are no changes up to this revision but those announced. */
  reached(revision: number): void {
    if (!this.#publishing && revision > this.#published) this.#published = revision;
  }

  /** Ends those who asked to be told when changes are missing, and tells them. */
  lose(error: Error): void {
    for (const each of this.#all()) {
      if (!each.lost || each.stopped) continue;
      this.#leave(each);
      each.lost(error);
    }
  }

  stopAll(): void {
    for (const each of this.#all()) each.stopped = true;
    this.#byPrefix.clear();
    this.#lengths = [];
  }

  #all(): Subscriber[] {
    return [...this.#byPrefix.values()].flatMap((group) => [...group]);
  }

  #enter(subscriber: Subscriber): void {
    const { prefix } = subscriber;
    const group = this.#byPrefix.get(prefix);
    if (group) {
      group.add(subscriber);
      return;
    }
    this.#byPrefix.set(prefix, new Set([subscriber]));
    if (!this.#lengths.includes(prefix.length)) this.#lengths = [...this.#lengths, prefix.length];
  }

  #leave(subscriber: Subscriber): void {
    subscriber.stopped = true;
    const { prefix } = subscriber;
    const group = this.#byPrefix.get(prefix);
    if (!group?.delete(subscriber) || group.size > 0) return;
    this.#byPrefix.delete(prefix);
    for (const other of this.#byPrefix.keys()) if (other.length === prefix.length) return;
    this.#lengths = this.#lengths.filter((length) => length !== prefix.length);
  }
}

function deliver(subscriber: Subscriber, event: StoreEvent): void {
  if (subscriber.stopped || event.revision <= subscriber.after || !event.key.startsWith(subscriber.prefix)) return;
  try {
    subscriber.sink(event);
  } catch (error) {
    // The write is committed and others wait for it: a broken sink is cut off and made known, nothing more.
    subscriber.stopped = true;
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
