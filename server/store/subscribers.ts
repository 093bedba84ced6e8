import { Audience } from './audience.ts';
import type { EventSink, StoreEvent, Subscription, WatchMore } from './store.ts';

interface Subscriber extends Subscribe {
  /** Has been told of so many changes as history. */
  told: number;
  stopped: boolean;
}

export interface Subscribe extends WatchMore {
  readonly prefix: string;
  /** Changes up to this revision are of no interest. */
  readonly after: number;
  readonly sink: EventSink;
}

/**
 * Hands each event to the subscribers of its key, in order and one after the other: what a sink writes is announced
 * once all have been told of what came before. Finding them costs one look-up per length of prefix in use.
 */
export class Subscribers {
  readonly #byPrefix = new Map<string, Audience<Subscriber>>();
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
  add(subscribe: Subscribe, history: Iterable<StoreEvent>): Subscription {
    const subscriber: Subscriber = { ...subscribe, told: 0, stopped: false };
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
      const event = next;
      const tell = (each: Subscriber) => {
        if (each.told < number) deliver(each, event);
      };
      for (const length of this.#lengths) {
        if (length <= event.key.length) this.#byPrefix.get(event.key.slice(0, length))?.tell(event, tell);
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
    return [...this.#byPrefix.values()].flatMap((audience) => [...audience.all()]);
  }

  #enter(subscriber: Subscriber): void {
    const { prefix } = subscriber;
    const known = this.#byPrefix.get(prefix);
    const audience = known ?? new Audience<Subscriber>();
    audience.add(subscriber);
    if (known) return;
    this.#byPrefix.set(prefix, audience);
    if (!this.#lengths.includes(prefix.length)) this.#lengths = [...this.#lengths, prefix.length];
  }

  #leave(subscriber: Subscriber): void {
    subscriber.stopped = true;
    const { prefix } = subscriber;
    const audience = this.#byPrefix.get(prefix);
    if (!audience?.delete(subscriber) || !audience.isEmpty) return;
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
