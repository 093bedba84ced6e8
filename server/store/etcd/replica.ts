import { type Cancel, pause, type Timers } from '../../base/time/timers.ts';
import { CompactedError, type ListOptions, type ListResult, type Stored, UnavailableError } from '../store.ts';
import { type Entry, type State, Versions } from '../versions.ts';
import { OtherEtcdError, revisionKey } from './etcd-client.ts';
import { Reached } from './freshness.ts';
import { LastChange } from './last-change.ts';
import type { KeyValue, WatchResponse } from './messages.ts';
import { noBytes, type ReadingOptions, type ReadState, readAll, storedAt } from './reading.ts';
import { demandPlain, type Unreadable, unreadableOf } from './unreadable.ts';
import type { Writer } from './value-format.ts';

export interface ReplicaOptions extends ReadingOptions {
  readonly timers: Timers;
  /** What the past may take here, in bytes of JSON; missing: as much as `Versions` thinks right. */
  readonly historyBytes?: number;
}

/** Milliseconds before a broken watch is opened again. */
const pauseBetween = 100;

/** Milliseconds that a revision may take to be told of before it counts as one of somebody else. */
const nudgeAfter = 5;

const anew = 'this server has to be started anew';
const otherStory = `etcd tells of other changes than the ones that are known, as from an older backup: ${anew}`;

/**
 * All objects of an etcd in memory, kept up to date by one watch. The watch is of the whole key space and not only of
 * ours: so each revision shows up in it, and a read that must not be older than etcd's revision knows what to wait for.
 * Where only what is ours may be watched, a change of our own is made to wait for.
 */
export class Replica {
  readonly #versions: Versions;
  readonly #options: ReplicaOptions;
  readonly #reached: Reached;
  /** Of this revision and those before, all changes are there. */
  #complete: number;
  /** Writes of our own that etcd has answered before it told of all that came before them; by revision. */
  readonly #ahead = new Map<number, Entry>();
  /** What is on its way from here to etcd, which may tell of it before it answers; by key. */
  readonly #sent = new Map<string, Buffer | undefined>();
  readonly #last = new LastChange();
  #unreadable: Unreadable;
  /** The state is being read anew, as of some revision: what came later would look as if it were gone. */
  #isReading = false;
  #cancel: Cancel = () => {};
  #closed = false;
  /** Of an etcd that is not the one any more of which all this was read. */
  #fallen: UnavailableError | undefined;

  private constructor(options: ReplicaOptions, state: ReadState) {
    this.#options = options;
    this.#unreadable = unreadableOf(state, options.report);
    this.#versions = new Versions(state, [], options.historyBytes);
    this.#reached = new Reached(state.revision, options.timers);
    this.#complete = state.revision;
  }

