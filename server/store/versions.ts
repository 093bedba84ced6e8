import { setImmediate } from 'node:timers';
import { ChangeEvent, ChangeLog } from './change-log.ts';
import { KeyHistory, KeyIndex } from './key-index.ts';
import {
  CompactedError,
  FutureRevisionError,
  type ListOptions,
  type ListResult,
  type Stored,
  type StoreEvent,
  type Subscription,
} from './store.ts';
import { StoredValue } from './stored-value.ts';
import { type Subscribe, Subscribers } from './subscribers.ts';

/** Keys cleaned at a stretch by a compaction. */
const cleaningStep = 10_000;

/** What the past may take, in bytes of JSON: beyond that the oldest quarter is forgotten before its time. */
const mostHistory = 256 * 1024 * 1024;

/** What exists at one revision. */
export interface State {
  readonly revision: number;
  readonly items: Iterable<Stored>;
}

/** One change: without `stored` the key was removed. */
export interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly stored: Stored | undefined;
}

/**
 * The versions of all keys that are held in memory, the order of their changes, and who is told of them: what the
 * engines have in common. Each says in its own way when a change is committed, and then enters it here.
 */
export class Versions {
  #revision: number;
  readonly #histories = new Map<string, KeyHistory>();
  readonly #index = new KeyIndex();
  readonly #log: ChangeLog;
  readonly #subscribers: Subscribers;
  readonly #historyBytes: number;

  /** How many keys exist; counted here. */
  size = 0;

  /** Begins with a state, of whose past nothing is held, and the changes that came after it. */
  constructor({ revision, items }: State, changes: Iterable<Entry> = [], historyBytes = mostHistory) {
    this.#revision = revision;
    this.#historyBytes = historyBytes;
    this.#log = new ChangeLog(revision);
    this.#subscribers = new Subscribers(revision);
    for (const stored of items) {
      const history = this.#begin(stored.key);
      history.add(stored);
      this.#index.count(history, stored.revision, 1);
      this.size++;
    }
    for (const change of changes) this.enter(change);
  }

  /** The newest one, all of whose changes are entered. */
  get revision(): number {
    return this.#revision;
  }

  /** The newest revision that is no longer held. */
  get compacted(): number {
    return this.#log.compacted;
  }

  get(key: string): Stored | undefined {
    return this.#histories.get(key)?.current;
  }

  /** @throws CompactedError, FutureRevisionError */
  list(prefix: string, { revision = this.#revision, limit = 0, after }: ListOptions = {}): ListResult {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    if (revision <= this.#log.compacted) throw new CompactedError(this.#log.compacted);
    const pick =
      revision === this.#revision
        ? (history: KeyHistory) => history.current
        : (history: KeyHistory) => history.at(revision);
    return { ...this.#index.range(prefix, revision, limit, after, pick), revision };
  }

  count(prefix: string): number {
    return this.#index.countLive(prefix);
  }

  /**
   * @param past all changes from `subscribe.after` to the oldest revision that is held, of whoever knows them
   * @throws CompactedError
   */
  watch(subscribe: Subscribe, past?: Iterable<StoreEvent>): Subscription {
    const { compacted } = this.#log;
    if (past) return this.#subscribers.add(subscribe, oneAfterTheOther(past, this.#log.after(compacted + 1)));
    if (subscribe.after <= compacted) throw new CompactedError(compacted);
    return this.#subscribers.add(subscribe, this.#log.after(subscribe.after));
  }

  /** A change was committed. Revisions must not fall; the removal of what is not there is passed over. */
  enter({ key, revision, stored }: Entry): void {
    const known = this.#histories.get(key);
    const previous = known?.current;
    if (!stored && !previous) {
      this.reached(revision);
      return;
    }
    const history = known ?? this.#begin(key);
    if (stored) history.add(stored);
    else history.remove(revision);
    if (!previous !== !stored) {
      this.#index.count(history, revision, stored ? 1 : -1);
      this.size += stored ? 1 : -1;
    }
    this.#revision = revision;
    const event = new ChangeEvent(key, revision, previous, stored);
    if (this.#log.add(event) > this.#historyBytes)
      void this.compact(this.#log.revisionLeaving(0.75 * this.#historyBytes));
    this.#subscribers.publish(event);
    if (previous instanceof StoredValue) previous.replaced();
  }

  /** There are no changes up to this revision but those entered. */
  reached(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    this.#subscribers.reached(revision);
  }

  /** Forgets what only revisions below `revision` show. @throws FutureRevisionError */
  async compact(revision: number): Promise<void> {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    const forgotten = this.#log.compact(revision);
    for (let start = 0; start < forgotten.length; start += cleaningStep) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const { key } of forgotten.slice(start, start + cleaningStep)) this.#clean(key, revision);
    }
  }

  /** Changes are missing up to `revision`: nobody can go on from before it. */
  lose(revision: number): void {
    for (const { key } of this.#log.compact(revision)) this.#clean(key, revision);
    this.#subscribers.lose(new CompactedError(revision - 1));
  }

  /** Nobody is told of anything any more. */
  close(): void {
    this.#subscribers.stopAll();
  }

  #begin(key: string): KeyHistory {
    const history = new KeyHistory(key);
    this.#histories.set(key, history);
    this.#index.insert(history);
    return history;
  }

  #clean(key: string, revision: number): void {
    const history = this.#histories.get(key);
    if (!history?.forgetBelow(revision)) return;
    this.#histories.delete(key);
    this.#index.remove(history);
  }
}

function* oneAfterTheOther<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first;
  yield* second;
}
