import { ApiError, isExpired, isPassing } from '../api-error.ts';
import { jitteredWaitAfter } from '../backoff.ts';
import type { Client, Selection } from '../client.ts';
import { type Clock, pause } from '../clock.ts';
import { type KubeObject, versionOf } from '../kube-object.ts';
import type { Log } from '../log.ts';
import type { Resource } from '../resources.ts';
import { Cache } from './cache.ts';

interface Parts<T extends KubeObject> {
  readonly client: Client;
  readonly resource: Resource<T>;
  readonly selection?: Selection;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random?: () => number;
}

const pageSize = 500;
const tryAgain = { first: 50, most: 30_000 };
/** A watch that lasted so long, in milliseconds, did not fail: the next one begins at once. */
const goodWatch = 1_000;
/**
 * Seconds that a watch is asked to last, at least, and up to half as long again. Servers send a bookmark before the end,
 * so a short watch costs one request; and a connection that died without a word is noticed soon after.
 */
const watchSeconds = 20;

/**
 * Keeps a cache equal to the server's list: lists once, then watches from the list's version on. A watch that ends is
 * taken up after the last version it showed, bookmarks included, so nothing is lost or shown twice; only when the server
 * no longer has the history since then (410), or seems to know nothing of it, is the list read again, and the cache tells
 * the differences.
 */
export class Informer<T extends KubeObject> {
  readonly cache = new Cache<T>();
  readonly #parts: Parts<T>;
  readonly #synced = Promise.withResolvers<void>();
  readonly #tried = Promise.withResolvers<void>();
  /** The version to watch after; undefined when the list is to be read. */
  #version: string | undefined;
  #failures = 0;
  #running: Promise<void> | undefined;
  #isSynced = false;

  constructor(parts: Parts<T>) {
    this.#parts = parts;
  }

  /** Resolves once the first list is in the cache. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Resolves with `synced`, or sooner if the server refuses the first list, which is asked for again all the same. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Begins, the first time it is called. Resolves when the informer has stopped, after the signal. */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { clock, signal, log, resource } = this.#parts;
    while (!signal.aborted) {
      const began = clock.now();
      let told = 0;
      try {
        this.#version ??= await this.#list();
        await this.#watch(this.#version);
        if (clock.now() - began >= goodWatch) this.#failures = 0;
        else this.#failures += 1;
      } catch (error) {
        if (signal.aborted) return;
        this.#failures += 1;
        if (error instanceof ApiError && !isPassing(error)) this.#tried.resolve();
        if (error instanceof ApiError) told = Math.min(error.retryAfter ?? 0, tryAgain.most);
        if (isExpired(error)) this.#version = undefined;
        // A version that the server does not know at all, say after a restore: only the list can help.
        if (error instanceof ApiError && error.code === 400) this.#version = undefined;
        if (!isExpired(error) && this.#failures > 3) log.error(`watch of ${resource.plural}`, error);
      }
      if (this.#failures > 0)
        await pause(clock, Math.max(told, jitteredWaitAfter(this.#failures, tryAgain, this.#parts.random)), signal);
    }
  }

  async #list(): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const round = this.cache.listing();
      const { items, version } = await this.#pages();
      // Whoever writes all the time would have us list for ever: the last list counts, whatever was written meanwhile.
      if (!this.cache.listed(items, attempt < 5 ? round : Number.POSITIVE_INFINITY)) continue;
      this.#isSynced = true;
      this.#synced.resolve();
      this.#tried.resolve();
      return version;
    }
  }

  /** Where the server has forgotten the list by the time of a later page, it would forget the next one too: then all at once. */
  async #pages(limit = pageSize): Promise<{ readonly items: readonly T[]; readonly version: string }> {
    const { client, resource, selection = {} } = this.#parts;
    const items: T[] = [];
    for (let more = ''; ; ) {
      const page = await client.list(resource, selection, { limit, continue: more }).catch((error: unknown) => {
        if (!more || !isExpired(error)) throw error;
      });
      if (!page) return this.#pages(0);
      items.push(...page.items);
      more = page.metadata.continue ?? '';
      if (!more) return { items, version: page.metadata.resourceVersion ?? '' };
    }
  }

  async #watch(after: string): Promise<void> {
    const { client, resource, selection = {}, clock, signal, random = Math.random } = this.#parts;
    const seconds = Math.round(watchSeconds * (1 + random() / 2));
    const end = clock.now() + (seconds - 1) * 1000;
    let isSilent = true;
    for await (const { type, object } of client.watch(resource, selection, { after, seconds, signal })) {
      if (type === 'DELETED') this.cache.seenDeleted(object);
      else if (type !== 'BOOKMARK') this.cache.seen(object);
      this.#version = versionOf(object);
      this.#failures = 0;
      isSilent = false;
    }
    // Not even of a bookmark: as from a server that began anew, with nothing, and has not come so far yet.
    if (isSilent && clock.now() >= end) this.#version = undefined;
  }
}
