import type { KubeObject } from '../base/kube-object.ts';

/**
 * One version of one object, as stored. Immutable and shared by everybody who reads it: `value` must never be
 * changed, and `value.metadata.resourceVersion` is the decimal text of `revision`.
 */
export interface Stored {
  readonly key: string;
  /** The store's revision at which this version was written. */
  readonly revision: number;
  readonly value: KubeObject;
  /** Those of `value`, for selectors: they are held even where the value is not decoded. */
  readonly labels: Readonly<Record<string, string>>;
  /** `value` as compact JSON, `kind` then `apiVersion` first. Made on first use and kept. */
  readonly bytes: Buffer;
  /** `bytes` with a newline, as an answer has it. */
  readonly line: Buffer;
  /** `bytes` as text that is all ASCII, as long as it is held so: else there is `line`. */
  readonly text: string | undefined;
}

/** What one committed write did. `previous` is missing for a create, `current` for a removal. */
export interface StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly previous: Stored | undefined;
  readonly current: Stored | undefined;
  /**
   * Only of a removal: the object as watchers are told of it, which is the state before the write with the
   * removal's revision as resourceVersion. Made on first use and kept.
   */
  readonly removed: Stored | undefined;
}

export interface ReadOptions {
  /** Any state will do, however old: nobody is asked for the newest. Missing: reads are linearizable. */
  readonly any?: boolean;
}

export interface ListOptions extends ReadOptions {
  /** The exact revision to show; missing: the newest. */
  readonly revision?: number;
  /** At most so many items; missing or 0: all. */
  readonly limit?: number;
  /** Only keys greater than this one (exclusive). */
  readonly after?: string;
}

export interface ListResult {
  /** In ascending order of keys, byte by byte. A fresh array of shared versions. */
  readonly items: readonly Stored[];
  /** The revision that the list shows: the asked one, or the newest. */
  readonly revision: number;
  /** Keys after the last item that exist at that revision; 0 when the list is complete. */
  readonly remaining: number;
}

/** Another key at a revision (0: it is not there). Where that changed when a new key is written, it is decided on anew. */
export type Basis = Pick<Stored, 'key' | 'revision'>;

/**
 * What `upsert` and `update` shall do with the newest version. What is given with `write` belongs to the store from then
 * on: it stamps `metadata.resourceVersion` into it. `answer` of `remove` is handed back to the caller.
 */
export type Change =
  | { readonly write: KubeObject; readonly basis?: Basis | undefined }
  | { readonly remove: true; readonly answer?: KubeObject }
  | { readonly keep: true };

export interface UpdateResult {
  /** The version that now holds; for a removal, the one that was removed. */
  readonly stored: Stored;
  /** `created`: there was nothing before. `kept`: nothing was written and the revision stands. */
  readonly outcome: 'created' | 'written' | 'removed' | 'kept';
  /** Of a removal: its revision; else that of `stored`. */
  readonly revision: number;
  /** What `change` handed over with a removal. */
  readonly answer?: KubeObject;
}

/** There is no room, or the disk failed. Nothing was written. */
export class StorageError extends Error {}

/** There is too little memory left to take anything more at present. Nothing was written. */
export class OverloadedError extends Error {}

/** What keeps the objects does not answer. A write of which this is said may have been carried out, or be so yet. */
export class UnavailableError extends Error {}

/** The key holds a value that cannot be read: it is not there as it should be, and nobody may take it for gone. */
export class UnreadableError extends Error {
  readonly key: string;
  constructor(key: string, why: string) {
    super(`${key} ${why}`);
    this.key = key;
  }
}

/** The value is encrypted at rest, with a key that the server does not have. */
export class EncryptedError extends UnreadableError {}

/** A subscriber of changes. Called synchronously in the order of revisions, never re-entered; must not throw. */
export type EventSink = (event: StoreEvent) => void;

/** What else there is to say of a subscription. */
export interface WatchMore {
  readonly lost?: ((error: Error) => void) | undefined;
  readonly concern?: Concern | undefined;
}

export interface Subscription {
  /** No event is handed over any more. */
  stop(): void;
  /** The sink has had all changes under the prefix up to this revision. */
  progress(): number;
}

/** What a subscriber cares about alone: objects of which a text has this value. */
export interface Concern {
  /** Which text it is: the same for all who read it alike, of the keys that they follow. */
  readonly about: string;
  /** Undefined: the object has none. */
  readonly textOf: (stored: Stored) => string | undefined;
  readonly value: string;
}

