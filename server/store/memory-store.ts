import type { KubeObject } from '../base/kube-object.ts';
import { systemTimers, type Timers } from '../base/timers.ts';
import { ChangeEvent, ChangeLog } from './change-log.ts';
import { deepFreeze } from './deep-freeze.ts';
import { KeyHistory } from './key-history.ts';
import { KeyIndex } from './key-index.ts';
import {
  type Change,
  CompactedError,
  ContendedError,
  type Decide,
  type EventSink,
  FutureRevisionError,
  KeyExistsError,
  KeyMissingError,
  type ListOptions,
  type ListResult,
  type Store,
  type Stored,
  type Subscription,
  type UpdateResult,
} from './store.ts';
import { StoredValue } from './stored-value.ts';
import { Subscribers } from './subscribers.ts';
import { Turns } from './turns.ts';

export interface MemoryStoreOptions {
  /** Freezes stored values, so that whoever changes a shared one gets a TypeError. For tests; costs time. */
  readonly freeze?: boolean;
  /** Milliseconds after which a writer stops keeping others waiting on its key. Default 2000. */
  readonly patience?: number;
  /** How often one update may start over. Default 20. */
  readonly attempts?: number;
  /** Default: those of the event loop. */
  readonly timers?: Timers;
}

/** The empty store has a revision already, so that 0 can mean none. */
const firstRevision = 1;
const nothing: Change = { keep: true };
/** Keys cleaned at a stretch by a compaction. */
const cleaningStep = 10_000;

/** A Store in the memory of this process. Writes commit in one go, between two turns of the event loop. */
export class MemoryStore implements Store {
  #revision = firstRevision;
  readonly #histories = new Map<string, KeyHistory>();
  readonly #index = new KeyIndex();
  readonly #log = new ChangeLog(firstRevision);
  readonly #subscribers = new Subscribers(firstRevision);
  readonly #turns: Turns;
  readonly #freeze: boolean;
  readonly #attempts: number;

  constructor({ freeze = false, patience = 2000, attempts = 20, timers = systemTimers }: MemoryStoreOptions = {}) {
    this.#freeze = freeze;
    this.#turns = new Turns(patience, timers);
    this.#attempts = attempts;
  }

  async currentRevision(): Promise<number> {
    return this.#revision;
  }

  async get(key: string): Promise<Stored | undefined> {
    return this.#histories.get(key)?.current;
  }

  async list(prefix: string, { revision = this.#revision, limit = 0, after }: ListOptions = {}): Promise<ListResult> {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    if (revision <= this.#log.compacted) throw new CompactedError(this.#log.compacted);
    const pick =
      revision === this.#revision
        ? (history: KeyHistory) => history.current
        : (history: KeyHistory) => history.at(revision);
    return { ...this.#index.range(prefix, revision, limit, after, pick), revision };
  }

  async count(prefix: string): Promise<number> {
    return this.#index.countLive(prefix);
  }

  async upsert(key: string, decide: Decide): Promise<UpdateResult> {
    const first = this.#turns.inUse(key) ? undefined : await this.#attempt(key, decide);
    return first ?? this.#turns.take(key, () => this.#persist(key, decide));
  }

  async create(key: string, value: KubeObject): Promise<Stored> {
    const { current } = this.#histories.get(key) ?? {};
    if (current) throw new KeyExistsError(current);
    return this.#write(key, value);
  }

  async update(key: string, change: (current: Stored) => Promise<Change> | Change): Promise<UpdateResult> {
    return this.upsert(key, (current) => (current ? change(current) : nothing));
  }

  async watch(prefix: string, revision: number, sink: EventSink): Promise<Subscription> {
    if (revision <= this.#log.compacted) throw new CompactedError(this.#log.compacted);
    return this.#subscribers.add(prefix, revision, this.#log.after(revision), sink);
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    const forgotten = this.#log.compact(revision);
    for (let start = 0; start < forgotten.length; start += cleaningStep) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const { key } of forgotten.slice(start, start + cleaningStep)) this.#clean(key, revision);
    }
  }

  async close(): Promise<void> {
    this.#subscribers.stopAll();
  }

  /** @returns undefined when another write came between */
  async #attempt(key: string, decide: Decide): Promise<UpdateResult | undefined> {
    const before = this.#histories.get(key)?.current;
    const wanted = decide(before);
    const change = wanted instanceof Promise ? await wanted : wanted;
    const history = this.#histories.get(key);
    return history?.current === before ? this.#apply(key, history, change) : undefined;
  }

  async #persist(key: string, decide: Decide): Promise<UpdateResult> {
    for (let attempt = 2; attempt <= this.#attempts; attempt++) {
      const result = await this.#attempt(key, decide);
      if (result) return result;
    }
    throw new ContendedError(key, this.#attempts);
  }

  #apply(key: string, history: KeyHistory | undefined, change: Change): UpdateResult {
    const current = history?.current;
    if ('write' in change) {
      const stored = this.#write(key, change.write);
      return { stored, outcome: current ? 'written' : 'created', revision: stored.revision };
    }
    if (!history || !current) throw new KeyMissingError(`no such key: ${key}`);
    if ('keep' in change) return { stored: current, outcome: 'kept', revision: current.revision };
    const { answer } = change;
    return { stored: current, outcome: 'removed', revision: this.#remove(history, current), ...(answer && { answer }) };
  }

  #write(key: string, value: KubeObject): Stored {
    const history = this.#histories.get(key) ?? this.#enter(key);
    const revision = this.#revision + 1;
    value.metadata.resourceVersion = String(revision);
    if (this.#freeze) deepFreeze(value);
    const previous = history.current;
    const stored = new StoredValue(key, revision, value);
    history.add(stored);
    if (!previous) this.#index.count(history, revision, 1);
    this.#commit(new ChangeEvent(key, revision, previous, stored));
    return stored;
  }

  #remove(history: KeyHistory, previous: Stored): number {
    const revision = this.#revision + 1;
    history.remove(revision);
    this.#index.count(history, revision, -1);
    this.#commit(new ChangeEvent(history.key, revision, previous, undefined));
    return revision;
  }

  #commit(event: ChangeEvent): void {
    this.#revision = event.revision;
    this.#log.add(event);
    this.#subscribers.publish(event);
  }

  #enter(key: string): KeyHistory {
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
