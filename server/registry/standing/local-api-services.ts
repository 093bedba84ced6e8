import type { Ids } from '../../base/ids.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Clock } from '../../base/time/clock.ts';
import { formatTime } from '../../base/time/clock.ts';
import type { Cancel, Timers } from '../../base/time/timers.ts';
import { WorkQueue } from '../../base/turns/work-queue.ts';
import { availableLocally } from '../../kinds/apiregistration/api-service.ts';
import { ownEntry } from '../../patch/apply/own-entry.ts';
import { follow } from '../../store/follow.ts';
import { nameIn, objectKey } from '../../store/object-keys.ts';
import { KeyExistsError, KeyMissingError, type Store, type Subscription } from '../../store/store.ts';
import type { ListedResource } from '../resources.ts';

const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const label = 'kube-aggregator.kubernetes.io/automanaged';

/** `groupPriorityMinimum` of each group, and the `versionPriority` of its versions. */
const priorities: Readonly<Record<string, readonly [number, Readonly<Record<string, number>>]>> = {
  '': [18_000, { v1: 1 }],
  apps: [17_800, { v1: 15 }],
  'events.k8s.io': [17_750, { v1: 15 }],
  'authentication.k8s.io': [17_700, { v1: 15 }],
  'authorization.k8s.io': [17_600, { v1: 15 }],
  autoscaling: [17_500, { v1: 15, v2: 30, v2beta2: 1 }],
  batch: [17_400, { v1: 15 }],
  'certificates.k8s.io': [17_300, { v1: 15 }],
  'networking.k8s.io': [17_200, { v1: 15 }],
  policy: [17_100, { v1: 15 }],
  'rbac.authorization.k8s.io': [17_000, { v1: 15 }],
  'storage.k8s.io': [16_800, { v1: 15, v1beta1: 9 }],
  'admissionregistration.k8s.io': [16_700, { v1: 15 }],
  'apiextensions.k8s.io': [16_700, { v1: 15 }],
  'scheduling.k8s.io': [16_600, { v1: 15 }],
  'coordination.k8s.io': [16_500, { v1: 15 }],
  'node.k8s.io': [16_300, { v1: 15 }],
  'discovery.k8s.io': [16_200, { v1: 15 }],
  'flowcontrol.apiserver.k8s.io': [16_100, { v1beta1: 12, v1beta2: 15 }],
};

const labelsSet = { 'f:metadata': { 'f:labels': { '.': {}, [`f:${label}`]: {} } } };
const specSet = { 'f:groupPriorityMinimum': {}, 'f:version': {}, 'f:versionPriority': {} };
/** What the server sets of them. */
const fields = { ...labelsSet, 'f:spec': { 'f:group': {}, ...specSet } };
const fieldsWithoutGroup = { ...labelsSet, 'f:spec': specSet };
const customPriorities = [1000, 100] as const;

interface Wanted {
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: {
    readonly group?: string;
    readonly version: string;
    readonly groupPriorityMinimum: number;
    readonly versionPriority: number;
  };
}

/** The APIServices for what is served here, by name. Groups without a priority (that of APIServices itself) have none. */
export function localApiServices(
  served: Iterable<Pick<ListedResource, 'group' | 'served' | 'custom'>>,
): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { group, served: shown, custom } of served) {
    const { version } = shown;
    const [groupPriorityMinimum, versionPriority] = custom
      ? customPriorities
      : [priorities[group]?.[0], priorities[group]?.[1][version]];
    const name = `${version}.${group}`;
    if (groupPriorityMinimum === undefined || versionPriority === undefined || wanted.has(name)) continue;
    wanted.set(name, {
      labels: { [label]: custom ? 'true' : 'onstart' },
      spec: { ...(group && { group }), version, groupPriorityMinimum, versionPriority },
    });
  }
  return wanted;
}

export interface LocalApiServicesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  /** A step failed and will be tried again. */
  report(error: unknown): void;
}

/**
 * How long one of a custom group that is not served here is left: another server, which has heard of its definition before
 * this one, or has not heard yet that it is gone, would only make it again.
 */
const strayFor = 60_000;

