import { sampleOf } from '../../fixtures/objects.ts';
import type { Answer, Client, Json, Query, SendOptions } from './client.ts';
import { apiVersionOf, groupPath, type KindPath } from './kinds.ts';
import { merged } from './merged.ts';
import { type PatchType, patchTypes } from './patch-types.ts';
import { selecting } from './selecting.ts';
import { openWatch, streams, type Watch } from './watch.ts';
import { overWebSocket } from './wire/web-socket.ts';
import { mustSucceed, type Workspace } from './workspace.ts';

interface DeleteParts {
  readonly query?: Query | string;
  /** DeleteOptions. */
  readonly body?: unknown;
  readonly headers?: NonNullable<SendOptions['headers']>;
}

interface PatchParts {
  readonly type?: PatchType;
  readonly query?: Query | string;
  readonly sub?: string;
  readonly headers?: NonNullable<SendOptions['headers']>;
}

/** Which part of a kind's objects lists and watches ask for, those of a namespace or only the marked ones, or by what. */
export type View = 'namespace' | 'labels' | 'everywhere' | 'fields' | 'WebSocket';

export interface CollectionParts {
  readonly at: KindPath;
  readonly client: Client;
  readonly workspace: Workspace;
  /** Milliseconds to wait for an event of a watch. */
  readonly patience: number;
  /** The rule's own unless it is given. */
  readonly namespace?: string;
  /** What every sample has. */
  readonly base?: Json;
  readonly view?: View;
  /** Watches are asked for over a WebSocket. */
  readonly socket?: boolean;
  /** The value of a label that every sample gets, and by which views select. */
  readonly mark?: string;
  /** Others have objects of the kind in the same place. */
  readonly crowded?: boolean;
}

export const markLabel = 'touchstone/cell';

/** A change of what such views select. */
export const markedAs = (mark: string): Json => ({ metadata: { labels: { [markLabel]: mark } } });

/**
 * The objects of one kind, of the rule's own namespace when the kind is namespaced.
 * Methods named for HTTP (get, getAll, post, put, patch, delete, deleteAll) give the answer, whatever it is.
 * The others (create, read, list, replace, merge, apply, remove) must succeed and give the object.
 */
export class Collection {
  readonly at: KindPath;
  readonly #parts: CollectionParts;
  readonly #client: Client;
  readonly #workspace: Workspace;
  readonly #namespace: string | undefined;

  constructor(parts: CollectionParts) {
    this.#parts = parts;
    this.at = parts.at;
    this.#client = parts.client;
    this.#workspace = parts.workspace;
    this.#namespace = parts.namespace;
  }

