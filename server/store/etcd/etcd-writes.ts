import type { KubeObject } from '../../base/kube-object.ts';
import { systemTimers, type Timers } from '../../base/time/timers.ts';
import { tryAgain } from '../attempts.ts';
import type { Room } from '../room.ts';
import {
  type Change,
  type Decide,
  KeyMissingError,
  type Stored,
  TakenError,
  UnavailableError,
  type UpdateResult,
} from '../store.ts';
import { StoredValue } from '../stored-value.ts';
import { Turns } from '../turns.ts';
import { type ClaimOptions, Claims } from './claims.ts';
import { type EtcdClient, type TxnOutcome, UnansweredError } from './etcd-client.ts';
import type { Leases } from './leases.ts';
import type { KeyValue } from './messages.ts';
import { LeaseMissingError } from './refusals.ts';
import type { Replica } from './replica.ts';
import { transactionOf, type Write } from './transaction.ts';
import { encodeValue, type ValueFormat } from './value-format.ts';

export interface WriteOptions extends ClaimOptions {
  /** How values are written. Default: JSON. */
  readonly format?: ValueFormat;
  /** Milliseconds that an object is kept after its last write; undefined: until it is removed. */
  readonly lifetimeOf?: (key: string) => number | undefined;
  /** Says whether there is room for more; missing: there always is. */
  readonly room?: Room;
  /** Milliseconds after which a writer stops keeping others waiting on its key. Default 2000. */
  readonly patience?: number;
  /** How often one update may start over. Default 20. */
  readonly attempts?: number;
  readonly timers?: Timers;
}

interface Parts extends WriteOptions {
  readonly client: EtcdClient;
  readonly replica: Replica;
  readonly leases: Leases;
  /** Resolves when the replica has all that etcd had at the call. */
  readonly newest: () => Promise<void>;
}

/** A change with the version that it was decided on. */
interface Decided {
  readonly before: Stored | undefined;
  readonly change: Change;
}

type Writing = Extract<Change, { readonly write: KubeObject }>;

/** What is not known of a write before it meets others. */
const clean: Pick<Write, 'stale' | 'noted'> = { stale: new Map(), noted: [] };

/** No key of an object is without a slash. */
const recordsTurn = 'records';

