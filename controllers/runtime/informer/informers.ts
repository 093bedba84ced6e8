import type { Client } from '../client.ts';
import type { Clock } from '../clock.ts';
import type { KubeObject } from '../kube-object.ts';
import type { Log } from '../log.ts';
import { pathOf, type Resource } from '../resources.ts';
import { Informer } from './informer.ts';

interface Parts {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Kept {
  readonly informer: Informer<KubeObject>;
  readonly ending: AbortController;
  /** How many have asked for it and not forgotten it. */
  holders: number;
}

/** One informer for each kind, shared by all controllers of the process. */
export class Informers {
  readonly #parts: Parts;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #metadata = new Map<string, Kept>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The informer of a kind; it runs from the first time it is asked for. */
  of<T extends KubeObject>(resource: Resource<T>): Informer<T> {
    const id = idOf(resource);
    let informer = this.#informers.get(id);
    if (!informer) {
      informer = new Informer<KubeObject>({ ...this.#parts, resource, selection: resource.only ?? {} });
      this.#informers.set(id, informer);
    }
    return informer as unknown as Informer<T>;
  }

  /** The informer of a kind if someone has asked for it. */
  known<T extends KubeObject>(resource: Resource<T>): Informer<T> | undefined {
    return this.#informers.get(idOf(resource)) as unknown as Informer<T> | undefined;
  }

  /**
   * An informer of the metadata of a kind, one for all who ask; or that of its whole objects, if there is one. It runs
   * until all who asked have forgotten it.
   */
  metadataOf(resource: Resource): Informer<KubeObject> {
    const whole = this.known(resource);
    if (whole) {
      void whole.run();
      return whole;
    }
    const id = pathOf(resource);
    let kept = this.#metadata.get(id);
    if (!kept) {
      const ending = new AbortController();
      const signal = AbortSignal.any([this.#parts.signal, ending.signal]);
      const informer = new Informer<KubeObject>({
        ...this.#parts,
        resource,
        selection: { metadataOnly: true },
        signal,
      });
      kept = { informer, ending, holders: 0 };
      this.#metadata.set(id, kept);
    }
    kept.holders += 1;
    void kept.informer.run();
    return kept.informer;
  }

  /** One who asked for the metadata of a kind needs it no more; with the last of them its informer ends. */
  forgetMetadataOf(resource: Resource): void {
    const kept = this.#metadata.get(pathOf(resource));
    if (!kept) return;
    kept.holders -= 1;
    if (kept.holders > 0) return;
    kept.ending.abort();
    this.#metadata.delete(pathOf(resource));
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

/** The path of a kind, and what is chosen of it. */
function idOf(resource: Resource): string {
  const { namespace, labelSelector, fieldSelector } = resource.only ?? {};
  const chosen = Object.entries({ labelSelector, fieldSelector }).flatMap(([name, text]) =>
    text ? `${name}=${text}` : [],
  );
  const path = pathOf(resource, namespace ? { namespace } : {});
  return chosen.length > 0 ? `${path}?${chosen.join('&')}` : path;
}
