import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { Informer } from './informer.ts';
import type { KubeObject } from './kube-object.ts';
import type { Log } from './log.ts';
import { pathOf, type Resource } from './resources.ts';

interface Parts {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** One informer for each kind, shared by all controllers of the process. */
export class Informers {
  readonly #parts: Parts;
  readonly #informers = new Map<string, Informer<KubeObject>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The informer of a kind; it runs from the first time it is asked for. */
  of<T extends KubeObject>(resource: Resource<T>): Informer<T> {
    const id = pathOf(resource);
    let informer = this.#informers.get(id);
    if (!informer) {
      informer = new Informer<KubeObject>({ ...this.#parts, resource });
      this.#informers.set(id, informer);
    }
    return informer as unknown as Informer<T>;
  }

  /** The informer of a kind if someone has asked for it. */
  known<T extends KubeObject>(resource: Resource<T>): Informer<T> | undefined {
    return this.#informers.get(pathOf(resource)) as unknown as Informer<T> | undefined;
  }

  /** Runs all informers asked for so far. */
  run(): void {
    for (const informer of this.#informers.values()) void informer.run();
  }

  /** The kinds whose first list has not come yet. */
  waiting(): readonly string[] {
    return [...this.#informers].filter(([, informer]) => !informer.isSynced).map(([path]) => path);
  }
}
