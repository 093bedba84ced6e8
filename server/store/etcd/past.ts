import { pause, type Timers } from '../../base/time/timers.ts';
import { ChangeEvent } from '../change-log.ts';
import { type StoreEvent, UnavailableError } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { WatchEvent } from './messages.ts';
import { readable } from './reading.ts';
import type { ReplicaOptions } from './replica.ts';

/** Milliseconds for all that etcd still holds to come. */
const patience = 30_000;

/** What happened before a replica began, as far as etcd still holds it. */
export class Past {
  readonly #options: ReplicaOptions;
  #events: readonly StoreEvent[] = [];
  /** The events of these revisions: after the first, up to the second. */
  #after = 0;
  #upTo = 0;
  /** One reads at a time: who comes back after a restart asks for much the same, from many revisions. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** The changes of all keys after a revision, up to another. @throws CompactedError, UnavailableError */
  events(after: number, upTo: number): Promise<readonly StoreEvent[]> {
    const asked = this.#reading.then(() => this.#read(after, upTo));
    this.#reading = asked.catch(() => {});
    return asked;
  }

  /** What is known already is not asked for again. */
  async #read(after: number, upTo: number): Promise<readonly StoreEvent[]> {
    const known = upTo === this.#upTo ? { from: this.#after, events: this.#events } : { from: upTo, events: [] };
    if (after < known.from) {
      this.#events = [...(await read(this.#options, after, known.from)), ...known.events];
      this.#after = after;
      this.#upTo = upTo;
    }
    return this.#events.filter(({ revision }) => revision > after);
  }

  forget(): void {
    this.#events = [];
    this.#upTo = 0;
  }
}

/** Each revision has a change of some key, so the last one says when all have come. */
async function read(options: ReplicaOptions, after: number, upTo: number): Promise<readonly StoreEvent[]> {
  const events: StoreEvent[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // There may be none of ours after all that is asked for.
  if (options.client.isNarrow) await options.client.nudge();
  const stop = begin(
    options.client,
    after,
    (received, complete) => {
      try {
        for (const each of received) {
          const event = eventOf(options, each);
          if (event && event.revision > after && event.revision <= upTo) events.push(event);
        }
      } catch (error) {
        reject(error);
      }
      if (complete && (received.at(-1)?.kv?.modRevision ?? 0) >= upTo) resolve();
    },
    reject,
  );
  const late = async (timers: Timers) => {
    await pause(timers, patience);
    throw new UnavailableError('etcd does not tell of its past changes');
  };
  try {
    await Promise.race([promise, late(options.timers)]);
    return events;
  } finally {
    stop();
  }
}

type Take = (events: readonly Partial<WatchEvent>[], complete: boolean) => void;

const begin = (client: EtcdClient, after: number, take: Take, end: (error: Error) => void): (() => void) =>
  // From one revision too early, and what that has is left out: of the revision that was compacted away itself etcd still
  // tells, but without the removals.
  client.watch(Math.max(1, after), true, {
    response: ({ events = [], fragment = false }) => take(events, !fragment),
    end,
  });

function eventOf(options: ReplicaOptions, { type = 0, kv, previous }: Partial<WatchEvent>): StoreEvent | undefined {
  const key = kv && options.layout.fromEtcd(kv.key.toString());
  if (!kv || key === undefined) return undefined;
  const before = previous && readable(options, previous);
  const current = type === 1 ? undefined : readable(options, kv);
  if (type !== 1 && !current) return undefined;
  return before || current ? new ChangeEvent(key, kv.modRevision, before, current) : undefined;
}