/** The key exists already (create). */
export class KeyExistsError extends Error {
  readonly current: Stored;
  constructor(current: Stored) {
    super(`key exists: ${current.key}`);
    this.current = current;
  }
}

/** Makes what a key shall hold from the newest version; undefined: it holds nothing. */
export type Decide = (current: Stored | undefined) => Promise<Change> | Change;

/** There is no such key (update), or nothing to keep or remove (upsert). */
export class KeyMissingError extends Error {}

/** Others kept changing the key, and an update gave up. */
export class ContendedError extends Error {
  constructor(key: string, attempts: number) {
    super(`gave up after ${attempts} attempts: other writers keep changing ${key}`);
  }
}

/**
 * Another server gave something to another object that only one may hold (a Service's address). Nothing was written; what
 * decides again after this sees who has it.
 */
export class TakenError extends Error {}

/** The revision was compacted away; `compacted` is the newest revision that is no longer held. */
export class CompactedError extends Error {
  readonly compacted: number;
  constructor(compacted: number) {
    super(`revision is compacted (up to ${compacted})`);
    this.compacted = compacted;
  }
}

/** The revision has not been reached. */
export class FutureRevisionError extends Error {
  readonly current: number;
  constructor(current: number) {
    super(`revision is in the future (current ${current})`);
    this.current = current;
  }
}

/** What servers of one store tell each other of themselves. */
export interface Peers {
  /** Says it, until it is said anew or some seconds are over: to be said again every 10 seconds by who goes on. */
  tell(name: string, said: KubeObject): Promise<void>;
  /** Takes it back. */
  leave(name: string): Promise<void>;
  /** What those say who are there, in the order of their names. */
  all(): Promise<readonly KubeObject[]>;
}

/**
 * A revisioned key-value store with history, which speaks like etcd. Every implementation keeps these promises; the
 * contract test holds each of them against each implementation.
 *
 * - There is one revision counter. Each committed write has the next revision, a write that fails or keeps has none.
 * - Reads are linearizable, unless they ask for less: a read that starts after a write returned sees it.
 * - All versions since the last compaction are held: a list at an old revision is exact.
 * - A subscriber sees each change after its revision once, in order, without a gap between history and new changes.
 */
export interface Store {
  /** The newest committed revision. */
  currentRevision(options?: ReadOptions): Promise<number>;
  get(key: string, options?: ReadOptions): Promise<Stored | undefined>;
  /** @throws CompactedError, FutureRevisionError, UnreadableError when one of them cannot be read */
  list(prefix: string, options?: ListOptions): Promise<ListResult>;
  /** How many keys under the prefix exist now. */
  count(prefix: string, options?: ReadOptions): Promise<number>;
  /**
   * Makes or changes what the key holds: `decide` is called with the newest version, or undefined where there is none,
   * and again whenever another write came between, so it must be free of side effects, or undo them; what it throws
   * ends the upsert. @throws KeyMissingError when nothing is to be kept or removed, ContendedError
   */
  upsert(key: string, decide: Decide): Promise<UpdateResult>;
  /** An upsert that only creates. Takes over `value`. @throws KeyExistsError */
  create(key: string, value: KubeObject): Promise<Stored>;
  /** An upsert that only changes what is there. @throws KeyMissingError, ContendedError */
  update(key: string, change: (current: Stored) => Promise<Change> | Change): Promise<UpdateResult>;
  /**
   * Calls `sink` for each change under the prefix after `revision`: first the held history, then as writes commit.
   * An engine may miss changes that it can't make up for (they were compacted away meanwhile). Then `lost` is called and
   * the subscription is over; without `lost`, the sink is told how the state it knows differs from the newest one.
   * With a `concern`, it may be spared changes of objects that neither are nor were what it cares about.
   * @throws CompactedError. A revision in the future waits for changes after it.
   */
  watch(prefix: string, revision: number, sink: EventSink, more?: WatchMore): Promise<Subscription>;
  /** Other processes write to it as well, so that any write may meet a TakenError. */
  readonly isShared?: boolean;
  /** Missing: there is but one server. */
  readonly peers?: Peers;
  /** Milliseconds after its last write that a key goes by itself; undefined, and missing: never. */
  lifetimeOf?(key: string): number | undefined;
  /** Rejects with the reason while writes would not be kept. Missing: nobody knows before the write. @throws StorageError */
  checkWritable?(): Promise<void>;
  /** Forgets what only revisions below `revision` show; current versions stay. */
  compact(revision: number): Promise<void>;
  close(): Promise<void>;
}
