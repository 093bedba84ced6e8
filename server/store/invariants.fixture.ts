import type { ListOptions, ListResult, Store, Stored, StoreEvent } from './store.ts';
import { encodeObject } from './stored-value.ts';

/** A store broke a promise; the message says which. */
export class InvariantError extends Error {}

/** Orders keys by their bytes. */
export const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What is known of a store from watching it and from its answers; every contradiction is kept. */
class Observer {
  readonly violations: string[] = [];
  readonly #current = new Map<string, Stored>();
  readonly #fingerprints = new WeakMap<Stored, string>();
  readonly #written = new Map<string, number>();
  #newest = 0;
  #newestAnswered = 0;

  begin({ items, revision }: ListResult): void {
    this.#newest = revision;
    for (const stored of items) this.#remember(stored);
  }

  event(event: StoreEvent): void {
    const { key, revision, previous, current, removed } = event;
    this.#expect(revision > this.#newest, `revision ${revision} of ${key} follows ${this.#newest}`);
    this.#newest = Math.max(this.#newest, revision);
    this.#expect(previous !== undefined || current !== undefined, `the event ${revision} changes nothing`);
    const known = this.#current.get(key);
    this.#expect(previous?.revision === known?.revision, `the event ${revision} has not the last version of ${key}`);
    if (previous) this.stored(previous);
    if (current) {
      this.stored(current);
      this.#expect(current.key === key, `the event ${revision} of ${key} holds ${current.key}`);
      this.#expect(current.revision === revision, `the event ${revision} holds version ${current.revision}`);
      this.#remember(current);
    } else this.#current.delete(key);
    this.#expect((removed === undefined) === (current !== undefined), `the event ${revision} is no clear removal`);
    if (removed)
      this.#expect(removed.value.metadata.resourceVersion === String(revision), `removal ${revision} unstamped`);
  }

  /** Any version that was handed out. */
  stored(stored: Stored): void {
    const { key, revision, value } = stored;
    this.#expect(
      value.metadata.resourceVersion === String(revision),
      `${key} at ${revision} has another resourceVersion`,
    );
    const before = this.#fingerprints.get(stored);
    const now = encodeObject(value).toString();
    if (before === undefined) this.#fingerprints.set(stored, now);
    else this.#expect(before === now, `${key} at ${revision} was changed by somebody`);
  }

  wrote(stored: Stored): void {
    this.stored(stored);
    this.#written.set(stored.key, Math.max(stored.revision, this.#written.get(stored.key) ?? 0));
    this.#newestAnswered = Math.max(this.#newestAnswered, stored.revision);
  }

  /** The oldest version that a read of the key may answer if it starts now. */
  floorOf = (key: string): number => this.#written.get(key) ?? 0;
  /** The oldest revision that a read may show if it starts now. */
  floor = (): number => this.#newestAnswered;

  read(key: string, stored: Stored | undefined, floor: number): void {
    if (!stored) return;
    this.stored(stored);
    this.#expect(stored.key === key, `a read of ${key} answers ${stored.key}`);
    this.#expect(stored.revision >= floor, `a read of ${key} answers ${stored.revision}, older than ${floor}`);
  }

  revision(revision: number, floor: number): void {
    this.#expect(revision >= floor, `revision ${revision} is older than ${floor}`);
    this.#newestAnswered = Math.max(this.#newestAnswered, revision);
  }

  list(prefix: string, { limit = 0, after, revision }: ListOptions, result: ListResult, floor: number): void {
    if (revision === undefined) this.revision(result.revision, floor);
    else this.#expect(result.revision === revision, `a list at ${revision} shows ${result.revision}`);
    this.#expect(limit <= 0 || result.items.length <= limit, `a list of ${limit} has ${result.items.length} items`);
    let last = after;
    for (const stored of result.items) {
      const { key } = stored;
      this.stored(stored);
      this.#expect(key.startsWith(prefix), `a list of ${prefix} has ${key}`);
      this.#expect(last === undefined || compareKeys(last, key) < 0, `a list has ${key} after ${last}`);
      this.#expect(stored.revision <= result.revision, `a list at ${result.revision} has ${key} at ${stored.revision}`);
      last = key;
    }
  }

  #remember(stored: Stored): void {
    this.stored(stored);
    this.#current.set(stored.key, stored);
  }

  #expect(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation);
  }
}

/**
 * The same store under supervision: every event and answer is checked against what is known. For tests. The first call
 * after a broken promise, or `close`, rejects with an InvariantError that names it.
 */
export function withInvariants(store: Store): Store {
  const observer = new Observer();
  const begin = async () => {
    const start = await store.list('');
    observer.begin(start);
    await store.watch('', start.revision, (event) => observer.event(event));
  };
  let begun: Promise<void> | undefined;
  const check = () => {
    if (observer.violations.length > 0) throw new InvariantError(observer.violations.join('\n'));
  };
  const supervised = async <T>(work: () => Promise<T>): Promise<T> => {
    begun ??= begin();
    await begun;
    check();
    return work();
  };
  return {
    currentRevision: () =>
      supervised(async () => {
        const floor = observer.floor();
        const revision = await store.currentRevision();
        observer.revision(revision, floor);
        return revision;
      }),
    get: (key) =>
      supervised(async () => {
        const floor = observer.floorOf(key);
        const stored = await store.get(key);
        observer.read(key, stored, floor);
        return stored;
      }),
    list: (prefix, options = {}) =>
      supervised(async () => {
        const floor = observer.floor();
        const result = await store.list(prefix, options);
        observer.list(prefix, options, result, floor);
        return result;
      }),
    count: (...asked) => supervised(() => store.count(...asked)),
    upsert: (key, decide) =>
      supervised(async () => {
        const result = await store.upsert(key, decide);
        if (result.outcome === 'written' || result.outcome === 'created') observer.wrote(result.stored);
        else observer.stored(result.stored);
        return result;
      }),
    create: (key, value) =>
      supervised(async () => {
        const stored = await store.create(key, value);
        observer.wrote(stored);
        return stored;
      }),
    update: (key, change) =>
      supervised(async () => {
        const result = await store.update(key, change);
        if (result.outcome === 'written') observer.wrote(result.stored);
        else observer.stored(result.stored);
        return result;
      }),
    watch: (...asked) => supervised(() => store.watch(...asked)),
    compact: (revision) => supervised(() => store.compact(revision)),
    close: async () => {
      await store.close();
      check();
    },
  };
}
