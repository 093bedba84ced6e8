import type { KubeObject } from '../base/kube-object.ts';
import { systemTimers, type Timers } from '../base/time/timers.ts';
import { tryAgain } from './attempts.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Journal } from './journal.ts';
import type { Room } from './room.ts';
import {
  type Change,
  type Decide,
  type EventSink,
  KeyExistsError,
  KeyMissingError,
  type ListOptions,
  type ListResult,
  type Store,
  type Stored,
  type Subscription,
  type UpdateResult,
  type WatchMore,
} from './store.ts';
import { StoredValue } from './stored-value.ts';
import { Turns } from './turns.ts';
import { type Entry, type State, Versions } from './versions.ts';

export interface MemoryStoreOptions {
  /** Freezes stored values, so that whoever changes a shared one gets a TypeError. For tests; costs time. */
  readonly freeze?: boolean;
  /** Milliseconds after which a writer stops keeping others waiting on its key. Default 2000. */
  readonly patience?: number;
  /** How often one update may start over. Default 20. */
  readonly attempts?: number;
  /** Default: those of the event loop. */
  readonly timers?: Timers;
  /** What the past may take, in bytes of JSON, before it is forgotten early. Default: 256 MiB. */
  readonly historyBytes?: number;
  /** What the store begins with; missing: nothing. */
  readonly state?: State;
  /** What came after `state`: history that watches can begin with. */
  readonly changes?: Iterable<Entry>;
  /** Says whether there is room for more; missing: there always is. */
  readonly room?: Room;
  /** Keeps changes beyond the life of the process; missing: they are not kept. */
  readonly journal?: Journal;
}

/** The empty store has a revision already, so that 0 can mean none. */
const empty: State = { revision: 1, items: [] };
const nothing: Change = { keep: true };

/**
 * A Store in the memory of this process. Without a journal, and with one that keeps a change at once, writes commit in
 * one go, between two turns of the event loop; else nobody sees a change before it is kept.
 */
export class MemoryStore implements Store {
  readonly #versions: Versions;
  readonly #turns: Turns;
  readonly #freeze: boolean;
  readonly #attempts: number;
  readonly #journal: Journal | undefined;
  readonly #room: Room | undefined;
  /** The newest revision that was given out. */
  #assigned: number;
  /** Keys with a change that is not kept yet, and when it will be. */
  readonly #keeping = new Map<string, Promise<void>>();

  constructor(options: MemoryStoreOptions = {}) {
    const { freeze = false, patience = 2000, attempts = 20, timers = systemTimers, state = empty, journal } = options;
    this.#freeze = freeze;
    this.#turns = new Turns(patience, timers);
    this.#attempts = attempts;
    this.#versions = new Versions(state, options.changes, options.historyBytes);
    this.#assigned = this.#versions.revision;
    this.#journal = journal;
    this.#room = options.room;
  }

  async currentRevision(): Promise<number> {
    return this.#versions.revision;
  }

  async get(key: string): Promise<Stored | undefined> {
    return this.#versions.get(key);
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.#versions.list(prefix, options);
  }

  async count(prefix: string): Promise<number> {
    return this.#versions.count(prefix);
  }

  async upsert(key: string, decide: Decide): Promise<UpdateResult> {
    const first = this.#turns.line.has(key) ? undefined : this.#attempt(key, decide);
    const result = first instanceof Promise ? await first : first;
    return result ?? this.#turns.take(key, () => tryAgain(key, this.#attempts, () => this.#attempt(key, decide)));
  }

  async create(key: string, value: KubeObject): Promise<Stored> {
    for (let kept = this.#keeping.get(key); kept; kept = this.#keeping.get(key)) await kept.catch(() => {});
    const current = this.#versions.get(key);
    if (current) throw new KeyExistsError(current);
    const written = this.#write(key, undefined, value);
    return (written instanceof Promise ? await written : written).stored;
  }

  async update(key: string, change: (current: Stored) => Promise<Change> | Change): Promise<UpdateResult> {
    return this.upsert(key, (current) => (current ? change(current) : nothing));
  }

  async watch(prefix: string, revision: number, sink: EventSink, more?: WatchMore): Promise<Subscription> {
    return this.#versions.watch({ prefix, after: revision, sink, ...more });
  }

  compact(revision: number): Promise<void> {
    return this.#versions.compact(revision);
  }

  /** What exists now, in the order of keys: shared versions, for another store to begin with. */
  state(): State {
    return this.#versions.list('');
  }

  async checkWritable(): Promise<void> {
    this.#journal?.check();
  }

  async close(): Promise<void> {
    this.#versions.close();
    await this.#journal?.close();
  }

  /** @returns undefined when another write came between */
  #attempt(key: string, decide: Decide): Promise<UpdateResult | undefined> | UpdateResult | undefined {
    const kept = this.#keeping.get(key);
    if (kept) return kept.catch(() => {}).then(() => this.#attempt(key, decide));
    const before = this.#versions.get(key);
    const decided = decide(before);
    return decided instanceof Promise
      ? decided.then((change) => this.#apply(key, before, change))
      : this.#apply(key, before, decided);
  }

  #apply(key: string, before: Stored | undefined, change: Change) {
    if (this.#versions.get(key) !== before || this.#keeping.has(key)) return undefined;
    if ('write' in change && change.basis && !before) {
      const { basis } = change;
      const changing = this.#keeping.get(basis.key);
      if (changing) return changing.catch(() => {}).then(() => undefined);
      if ((this.#versions.get(basis.key)?.revision ?? 0) !== basis.revision) return undefined;
    }
    return 'write' in change ? this.#write(key, before, change.write) : this.#end(key, before, change);
  }

  /** Removes or keeps what is there. */
  #end(
    key: string,
    current: Stored | undefined,
    change: Exclude<Change, { readonly write: KubeObject }>,
  ): UpdateResult | Promise<UpdateResult> {
    if (!current) throw new KeyMissingError(`no such key: ${key}`);
    if ('keep' in change) return { stored: current, outcome: 'kept', revision: current.revision };
    return this.#remove(key, current, change.answer);
  }

  #write(key: string, current: Stored | undefined, value: KubeObject): UpdateResult | Promise<UpdateResult> {
    this.#room?.demand(value, current === undefined, this.#versions, this.#keeping.keys());
    const revision = ++this.#assigned;
    value.metadata.resourceVersion = String(revision);
    if (this.#freeze) deepFreeze(value);
    const stored = new StoredValue(key, revision, value);
    const result: UpdateResult = { stored, outcome: current ? 'written' : 'created', revision };
    return this.#commit({ key, revision, stored }, current, result);
  }

  #remove(key: string, stored: Stored, answer: KubeObject | undefined): UpdateResult | Promise<UpdateResult> {
    const revision = ++this.#assigned;
    const result: UpdateResult = { stored, outcome: 'removed', revision, ...(answer && { answer }) };
    return this.#commit({ key, revision, stored: undefined }, stored, result);
  }

  #commit(change: Entry, before: Stored | undefined, result: UpdateResult): UpdateResult | Promise<UpdateResult> {
    if (!this.#journal) {
      this.#versions.enter(change);
      return result;
    }
    const kept = this.#journal.keep(change, before, () => this.#versions.enter(change));
    if (!kept) return result;
    const { key } = change;
    this.#keeping.set(key, kept);
    const over = () => void this.#keeping.delete(key);
    kept.then(over, over);
    return kept.then(() => result);
  }
}
