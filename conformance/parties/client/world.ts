import { randomBytes } from 'node:crypto';
import { base64 } from '../../../fixtures/certificates.ts';

/** Values by key, each in base64. */
export type Data = Readonly<Record<string, string>>;

/** What a client shows: the data of each Secret by its name. */
export type Copy = Readonly<Record<string, Data>>;

/** A Secret as it goes over the wire. */
export interface Secret {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly data?: Data;
  readonly type: 'Opaque';
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Secret;
  readonly step: number;
}

/** A list, or a part of it. */
export interface Page {
  readonly kind: 'SecretList';
  readonly apiVersion: 'v1';
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly Secret[];
}

interface Rest {
  readonly items: readonly Secret[];
  readonly step: number;
}

export const namespace = 'judged';

/** Numbers that grow, as the versions of most servers do. */
const usualVersion = (step: number): string => String(1_000 + step);

/**
 * What the server that clients are played against holds: the Secrets of one namespace, every change of them, and the
 * lists that somebody is still reading. Each change is a step; what version a step has is for the rule to say.
 */
export class World {
  /** The version of each step; set it before anything is done. */
  versionOf: (step: number) => string = usualVersion;
  /** No page holds more, whatever limit was asked for. */
  mostPerPage = Number.POSITIVE_INFINITY;
  readonly #objects = new Map<string, Secret>();
  readonly #changes: Change[] = [];
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #rests = new Map<string, Rest>();
  #step = 1;
  #oldest = 1;
  #uids = 0;
  #isSilent = false;

  get version(): string {
    return this.versionOf(this.#step);
  }

  /** What a client should show by now. */
  copy(): Copy {
    return Object.fromEntries([...this.#objects].map(([name, { data = {} }]) => [name, data]));
  }

  find(name: string): Secret | undefined {
    return this.#objects.get(name);
  }

  /** Creates or changes a Secret; without texts it has no data at all. `more` stands beside its other members. */
  put(name: string, texts: Readonly<Record<string, string>>, more: object = {}): Secret {
    const { data: _, ...known } = this.#objects.get(name) ?? this.#blank(name);
    const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64(text)]));
    return this.store({ ...known, ...more, ...(Object.keys(texts).length > 0 ? { data } : {}) });
  }

  /** Stores a Secret as it was sent; the version is given to it. */
  store(secret: Secret): Secret {
    const { name } = secret.metadata;
    const type = this.#objects.has(name) ? 'MODIFIED' : 'ADDED';
    const object = this.#atNextStep(secret);
    this.#objects.set(name, object);
    this.#tell({ type, object, step: this.#step });
    return object;
  }

  remove(name: string): void {
    const known = this.#objects.get(name);
    if (!known) return;
    this.#objects.delete(name);
    this.#tell({ type: 'DELETED', object: this.#atNextStep(known), step: this.#step });
  }

  /** Something elsewhere has changed: only the version moves. */
  pass(): void {
    this.#step += 1;
  }

  /** What is done meanwhile is remembered, but told to nobody who is watching. */
  silently<T>(work: () => T): T {
    this.#isSilent = true;
    try {
      return work();
    } finally {
      this.#isSilent = false;
    }
  }

  /** What happened so far is not remembered any more, nor are the lists that are being read. */
  forget(): void {
    this.#oldest = this.#step;
    this.#rests.clear();
  }

  /** The changes after a version; undefined when they are not remembered. */
  since(version: string): readonly Change[] | undefined {
    for (let step = this.#oldest; step <= this.#step; step += 1)
      if (this.versionOf(step) === version) return this.#changes.filter((change) => change.step > step);
    return undefined;
  }

  /** What is there as a watch without a version tells it. */
  present(): readonly Change[] {
    return [...this.#objects.values()].map((object) => ({ type: 'ADDED', object, step: this.#step }));
  }

  /** Gives what takes the listener away again. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * One page of a list; undefined when its token is not known. A limit of 0 is none.
   * @param isCounted it says how many are left, which it does not where a selector is
   */
  page(limit: number, token?: string, isCounted = true): Page | undefined {
    const from: Rest | undefined = token
      ? this.#rests.get(token)
      : { items: [...this.#objects.values()], step: this.#step };
    if (!from) return undefined;
    const size = limit > 0 ? Math.min(limit, this.mostPerPage) : from.items.length;
    const [items, left] = [from.items.slice(0, size), from.items.slice(size)];
    const next = left.length > 0 ? this.#keep({ items: left, step: from.step }) : undefined;
    const more = next ? { continue: next, ...(isCounted ? { remainingItemCount: left.length } : {}) } : {};
    const metadata = { resourceVersion: this.versionOf(from.step), ...more };
    return { kind: 'SecretList', apiVersion: 'v1', metadata, items };
  }

  #keep(rest: Rest): string {
    // Whatever a text may hold that has to be written otherwise in a query.
    const token = `${randomBytes(12).toString('base64')}+/=&`;
    this.#rests.set(token, rest);
    return token;
  }

  #blank(name: string): Secret {
    this.#uids += 1;
    const uid = `00000000-0000-4000-8000-${String(this.#uids).padStart(12, '0')}`;
    const own = { resourceVersion: '', creationTimestamp: '2024-05-06T07:08:09Z', labels: { judged: 'yes' } };
    const metadata = { name, namespace, uid, ...own };
    return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' };
  }

  #atNextStep(secret: Secret): Secret {
    this.#step += 1;
    return { ...secret, metadata: { ...secret.metadata, resourceVersion: this.version } };
  }

  #tell(change: Change): void {
    this.#changes.push(change);
    if (!this.#isSilent) for (const listener of this.#listeners) listener(change);
  }
}
