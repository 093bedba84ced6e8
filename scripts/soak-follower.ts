import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';

/** Asks the server; a stream goes on until it is cut, and is given up then. */
export interface Api {
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
  stream(path: string, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
}

interface Change {
  readonly type: string;
  readonly object: {
    readonly code?: number;
    readonly message?: string;
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
  };
}

const gone = 410;

/** Follows the objects at a path as a client does: lists, watches from there, and lists anew when it has to. */
export class Follower {
  /** The versions that it knows, by name. */
  readonly seen = new Map<string, string>();
  relists = 0;
  readonly #api: Api;
  readonly #path: string;
  readonly #trouble: (text: string) => void;
  readonly #cut = new AbortController();
  #version = '';

  /** @param trouble is told what no client should meet */
  constructor(api: Api, path: string, trouble: (text: string) => void) {
    this.#api = api;
    this.#path = path;
    this.#trouble = trouble;
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    while (!this.#cut.signal.aborted) {
      try {
        await this.#list();
        await this.#watch();
      } catch (error) {
        if (this.#cut.signal.aborted) return;
        this.#trouble(`a watcher: ${error instanceof Error ? error.message : error}`);
        await setTimeout(100);
      }
    }
  }

  stop(): void {
    this.#cut.abort();
  }

  async #list(): Promise<void> {
    const { status, text } = await this.#api.get(this.#path);
    if (status !== 200) throw new Error(`its list was answered ${status}: ${text.slice(0, 300)}`);
    const { items, metadata } = JSON.parse(text);
    this.seen.clear();
    for (const item of items) this.seen.set(item.metadata.name, item.metadata.resourceVersion);
    this.#version = metadata.resourceVersion;
    this.relists++;
  }

  async #watch(): Promise<void> {
    const seconds = 5 + Math.floor(Math.random() * 20);
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}&resourceVersion=${this.#version}`;
    const { statusCode, body } = await this.#api.stream(`${this.#path}?${query}`, this.#cut.signal);
    if (statusCode !== 200)
      throw new Error(`its watch was answered ${statusCode}: ${(await body.text()).slice(0, 300)}`);
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (!this.#take(JSON.parse(line))) return;
    }
    if (rest) throw new Error(`its watch ended within a line: ${rest.slice(0, 300)}`);
  }

  /** @returns false where the watch cannot go on */
  #take({ type, object: { metadata, code, message } }: Change): boolean {
    if (type === 'ERROR') {
      if (code !== gone) throw new Error(`its watch was ended with ${code}: ${message}`);
      return false;
    }
    this.#version = metadata.resourceVersion;
    if (type === 'DELETED') this.seen.delete(metadata.name);
    else if (type !== 'BOOKMARK') this.seen.set(metadata.name, metadata.resourceVersion);
    return true;
  }
}
