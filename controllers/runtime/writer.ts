import { ApiError, isNotFound, type StatusBody, unlessNotFound } from './api-error.ts';
import type { Client, DeleteOptions, PatchType } from './client.ts';
import type { Cache } from './informer/cache.ts';
import { controllerOf, type KubeObject, nameOf, namespaceOf, uidOf, versionOf } from './kube-object.ts';
import { apiVersionOf, type Resource } from './resources.ts';

/** What controllers write with. Every answer goes into the cache at once. */
export class Writer<T extends KubeObject> {
  readonly #client: Client;
  readonly #resource: Resource<T>;
  readonly #cache: Cache<T> | undefined;

  constructor(client: Client, resource: Resource<T>, cache?: Cache<T>) {
    this.#client = client;
    this.#resource = resource;
    this.#cache = cache;
  }

  async create(object: T): Promise<T> {
    const { kind } = this.#resource;
    const body = { apiVersion: apiVersionOf(this.#resource), kind, ...object };
    const created = await this.#createOrFind(body as unknown as T);
    this.#cache?.created(created);
    return created;
  }

  /**
   * When the connection breaks, or the server ran out of time or of luck on the way, nobody knows whether the object was made;
   * its name tells, if we chose one. What others manage by that name is not ours.
   */
  async #createOrFind(object: T): Promise<T> {
    const namespace = namespaceOf(object);
    try {
      return await this.#client.create(this.#resource, object, { namespace });
    } catch (error) {
      if ((error instanceof ApiError && error.code < 500) || !nameOf(object)) throw error;
      const made = await unlessNotFound(this.#client.get(this.#resource, { namespace, name: nameOf(object) }));
      if (!made || controllerOf(made)?.uid !== controllerOf(object)?.uid) throw error;
      return made;
    }
  }

  /** Replaces `base` by `next`, or a subresource of it. A conflict means that `base` is old: read again. */
  async replace(base: T, next: T, part?: string): Promise<T> {
    const { kind } = this.#resource;
    const body = { apiVersion: apiVersionOf(this.#resource), kind, ...next };
    const replaced = await this.#client.replace(this.#resource, body, part);
    this.#cache?.updated(base, replaced);
    return replaced;
  }

  /** A patch of an object as it is in `base`: a conflict when it has changed since, or is another of the same name. */
  async patch(
    base: T,
    change: { readonly metadata?: object; readonly [part: string]: unknown },
    part = '',
    type: PatchType = 'merge',
  ): Promise<T> {
    const metadata = { ...change.metadata, resourceVersion: versionOf(base), uid: uidOf(base) };
    const place = { namespace: namespaceOf(base), name: nameOf(base), part };
    const patched = await this.#client.patch(this.#resource, place, { ...change, metadata }, type);
    this.#cache?.updated(base, patched);
    return patched;
  }

  /** Deletes this very object, never a later one of the same name. That it is gone already is no error. */
  async delete(object: T, options: DeleteOptions = {}): Promise<void> {
    const place = { namespace: namespaceOf(object), name: nameOf(object) };
    const preconditions = { uid: uidOf(object), ...options.preconditions };
    try {
      const answer = await this.#client.delete(this.#resource, place, { ...options, preconditions });
      this.#took(object, answer);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #took(object: T, answer: T | StatusBody): void {
    if (isObject<T>(answer)) this.#cache?.updated(object, answer);
    else this.#cache?.deleted(object);
  }
}

const isObject = <T extends KubeObject>(answer: T | StatusBody): answer is T =>
  'kind' in answer && answer.kind !== 'Status' && Boolean((answer as T).metadata?.uid);
