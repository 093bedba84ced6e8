import { randomInt } from 'node:crypto';
import type { KubeObject } from '../../base/kube-object.ts';
import { systemTimers } from '../../base/time/timers.ts';
import {
  type Change,
  CompactedError,
  type Decide,
  type EventSink,
  KeyExistsError,
  type ListOptions,
  type ListResult,
  type ReadOptions,
  type Store,
  type Stored,
  type Subscription,
  type UpdateResult,
  type WatchMore,
} from '../store.ts';
import { EtcdClient } from './etcd-client.ts';
import { EtcdPeers } from './etcd-peers.ts';
import { EtcdWrites, type WriteOptions } from './etcd-writes.ts';
import { Shared } from './freshness.ts';
import type { Credentials } from './grpc-session.ts';
import { Leases } from './leases.ts';
import { listAt } from './list-at.ts';
import { target } from './messages.ts';
import { Past } from './past.ts';
import { Replica, type ReplicaOptions } from './replica.ts';
import { anyForm, type StoredForms } from './value-format.ts';

export interface EtcdStoreOptions extends WriteOptions {
  /** URLs of the members of one cluster. */
  readonly servers: readonly string[];
  readonly credentials?: () => Credentials;
  readonly forms?: StoredForms;
  /** What the past may take of this process, in bytes of JSON; missing: as much as the store thinks right. */
  readonly historyBytes?: number;
  /** Told of what goes wrong beside requests: a value that cannot be read, a watch that cannot be opened again. */
  readonly report?: (error: unknown) => void;
}

const nothing: Change = { keep: true };
const now = () => performance.now();

/**
 * A Store in etcd, which any number of servers may share. Reads are of a replica in memory that one watch feeds; where
 * they have to be the newest, etcd is asked for its revision first, once for all that ask at a time. Writes are
 * transactions on the version they were decided on, and are answered when the replica has them.
 */
export class EtcdStore implements Store {
  readonly isShared = true;
  readonly peers: EtcdPeers;
  readonly #options: EtcdStoreOptions;
  readonly #parts: ReplicaOptions;
  readonly #client: EtcdClient;
  readonly #replica: Replica;
  readonly #past: Past;
  readonly #newest: Shared<void>;
  /** The newest revision that was given up by this server; etcd holds what the replica never had, but that no more. */
  #compacted = 0;
  readonly #writes: EtcdWrites;

  private constructor(options: EtcdStoreOptions, parts: ReplicaOptions, replica: Replica) {
    const { client } = parts;
    this.#options = options;
    this.#parts = parts;
    this.#client = client;
    this.peers = new EtcdPeers(client, options.layout, options.format);
    this.#replica = replica;
    this.#past = new Past(parts);
    this.#newest = new Shared(() => replica.newest(), options.timers ?? systemTimers, now);
    this.#writes = new EtcdWrites({
      ...options,
      client,
      replica,
      newest: () => this.#newest.now(),
      leases: new Leases(client, now, () => randomInt(2 ** 47) / 2 ** 47),
    });
  }

  /** Reads all that is stored. @throws EncryptedError, UnavailableError */
  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const { servers, credentials, layout, forms = anyForm, timers = systemTimers } = options;
    const { report = (error) => process.emitWarning(String(error)) } = options;
    const client = new EtcdClient({ servers, ...(credentials && { credentials }), root: layout.root, timers, now });
    try {
      const { historyBytes } = options;
      const parts = { client, layout, forms, timers, report, ...(historyBytes !== undefined && { historyBytes }) };
      return new EtcdStore(options, parts, await Replica.open(parts));
    } catch (error) {
      client.close();
      throw error;
    }
  }

  async currentRevision({ any = false }: ReadOptions = {}): Promise<number> {
    if (!any) await this.#newest.now();
    return this.#replica.versions.revision;
  }

  async get(key: string, { any = false }: ReadOptions = {}): Promise<Stored | undefined> {
    if (!any) await this.#newest.now();
    return this.#replica.get(key);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const { versions } = this.#replica;
    const { revision, any = false } = options;
    if (revision !== undefined && revision <= versions.compacted) {
      this.#expectHeld(revision);
      return listAt(this.#parts, prefix, { ...options, revision });
    }
    if (revision === undefined ? !any : revision > versions.revision) await this.#newest.now();
    return this.#replica.list(prefix, options);
  }

  async count(prefix: string, { any = false }: ReadOptions = {}): Promise<number> {
    if (!any) await this.#newest.now();
    return this.#replica.versions.count(prefix);
  }

  upsert(key: string, decide: Decide): Promise<UpdateResult> {
    return this.#writes.upsert(key, decide);
  }

  async create(key: string, value: KubeObject): Promise<Stored> {
    const { stored } = await this.upsert(key, (current) => {
      if (current) throw new KeyExistsError(current);
      return { write: value };
    });
    return stored;
  }

  async update(key: string, change: (current: Stored) => Promise<Change> | Change): Promise<UpdateResult> {
    return this.upsert(key, (current) => (current ? change(current) : nothing));
  }

  async watch(prefix: string, revision: number, sink: EventSink, more?: WatchMore): Promise<Subscription> {
    const subscribe = { prefix, after: revision, sink, ...more };
    const { versions } = this.#replica;
    this.#expectHeld(revision);
    for (;;) {
      const { compacted } = versions;
      if (revision > compacted) return versions.watch(subscribe);
      const past = await this.#past.events(revision, compacted + 1);
      if (compacted === versions.compacted) return versions.watch(subscribe, past);
    }
  }

  lifetimeOf(key: string): number | undefined {
    return this.#options.lifetimeOf?.(key);
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.#replica.versions.revision) await this.#newest.now();
    await this.#replica.versions.compact(revision);
    this.#compacted = Math.max(this.#compacted, revision - 1);
    this.#past.forget();
    await this.#client.compact(revision);
  }

  /** The key of a note in etcd. */
  placeOfNote(name: string): string {
    return `${this.#options.layout.root}touchstone/${name}`;
  }

  /** Something that belongs to the servers together and is no object. Undefined: it is not there. */
  async readNote(name: string): Promise<string | undefined> {
    const { kvs } = await this.#client.range({ key: this.#noteKey(name) });
    return kvs?.[0]?.value?.toString();
  }

  /** Keeps a note, unless there is one already. */
  async createNote(name: string, text: string): Promise<void> {
    const key = this.#noteKey(name);
    await this.#client.txn({
      compare: [{ target: target.modRevision, key, modRevision: 0 }],
      success: [{ put: { key, value: Buffer.from(text) } }],
      failure: [],
    });
  }

  async removeNote(name: string): Promise<void> {
    await this.#client.txn({ compare: [], success: [{ remove: { key: this.#noteKey(name) } }], failure: [] });
  }

  async close(): Promise<void> {
    this.#replica.close();
    this.#client.close();
  }

  #noteKey(name: string): Buffer {
    return Buffer.from(this.placeOfNote(name));
  }

  #expectHeld(revision: number): void {
    if (revision <= this.#compacted) throw new CompactedError(this.#compacted);
  }
}