/**
 * Keeps an APIService stored for each group and version that the server serves, anew when one is deleted. Those of
 * custom resources go with their definitions; one that somebody else made is left as it is. Several servers may do this on
 * one store, each as late as it may be in hearing of definitions.
 */
export class LocalApiServices {
  readonly #options: LocalApiServicesOptions;
  readonly #queue: WorkQueue;
  readonly #stored = new Map<string, KubeObject>();
  /** Those that are to go: what they stand for was served here until now, or was not for long. */
  readonly #leaving = new Set<string>();
  readonly #strays = new Map<string, Cancel>();
  #wanted: ReturnType<typeof localApiServices> = new Map();
  #subscription: Subscription | undefined;

  constructor(options: LocalApiServicesOptions) {
    this.#options = options;
    this.#queue = new WorkQueue((name) => this.#reconcile(name), options.timers, options.report);
  }

  /** Resolves when all that is served has its object. */
  async start(served: Iterable<ListedResource>): Promise<void> {
    this.#subscription = await follow(this.#options.store, apiServices, {
      each: ({ key, current }) => {
        const name = nameIn(key);
        if (current) this.#stored.set(name, current.value);
        else this.#stored.delete(name);
        this.#queue.add(name);
      },
    });
    this.#wanted = localApiServices(served);
    // Side by side, where each has to reach a disk; the queue is for what comes later.
    await Promise.all([...this.#wanted.keys()].map((name) => this.#reconcile(name)));
    await this.#queue.idle();
  }

  /** What is served from now on. */
  serve(served: Iterable<ListedResource>): void {
    const before = this.#wanted;
    this.#wanted = localApiServices(served);
    for (const name of before.keys()) if (!this.#wanted.has(name)) this.#leave(name);
    for (const name of this.#wanted.keys()) {
      this.#stay(name);
      if (!this.#stored.has(name)) this.#queue.add(name);
    }
  }

  async stop(): Promise<void> {
    this.#subscription?.stop();
    for (const cancel of this.#strays.values()) cancel();
    await this.#queue.stop();
  }

  #leave(name: string): void {
    this.#leaving.add(name);
    this.#queue.add(name);
  }

  #stay(name: string): void {
    this.#leaving.delete(name);
    this.#strays.get(name)?.();
    this.#strays.delete(name);
  }

  async #reconcile(name: string): Promise<void> {
    const wanted = this.#wanted.get(name);
    const stored = this.#stored.get(name);
    const key = objectKey(apiServices, '', name);
    try {
      if (wanted && !stored) await this.#options.store.create(key, this.#make(name, wanted));
      else if (!wanted && stored && isOfCustoms(stored)) await this.#remove(name, key, stored);
      else this.#stay(name);
    } catch (error) {
      if (!(error instanceof KeyExistsError || error instanceof KeyMissingError)) throw error;
    }
  }

  async #remove(name: string, key: string, { metadata: { uid } }: KubeObject): Promise<void> {
    if (this.#leaving.has(name)) {
      // Another server may have made a new one, of a definition that this one has not heard of yet.
      const isIt = (value: KubeObject) => value.metadata.uid === uid && isOfCustoms(value);
      await this.#options.store.update(key, ({ value }) => (isIt(value) ? { remove: true } : { keep: true }));
      this.#stay(name);
    } else if (!this.#strays.has(name)) {
      this.#strays.set(
        name,
        this.#options.timers.after(strayFor, () => this.#leave(name)),
      );
    }
  }

  #make(name: string, { labels, spec }: Wanted): KubeObject {
    const { clock, ids } = this.#options;
    const now = clock.now();
    const apiVersion = 'apiregistration.k8s.io/v1';
    const managedFields = [ownEntry(apiVersion, spec.group ? fields : fieldsWithoutGroup, now)];
    return {
      kind: 'APIService',
      apiVersion,
      metadata: { name, uid: ids.uid(), creationTimestamp: formatTime(now), labels: { ...labels }, managedFields },
      spec,
      status: availableLocally(now),
    };
  }
}

const isOfCustoms = ({ metadata }: KubeObject) => metadata.labels?.[label] === 'true';