  /** The same kind in another namespace. */
  in(namespace: string): Collection {
    return new Collection({ ...this.#parts, namespace });
  }

  /** The same as somebody else. */
  by(verbs: { readonly kind: (at: KindPath) => Collection }): Collection {
    return new Collection({ ...this.#parts, client: verbs.kind(this.at).#client });
  }

  /** The same with samples that have these parts, and a mark. */
  with(parts: Pick<CollectionParts, 'base' | 'mark' | 'crowded'>): Collection {
    return new Collection({ ...this.#parts, ...parts });
  }

  /**
   * The same, but lists, watches and deletes of all ask only for a part. Where others have objects beside the rule's,
   * nothing wider than the view by label is of use.
   */
  viewed(view: View): Collection {
    const alone = this.at.namespaced && !this.#parts.crowded;
    if (view === 'WebSocket') return new Collection({ ...this.viewed('labels').#parts, socket: true });
    const narrow = view === 'labels' || (view === 'everywhere' && this.at.namespaced);
    return new Collection({ ...this.#parts, view: alone || narrow ? view : 'labels' });
  }

  /** Path of the collection, of one object, or of a subresource. */
  async path(name?: string, sub?: string): Promise<string> {
    const place = this.at.namespaced ? `/namespaces/${await this.place()}` : '';
    const rest = name === undefined ? '' : `/${encodeURIComponent(name)}${sub ? `/${sub}` : ''}`;
    return `${groupPath(this.at)}${place}/${this.at.resource}${rest}`;
  }

  /** Path of the collection over all namespaces. */
  get everywhere(): string {
    return `${groupPath(this.at)}/${this.at.resource}`;
  }

  /** A valid object of the kind, with a name of its own unless `over` gives one. Sent nowhere. */
  sample(over: Json = {}): Json {
    const { base, mark } = this.#parts;
    const marked = mark === undefined ? {} : { metadata: { labels: { [markLabel]: mark } } };
    const sample = merged(sampleOf(this.at.kind, apiVersionOf(this.at), this.#workspace.unique()), base ?? {});
    return merged(merged(sample, marked), over);
  }

  /** A sample that is valid where it will be created. */
  async draft(over: Json = {}): Promise<Json> {
    return this.sample(merged(this.at.kind === 'Event' ? { regarding: { namespace: await this.place() } } : {}, over));
  }

  /** The namespace of the objects, undefined when they have none. */
  async place(): Promise<string | undefined> {
    return this.at.namespaced ? (this.#namespace ?? (await this.#workspace.namespace())) : undefined;
  }

  /** The path of the view, and the query with what the view selects. */
  async #scope(query: Query | string = ''): Promise<{ path: string; query: Query | string }> {
    const { view = 'namespace', mark } = this.#parts;
    const path = view === 'everywhere' || view === 'fields' ? this.everywhere : await this.path();
    const place = await this.place();
    if (view === 'fields' && place !== undefined)
      return { path, query: selecting(query, 'fieldSelector', `metadata.namespace=${place}`) };
    if (view === 'namespace' || mark === undefined) return { path, query };
    return { path, query: selecting(query, 'labelSelector', `${markLabel}=${mark}`) };
  }

  async get(name: string, query?: Query | string, options: SendOptions & { sub?: string } = {}): Promise<Answer> {
    return this.#client.send('GET', await this.path(name, options.sub), { ...options, ...(query ? { query } : {}) });
  }

  async getAll(query?: Query | string, options: SendOptions = {}): Promise<Answer> {
    const scope = await this.#scope(query);
    return this.#client.send('GET', scope.path, { ...options, ...(scope.query ? { query: scope.query } : {}) });
  }

  async post(body: unknown, query?: Query | string, options: SendOptions = {}): Promise<Answer> {
    return this.#client.send('POST', await this.path(), { ...options, body, ...(query ? { query } : {}) });
  }

  /** Posts to a subresource of an object. */
  async postTo(
    name: string,
    sub: string,
    body: unknown,
    query: Query | string = '',
    options: Pick<SendOptions, 'headers'> = {},
  ): Promise<Answer> {
    return this.#client.send('POST', await this.path(name, sub), { ...options, body, query });
  }

  async put(
    body: Json,
    query?: Query | string,
    options: SendOptions & { sub?: string; name?: string } = {},
  ): Promise<Answer> {
    const path = await this.path(options.name ?? body?.metadata?.name, options.sub);
    return this.#client.send('PUT', path, { ...options, body, ...(query ? { query } : {}) });
  }

  async patch(
    name: string,
    body: unknown,
    { type = 'merge', query = '', sub = '', headers: more = {} }: PatchParts = {},
  ): Promise<Answer> {
    const headers = { 'content-type': patchTypes[type], ...more };
    return this.#client.send('PATCH', await this.path(name, sub), { query, body: body ?? 'null', headers });
  }

  async delete(name: string, { query = '', ...rest }: DeleteParts = {}): Promise<Answer> {
    return this.#client.send('DELETE', await this.path(name), { query, ...rest });
  }

  async deleteAll({ query = '', ...rest }: DeleteParts = {}): Promise<Answer> {
    const scope = await this.#scope(query);
    return this.#client.send('DELETE', await this.path(), { ...rest, query: scope.query });
  }

  async create(over: Json = {}): Promise<Json> {
    const made = await this.#named(await this.post(await this.draft(over)), `create a ${this.at.kind}`);
    return this.at.kind === 'Namespace' ? this.#tended(made) : made;
  }

  /** A new namespace as it is once others have done with it. */
  async #tended(made: Json): Promise<Json> {
    return (await this.#workspace.tended()) ? this.read(made.metadata.name) : made;
  }

  /** Objects `{prefix}-0` … in order of their names; where others have such objects too, the mark comes first. */
  async createMany(count: number, over: Json = {}, prefix = 'item'): Promise<Json[]> {
    const digits = String(count - 1).length;
    const first = this.at.namespaced || this.#parts.mark === undefined ? prefix : `${this.#parts.mark}-${prefix}`;
    const name = (index: number): string => `${first}-${String(index).padStart(digits, '0')}`;
    const objects: Json[] = [];
    for (let index = 0; index < count; index++)
      objects.push(await this.create(merged({ metadata: { name: name(index) } }, over)));
    return objects;
  }

  async read(name: string): Promise<Json> {
    return this.#named(await this.get(name), `read the ${this.at.kind} ${name}`);
  }

  async list(query?: Query | string): Promise<Json> {
    const list = mustSucceed(await this.getAll(query), `list ${this.at.resource}`).body;
    if (Array.isArray(list.items)) return list;
    return mustSucceed({ ...emptyAnswer, body: list }, `list ${this.at.resource}: the answer has no items`).body;
  }

  async replace(object: Json, sub = ''): Promise<Json> {
    const name = object?.metadata?.name;
    let answer = await this.put(object, undefined, { sub });
    // A controller may have been quicker.
    for (let round = 0; round < 5 && answer.status === 409; round++) {
      const { resourceVersion } = (await this.read(name)).metadata;
      answer = await this.put({ ...object, metadata: { ...object.metadata, resourceVersion } }, undefined, { sub });
    }
    return this.#named(answer, `replace the ${this.at.kind} ${name}`);
  }

  async change(name: string, patch: Json, type: PatchType): Promise<Json> {
    return this.#named(await this.patch(name, patch, { type }), `patch the ${this.at.kind} ${name}`);
  }

  async merge(name: string, patch: Json, sub = ''): Promise<Json> {
    return this.#named(await this.patch(name, patch, { sub }), `patch the ${this.at.kind} ${name}`);
  }

  /** Applies with `manager`; `over` goes into a body that holds the type, the name and nothing else. */
  async apply(name: string, over: Json, manager: string, query: Query = {}): Promise<Json> {
    return this.#named(await this.tryApply(name, over, manager, query), `apply to the ${this.at.kind} ${name}`);
  }

  async tryApply(name: string, over: Json, manager: string, query: Query = {}): Promise<Answer> {
    const body = merged({ apiVersion: apiVersionOf(this.at), kind: this.at.kind, metadata: { name } }, over);
    return this.patch(name, body, { type: 'apply', query: { fieldManager: manager, ...query } });
  }

  async remove(name: string, parts: DeleteParts = {}): Promise<Json> {
    return mustSucceed(await this.delete(name, parts), `delete the ${this.at.kind} ${name}`).body;
  }

  async watch(query: Query = {}, given: Readonly<Record<string, string>> = {}): Promise<Watch> {
    const scope = await this.#scope(query);
    const open = async (headers: typeof given): Promise<Watch> => {
      const watch = await openWatch(this.#client, scope.path, scope.query as Query, this.#parts.patience, headers);
      this.#workspace.closeLater(watch.close);
      return watch;
    };
    if (!this.#parts.socket) return open(given);
    // No document asks for WebSockets: who refuses them is watched without.
    const watch = await open({ ...given, ...overWebSocket });
    return streams(watch) ? watch : open(given);
  }

  #named(answer: Answer, step: string): Json {
    const object = mustSucceed(answer, step).body;
    if (typeof object.metadata?.name === 'string') return object;
    return mustSucceed({ ...emptyAnswer, text: 'the answer is not the object' }, step).body;
  }
}

const emptyAnswer: Answer = {
  status: 0,
  headers: {},
  all: () => [],
  bytes: Buffer.alloc(0),
  text: '',
  body: undefined,
};