  /** Reads all there is, and follows it from then on. @throws EncryptedError, UnavailableError */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const state = await readAll(options);
    demandPlain(state);
    const replica = new Replica(options, state);
    replica.#watch();
    return replica;
  }

  /** What it knows. @throws UnavailableError when that is of no use any more */
  get versions(): Versions {
    if (this.#fallen) throw this.#fallen;
    return this.#versions;
  }

  /** Of this revision and those before, all changes are there. @throws as `versions` */
  get complete(): number {
    if (this.#fallen) throw this.#fallen;
    return this.#complete;
  }

  /**
   * Resolves when all changes up to the revision are there.
   * @param since what was `complete` before etcd was asked, which then says no less @throws UnavailableError
   */
  async reached(revision: number, since = 0): Promise<void> {
    if (revision < since)
      this.#fall(`etcd went back from revision ${since} to ${revision}, as from an older backup: ${anew}`);
    if (revision > this.#complete && this.#options.client.isNarrow)
      void this.#nudge(revision).catch(this.#options.report);
    return this.#reached.wait(revision);
  }

  /** What others write beside our prefix is not told of, so that what comes last may never come. */
  async #nudge(revision: number): Promise<void> {
    const { client, timers } = this.#options;
    await pause(timers, nudgeAfter);
    if (revision > this.#complete && !this.#closed) await client.nudge();
  }

  /** Resolves when the replica has all that etcd had at the call. @throws UnavailableError */
  async newest(): Promise<void> {
    const { complete } = this;
    const { client, layout } = this.#options;
    const { header } = await client.range({ key: revisionKey(layout.root), countOnly: true });
    return this.reached(header?.revision ?? complete, complete);
  }

  /** A write of our own is about to be sent, as these bytes; undefined: the object is to go. @returns what is to be called once it is over */
  sends({ key, value }: Pick<Told, 'key' | 'value'>): () => void {
    this.#sent.set(key, value);
    return () => {
      if (this.#sent.get(key) === value) this.#sent.delete(key);
    };
  }

  /**
   * A write of our own was carried out. It is there as soon as all before it is, and does not wait to be told of.
   * @param value as it was sent; undefined: the object is gone
   */
  wrote(key: string, revision: number, value: Buffer | undefined): void {
    if (revision <= this.#complete) return;
    const keyInEtcd = Buffer.from(this.#options.layout.toEtcd(key));
    this.#last.note({ key: keyInEtcd, modRevision: revision, ...(value && { value }) }, !value);
    this.#ahead.set(revision, this.#entryOf({ key, revision, value }, 'here'));
    this.#goAhead();
  }

  /** @throws UnreadableError, and as `versions` */
  get(key: string): Stored | undefined {
    const { versions } = this;
    this.#unreadable.demandReadable(key, versions.revision);
    return versions.get(key);
  }

  /** @throws UnreadableError, and as `versions` and its lists */
  list(prefix: string, options: ListOptions): ListResult {
    const { versions } = this;
    this.#unreadable.demandNone((key) => key.startsWith(prefix), options.revision ?? versions.revision);
    return versions.list(prefix, options);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
    this.#versions.close();
  }

  /** What came after is gone, and other changes may come under the same revisions: who watches must not wait for them. */
  #fall(why: string): never {
    this.#fallen ??= new UnavailableError(why);
    this.#cancel();
    this.#versions.lose(this.#complete + 1);
    throw this.#fallen;
  }

  /** @param from too early: were that compacted away, etcd would say so, while of the first that is left it tells not all */
  #watch(from = this.#last.toldFrom(this.#complete)): void {
    if (this.#closed || this.#fallen) return;
    const { client, layout } = this.#options;
    this.#last.awaitAgain(from, client.isNarrow ? layout.root : '');
    this.#cancel = client.watch(from, false, {
      response: (response) => this.#take(response),
      end: (error) => void this.#again(error),
    });
  }

  #take({ events = [], fragment = false, created = false, header }: Partial<WatchResponse>): void {
    // A member that lags behind says so too.
    if (created && header && header.revision < this.#complete) this.newest().catch(this.#options.report);
    let revision = events.length === 0 && !created ? (header?.revision ?? 0) : 0;
    for (const { type = 0, kv } of events) {
      if (!kv?.key) continue;
      revision = kv.modRevision ?? 0;
      if (!this.#isSameStory(kv, type === 1)) return;
      if (revision > this.#complete) this.#told(kv, type === 1);
    }
    if (fragment) return;
    this.#completeTo(revision);
    if (this.#ahead.size > 0) this.#goAhead();
  }

  /** Whether what is told goes on from what is known. */
  #isSameStory(kv: KeyValue, removed: boolean): boolean {
    if (this.#fallen) return false;
    if (this.#last.contradicts(kv, removed)) {
      this.#cancel();
      void this.#again(new OtherEtcdError(otherStory));
      return false;
    }
    this.#last.note(kv, removed);
    return true;
  }

  #told({ key: keyInEtcd, modRevision, value = noBytes }: KeyValue, removed: boolean): void {
    // A watch that broke before it was complete begins anew with what was entered of it.
    if (modRevision < this.versions.revision) return;
    const key = this.#options.layout.fromEtcd(keyInEtcd.toString());
    if (key === undefined || this.versions.get(key)?.revision === modRevision) return;
    const told = { key, revision: modRevision, value: removed ? undefined : value };
    this.#unreadable.end(key, modRevision);
    try {
      this.#enter(this.#entryOf(told, this.#sent.get(key)?.equals(value) ? 'here' : 'anybody'));
    } catch (error) {
      // Who knows what was there before goes on with that.
      this.#unreadable.note(error, modRevision, this.versions.compacted);
      this.#options.report(error);
    }
  }

  /** @throws UnreadableError */
  #entryOf({ key, revision, value }: Told, writer: Writer): Entry {
    return { key, revision, stored: value && storedAt(this.#options.forms, key, revision, value, writer) };
  }

  #enter(entry: Entry): void {
    const { key, revision, stored } = entry;
    if (!stored || this.versions.get(key)?.revision !== revision) this.versions.enter(entry);
  }

  #goAhead(): void {
    if (this.#isReading) return;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#enter(next);
      this.#completeTo(next.revision);
    }
    for (const revision of this.#ahead.keys()) if (revision <= this.#complete) this.#ahead.delete(revision);
  }

  #next(): Entry | undefined {
    return this.#ahead.get(this.#complete + 1);
  }

  #completeTo(revision: number): void {
    if (revision <= this.#complete) return;
    this.#complete = revision;
    this.versions.reached(revision);
    this.#reached.to(revision);
  }

  async #again(error: Error): Promise<void> {
    if (this.#closed) return;
    try {
      if (error instanceof OtherEtcdError) this.#fall(error.message);
      if (error instanceof CompactedError) {
        // Nothing is missing but the proof that this is the same etcd.
        if (error.compacted < this.#complete) return this.#watch(this.#complete);
        await this.#catchUp();
      } else await pause(this.#options.timers, pauseBetween);
    } catch (failure) {
      this.#options.report(failure);
      await pause(this.#options.timers, pauseBetween);
    }
    this.#watch();
  }

  /** What happened is not told any more: the state of before becomes that of now. */
  async #catchUp(): Promise<void> {
    this.#isReading = true;
    try {
      const state = await readAll(this.#options);
      this.#unreadable = unreadableOf(state, this.#options.report);
      this.#become(state);
    } finally {
      this.#isReading = false;
    }
    this.#goAhead();
  }

  #become({ revision, items }: State): void {
    const now = new Map([...items].map((stored) => [stored.key, stored]));
    const before = this.versions.list('').items;
    if (before.some((known) => excludes(known, now.get(known.key)))) this.#fall(otherStory);
    this.versions.lose(revision);
    this.#last.forget();
    for (const { key } of before) {
      if (!now.has(key) && !this.#unreadable.has(key)) this.versions.enter({ key, revision, stored: undefined });
    }
    for (const [key, stored] of now) {
      if (this.versions.get(key)?.revision !== stored.revision) this.versions.enter({ key, revision, stored });
    }
    this.#completeTo(revision);
  }
}

/** No key goes back to an older version, or becomes another one under the same revision. */
const excludes = (known: Stored, now: Stored | undefined): boolean =>
  now !== undefined &&
  (now.revision < known.revision || (now.revision === known.revision && !now.line.equals(known.line)));

interface Told {
  readonly key: string;
  readonly revision: number;
  /** Undefined: the key was removed. */
  readonly value: Buffer | undefined;
}