/** The writes of one server: decided on its replica, carried out by etcd if nothing came between. */
export class EtcdWrites {
  readonly #parts: Parts;
  readonly #claims: Claims;
  readonly #turns: Turns;
  readonly #attempts: number;
  /** Keys of objects that are on their way to etcd. */
  readonly #coming = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#claims = new Claims(parts);
    this.#turns = new Turns(parts.patience ?? 2000, parts.timers ?? systemTimers);
    this.#attempts = parts.attempts ?? 20;
  }

  async upsert(key: string, decide: Decide): Promise<UpdateResult> {
    const first = this.#turns.line.has(key) ? undefined : await this.#attempt(key, decide);
    return first ?? this.#turns.take(key, () => tryAgain(key, this.#attempts, () => this.#attempt(key, decide)));
  }

  /** @returns undefined when another write came between */
  async #attempt(key: string, decide: Decide): Promise<UpdateResult | undefined> {
    const decided = await this.#decide(key, decide);
    if (!decided) return undefined;
    const { before, change } = decided;
    if ('write' in change) return this.#write(key, before, change);
    if (!before) throw new KeyMissingError(`no such key: ${key}`);
    if ('keep' in change) return { stored: before, outcome: 'kept', revision: before.revision };
    const revision = await this.#commit(await this.#removalOf(key, before));
    const { answer } = change;
    return revision === undefined
      ? undefined
      : { stored: before, outcome: 'removed', revision, ...(answer && { answer }) };
  }

  /** The replica may lag behind: what writes nothing, and what refuses, must have been decided on the newest version. */
  async #decide(key: string, decide: Decide): Promise<Decided | undefined> {
    const { newest, replica } = this.#parts;
    const before = replica.get(key);
    const isNewest = async () => {
      await newest();
      return replica.versions.get(key) === before;
    };
    try {
      const change = await decide(before);
      const writes = 'write' in change || ('remove' in change && before);
      return writes || (await isNewest()) ? { before, change } : undefined;
    } catch (error) {
      if (await isNewest()) throw error;
      return undefined;
    }
  }

  async #write(
    key: string,
    before: Stored | undefined,
    { write: value, basis }: Writing,
  ): Promise<UpdateResult | undefined> {
    const { room, replica } = this.#parts;
    room?.demand(value, before === undefined, replica.versions, this.#coming);
    let revision: number | undefined;
    this.#coming.add(key);
    try {
      revision = await this.#commit({ ...(await this.#writeOf(key, before, value)), ...(!before && { basis }) });
    } finally {
      this.#coming.delete(key);
    }
    if (revision === undefined) return undefined;
    value.metadata.resourceVersion = String(revision);
    const entered = replica.versions.get(key);
    if (entered?.revision === revision && entered instanceof StoredValue) entered.adopt(value);
    const stored = entered?.revision === revision ? entered : new StoredValue(key, revision, value);
    return { stored, outcome: before ? 'written' : 'created', revision };
  }

  async #writeOf(key: string, before: Stored | undefined, value: KubeObject): Promise<Write> {
    const { format = 'application/json', lifetimeOf, leases, exclusive } = this.#parts;
    const lifetime = lifetimeOf?.(key);
    const holds = exclusive?.(key, value) ?? [];
    const held = before && exclusive ? exclusive(key, before.value) : [];
    return {
      key,
      before,
      value: encodeValue(value, format),
      lease: lifetime === undefined ? undefined : await leases.of(lifetime),
      takes: holds.filter((what) => !held.includes(what)),
      returns: held.filter((what) => !holds.includes(what)),
      ...clean,
    };
  }

  async #removalOf(key: string, before: Stored): Promise<Write> {
    const returns = this.#parts.exclusive?.(key, before.value) ?? [];
    return { key, before, value: undefined, lease: undefined, takes: [], returns, ...clean };
  }

  /** @returns as `#commitNoted` */
  async #commit(write: Write): Promise<number | undefined> {
    if (write.takes.length + write.returns.length === 0) return this.#commitNoted(write);
    // All change the same records.
    return this.#turns.take(recordsTurn, async () => {
      const known = await this.#unlessOutdated(write, () => this.#claims.known(write));
      return known && this.#commitNoted({ ...write, ...known });
    });
  }

  /** What is taken may be so by this very object, which another server has made meanwhile. @returns undefined then */
  async #unlessOutdated<T>({ key, before }: Write, look: () => Promise<T>): Promise<T | undefined> {
    const { newest, replica } = this.#parts;
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof TakenError)) throw error;
      await newest();
      if (replica.versions.get(key) === before) throw error;
      return undefined;
    }
  }

  /** The revision of the write; undefined when another one came between. @throws TakenError, UnavailableError */
  async #commitNoted(write: Write): Promise<number | undefined> {
    const { replica, leases } = this.#parts;
    const { complete } = replica;
    let outcome: TxnOutcome;
    try {
      outcome = await this.#send(write);
    } catch (error) {
      if (error instanceof UnansweredError) return this.#unanswered(write, error);
      if (!(error instanceof LeaseMissingError)) throw error;
      leases.forget();
      return undefined;
    }
    const revision = outcome.header?.revision ?? 0;
    if (outcome.succeeded) replica.wrote(write.key, revision, write.value);
    await replica.reached(revision, complete);
    if (outcome.succeeded) return revision;
    const answers = (outcome.responses ?? []).map(({ range }) => range?.kvs?.[0]);
    if (outcome.repeated && !isUntouched(write, answers[0])) {
      if (isDone(write, answers[0])) return answers[0]?.modRevision;
      throw new UnavailableError(
        `etcd did not answer, and ${write.key} was changed since, by this write or another one`,
      );
    }
    const stale = isUntouched(write, answers[0]) ? this.#claims.stale(write, answers) : undefined;
    // The same again: it was a record that changed, and is to be read anew.
    return stale && !sameClaims(stale, write.stale) ? this.#commitNoted({ ...write, stale }) : undefined;
  }

  async #send(write: Write): Promise<TxnOutcome> {
    const { client, layout, replica } = this.#parts;
    const over = replica.sends(write);
    try {
      // Between two tries at a creation others may remove what the first one made, and it would be made twice.
      return await client.txn(transactionOf(layout, write), write.before ? 'always' : 'if never sent');
    } finally {
      over();
    }
  }

  /** The revision of a creation to which no answer came. @throws UnavailableError when it is not there, or not yet */
  async #unanswered(write: Write, error: UnansweredError): Promise<number> {
    const { client, layout, replica } = this.#parts;
    const { kvs = [] } = await client.range({ key: Buffer.from(layout.toEtcd(write.key)) });
    const [current] = kvs;
    if (!current || !isDone(write, current)) throw error;
    await replica.reached(current.modRevision);
    return current.modRevision;
  }
}

const sameClaims = (some: Write['stale'], others: Write['stale']): boolean =>
  some.size === others.size && [...some].every(([what, revision]) => others.get(what) === revision);

/** Whether the key is as the write would leave it. Who repeated a write then knows that it was carried out before. */
const isDone = ({ value }: Write, current: KeyValue | undefined): boolean =>
  value !== undefined && current?.value.equals(value) === true;

/** Whether the key still is as the write was decided on. */
const isUntouched = ({ before }: Write, current: KeyValue | undefined): boolean =>
  (current?.modRevision ?? 0) === (before?.revision ?? 0);
