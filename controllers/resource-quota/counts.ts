import type { Client } from '../runtime/client.ts';
import type { Clock } from '../runtime/clock.ts';
import { discover, type ServedResource } from '../runtime/discovery.ts';
import type { Informers } from '../runtime/informers.ts';
import { namespaceOf } from '../runtime/kube-object.ts';

interface Parts {
  readonly client: Client;
  readonly informers: Informers;
  readonly clock: Clock;
  /** Called with the namespace in which a count may have changed; with none when that may be anywhere. */
  readonly changed: (namespace?: string) => void;
}

/** How long what discovery said is believed of names that it did not know, in milliseconds; less where a definition says otherwise. */
const askAgainAfter = { unknown: 10_000, defined: 500 };

/** Counts objects of any kind that a quota names. A kind is followed from the first time that one does. */
export class Counts {
  readonly #parts: Parts;
  readonly #followed = new Map<string, ServedResource>();
  #served: ReadonlyMap<string, ServedResource> = new Map();
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many of a kind (`plural` or `plural.group`) a namespace holds; undefined where no such kind is served or listed yet. */
  of(name: string, namespace: string): number | undefined {
    const resource = this.#followed.get(name);
    const informer = resource && this.#parts.informers.metadataOf(resource);
    return informer?.isSynced ? informer.cache.in(namespace).length : undefined;
  }

  /**
   * Begins to follow the kinds of these names that are served.
   * @param isDefined whether a custom resource of this name ought to be served by now
   * @throws ApiError when the server does not say what it serves
   */
  async follow(names: readonly string[], isDefined: (name: string) => boolean): Promise<void> {
    const wanted = names.filter((name) => !this.#followed.has(name));
    const unknown = wanted.filter((name) => !this.#served.has(name));
    if (unknown.length > 0) await this.#ask(unknown.some(isDefined) ? askAgainAfter.defined : askAgainAfter.unknown);
    for (const name of wanted) {
      const resource = this.#served.get(name);
      if (!resource || this.#followed.has(name)) continue;
      this.#followed.set(name, resource);
      const informer = this.#parts.informers.metadataOf(resource);
      informer.cache.listen(({ type, object }) => {
        if (type !== 'updated') this.#parts.changed(namespaceOf(object));
      });
      void informer.synced.then(() => this.#parts.changed());
    }
  }

  async #ask(after: number): Promise<void> {
    const { client, clock } = this.#parts;
    if (clock.now() - this.#askedAt < after) return;
    this.#askedAt = clock.now();
    const { resources } = await discover(client);
    const countable = resources.filter(
      ({ namespaced, verbs }) => namespaced && verbs.has('list') && verbs.has('watch'),
    );
    this.#served = new Map(countable.map((each) => [each.group ? `${each.plural}.${each.group}` : each.plural, each]));
  }
}
