import { deepEqual } from '../base/deep-equal.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Timers } from '../base/time/timers.ts';
import { WorkQueue } from '../base/turns/work-queue.ts';
import { follow } from '../store/follow.ts';
import type { StoredKind } from '../store/object-keys.ts';
import type { Store, Subscription } from '../store/store.ts';
import { type Cleaning, ignoreMissing, startCleaning } from './cleanup.ts';
import type { ConvertObject } from './conversion.ts';
import { type CustomResource, customResources } from './custom-resource.ts';
import { isServed, isTerminating, nextStatus } from './definition/establish.ts';
import { conditionOf, type Definition, type DefinitionStatus } from './definition-shape.ts';
import { withStatus } from './status-manager.ts';

export interface LifeCycleOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  /** What definitions are stored as. */
  readonly definitions: StoredKind;
  /** How objects of a definition get from one version to another. */
  converterOf(definition: Definition): ConvertObject;
  /** Called with all custom resources whenever they change. Must not throw. */
  publish(resources: readonly CustomResource[]): void;
  /** A step failed and will be tried again. */
  report(error: unknown): void;
}

/** One definition as it stands, and what it serves. */
interface Known {
  /** With the status that follows for it, which may not be stored yet. */
  readonly definition: Definition;
  readonly resources: readonly CustomResource[] | undefined;
  /** Is over once the definition says something else, or is gone. */
  readonly saying: AbortController;
}

/**
 * Follows the definitions in the store. A change counts at once: when the write of a definition has returned, its
 * paths are served. What the status says of it is written afterwards, and the objects of a deleted definition are
 * removed in the background. Several servers may do this on one store.
 */
export class CustomResourceLifeCycle {
  readonly #options: LifeCycleOptions;
  readonly #known = new Map<string, Known>();
  readonly #cleaning = new Map<string, Cleaning>();
  /** What was said until now, by definitions that say something else since. */
  readonly #outdated: AbortController[] = [];
  readonly #queue: WorkQueue;
  #subscription: Subscription | undefined;

  constructor(options: LifeCycleOptions) {
    this.#options = options;
    this.#queue = new WorkQueue((key) => this.#reconcile(key), options.timers, options.report);
  }

  /** Reads all definitions, publishes what they serve, and follows them from then on. */
  async start(): Promise<void> {
    const { store, definitions } = this.#options;
    this.#subscription = await follow(store, definitions, {
      each: ({ key, current }) =>
        this.#known.set(key, {
          definition: current?.value as Definition,
          resources: undefined,
          saying: new AbortController(),
        }),
      listed: () => {
        for (const [key, { definition }] of [...this.#known]) this.#learn(key, definition);
        this.#publish();
      },
      changed: ({ key, current }) => this.#follow(key, current?.value as Definition | undefined),
    });
  }

  async stop(): Promise<void> {
    this.#subscription?.stop();
    for (const cleaning of this.#cleaning.values()) cleaning.stop();
    await this.#queue.stop();
  }

  /** Resolves when everything known is written and cleaned up as far as that can be now. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  #follow(key: string, definition: Definition | undefined): void {
    const group = (definition ?? this.#known.get(key)?.definition)?.spec.group;
    this.#learn(key, definition);
    // A name may have become free for those that wait for one; what is granted stays granted.
    for (const [other, known] of this.#known) {
      const waits = conditionOf(known.definition, 'NamesAccepted')?.status === 'False';
      if (waits && other !== key && known.definition.spec.group === group) this.#learn(other, known.definition);
    }
    this.#publish();
  }

  #learn(key: string, definition: Definition | undefined): void {
    const before = this.#known.get(key);
    if (!definition) {
      this.#known.delete(key);
      this.#forget(key);
      if (before) this.#outdated.push(before.saying);
      return;
    }
    const status = this.#statusOf(key, definition);
    const now = status === definition.status ? definition : { ...definition, status };
    this.#known.set(key, this.#knownOf(now, before));
    if (status !== definition.status || definition.metadata.deletionTimestamp) this.#queue.add(key);
  }

  #knownOf(definition: Definition, before: Known | undefined): Known {
    const same = before !== undefined && saysTheSame(before.definition, definition);
    if (before && !same) this.#outdated.push(before.saying);
    const saying = same ? before.saying : new AbortController();
    const keeps = same && isTerminating(before.definition) === isTerminating(definition);
    const resources = (keeps && before.resources) || this.#resourcesOf(definition, saying.signal);
    return { definition, resources, saying };
  }

  #statusOf(key: string, definition: Definition): DefinitionStatus {
    if (definition.metadata.deletionTimestamp) return definition.status ?? {};
    return nextStatus(definition, this.#othersOf(key, definition.spec.group), this.#options.clock.now());
  }

  #othersOf(key: string, group: string): Definition[] {
    const others: Definition[] = [];
    for (const [other, { definition }] of this.#known) {
      if (other !== key && definition.spec.group === group) others.push(definition);
    }
    return others;
  }

  #resourcesOf(definition: Definition, lasts: AbortSignal): readonly CustomResource[] {
    return isServed(definition) ? customResources(definition, this.#options.converterOf(definition), lasts) : [];
  }

  /** Who has to begin anew finds what is served now. */
  #publish(): void {
    this.#options.publish([...this.#known.values()].flatMap(({ resources = [] }) => resources));
    for (const saying of this.#outdated.splice(0)) saying.abort();
  }

  async #reconcile(key: string): Promise<void> {
    const known = this.#known.get(key);
    if (!known) return;
    if (known.definition.metadata.deletionTimestamp) await this.#clean(key, known.definition);
    else await this.#writeStatus(key);
  }

  async #writeStatus(key: string): Promise<void> {
    const now = this.#options.clock.now();
    const written = this.#options.store.update(key, ({ value }) =>
      withStatus(value as Definition, this.#statusOf(key, value as Definition), now),
    );
    await ignoreMissing(written);
  }

  #forget(key: string): void {
    this.#cleaning.get(key)?.stop();
    this.#cleaning.delete(key);
  }

  async #clean(key: string, definition: Definition): Promise<void> {
    let cleaning = this.#cleaning.get(key);
    if (!cleaning || cleaning.uid !== definition.metadata.uid) {
      cleaning?.stop();
      cleaning = await startCleaning({ ...this.#options, definition, key, again: () => this.#queue.add(key) });
      this.#cleaning.set(key, cleaning);
    }
    await cleaning.run();
    // Another server may have been faster.
    if (!this.#known.has(key)) this.#forget(key);
  }
}

/** Whether nothing changed that its objects are shown by. */
const saysTheSame = (one: Definition, other: Definition): boolean =>
  one.metadata.uid === other.metadata.uid &&
  isServed(one) === isServed(other) &&
  deepEqual(one.spec, other.spec) &&
  deepEqual(one.status?.acceptedNames, other.status?.acceptedNames);
