import type { Client } from '../runtime/client.ts';
import type { Clock } from '../runtime/clock.ts';
import { discover, type ServedResource } from '../runtime/discovery.ts';
import type { Informer } from '../runtime/informer/informer.ts';
import type { Informers } from '../runtime/informer/informers.ts';
import { type KubeObject, namespaceOf } from '../runtime/kube-object.ts';

interface Parts {
  readonly client: Client;
  readonly informers: Informers;
  readonly clock: Clock;
  /** Called with the namespace in which a count may have changed; with none when that may be anywhere. */
  readonly changed: (namespace?: string) => void;
}

/** How long what discovery said is believed of names that it did not know, in milliseconds; less where a definition says otherwise. */
const askAgainAfter = { unknown: 10_000, defined: 500 };

/** A custom kind as its definition has it now. */
export interface Defined {
  /** Another where the kind was defined again, or is served in other versions. */
  readonly id: string;
  readonly versions: readonly string[];
}

interface Followed {
  readonly resource: ServedResource;
  readonly informer: Informer<KubeObject>;
  /** By which definition. */
  readonly definition: string | undefined;
}

/** Counts objects of any kind that a quota names. A kind is followed from the first time that one does. */
export class Counts {
  readonly #parts: Parts;
  readonly #followed = new Map<string, Followed>();
  #served = new Map<string, ServedResource>();
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many of a kind (`plural` or `plural.group`) a namespace holds; undefined where no such kind is served or listed yet. */
  of(name: string, namespace: string): number | undefined {
    const informer = this.#followed.get(name)?.informer;
    return informer?.isSynced ? informer.cache.in(namespace).length : undefined;
  }

  /**
   * Begins to follow the kinds of these names that are served.
   * @param definitionOf the definition by which a custom resource of this name ought to be served by now
   * @throws ApiError when the server does not say what it serves
   */
  async follow(names: readonly string[], definitionOf: (name: string) => Defined | undefined): Promise<void> {
    for (const name of names) if (this.#followed.get(name)?.definition !== definitionOf(name)?.id) this.#forget(name);
    const unknown = names.filter((name) => !this.#served.has(name));
    if (unknown.length > 0) await this.#ask(unknown.some(definitionOf) ? askAgainAfter.defined : askAgainAfter.unknown);
    for (const name of names) {
      const resource = this.#served.get(name);
      if (!resource || this.#followed.has(name)) continue;
      const definition = definitionOf(name);
      // What the server says may be older than the definition.
      if (definition && !definition.versions.includes(resource.version)) this.#served.delete(name);
      else this.#begin(name, resource, definition);
    }
  }

  /** Follows no kinds any more but these: of one whose type is gone it would be asked for ever. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#followed.keys()) if (!names.has(name)) this.#forget(name);
  }

  #begin(name: string, resource: ServedResource, definition: Defined | undefined): void {
    const informer = this.#parts.informers.metadataOf(resource);
    this.#followed.set(name, { resource, informer, definition: definition?.id });
    informer.cache.listen(({ type, object }) => {
      if (type !== 'updated') this.#parts.changed(namespaceOf(object));
    });
    void informer.synced.then(() => this.#parts.changed());
  }

  #forget(name: string): void {
    const followed = this.#followed.get(name);
    if (followed) this.#parts.informers.forgetMetadataOf(followed.resource);
    this.#followed.delete(name);
    this.#served.delete(name);
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
