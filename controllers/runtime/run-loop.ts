import { isConflict } from './api-error.ts';
import type { Client } from './client.ts';
import type { Cancel, Clock } from './clock.ts';
import type { Loop, Read, Watching, Write } from './controller.ts';
import type { EventRecorder } from './events.ts';
import type { Cache, Change } from './informer/cache.ts';
import type { Informers } from './informer/informers.ts';
import { type KubeObject, keyOf } from './kube-object.ts';
import { type Log, named } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { PodNetwork } from './pods/pod-network.ts';
import type { Resource } from './resources.ts';
import { WorkQueue } from './work-queue.ts';
import { Writer } from './writer.ts';

/** What all loops of a process share. */
export interface Surroundings {
  readonly client: Client;
  readonly informers: Informers;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly podNetwork: PodNetwork;
  /** Aborted when no more may be written: at the end, or when a lease is lost. */
  readonly signal: AbortSignal;
}

/** A loop tied to its informers. */
export interface RunningLoop {
  /** What it cannot work on yet, beside what its informers wait for. */
  waiting(): readonly string[];
  /** Begins to work as soon as everything it reads has been listed; resolves then. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when the work that runs has ended. */
  stop(): Promise<void>;
}

/** How often every object is looked at even if nothing seems to have changed, in milliseconds. */
const resyncEvery = 36_000_000;

/** Ties a loop to its informers. */
export function prepareLoop(loop: Loop, surroundings: Surroundings): RunningLoop {
  const { informers, client, clock, metrics } = surroundings;
  const { caches, listed } = cachesFor(loop, surroundings);
  const read = readFrom(loop, caches);
  const write: Write = (resource) => new Writer(client, resource, informers.known(resource)?.cache);
  const queue = queueFor(loop, { read, write }, surroundings);
  const addKeys = (keys: readonly string[]) => {
    for (const key of keys) queue.add(key);
  };
  const sources = sourcesOf(loop, surroundings, { caches, read });
  sources.onChange(addKeys);
  addKeys(loop.seeds ?? []);
  tellOf(queue, loop.name, metrics);
  const endFeed = loop.feed?.((key) => queue.add(key));
  let endResync = () => {};
  return {
    waiting: () => loop.waiting?.() ?? [],
    async start(signal) {
      await Promise.all(listed);
      if (signal.aborted) return;
      queue.start();
      endResync = again(clock, resyncEvery, () => sources.all(addKeys));
    },
    async stop() {
      endFeed?.();
      endResync();
      await queue.stop();
    },
  };
}

type Caches = ReadonlyMap<Resource, Cache<KubeObject>>;
type TakeKeys = (keys: readonly string[]) => void;

/** What brings keys: changes of what a loop watches, and all that there is of it. */
function sourcesOf(loop: Loop, surroundings: Surroundings, { caches, read }: { caches: Caches; read: Read }) {
  const guarded = guardOf(loop, surroundings);
  return {
    onChange(take: TakeKeys): void {
      for (const watching of loop.watches)
        caches
          .get(watching.resource)
          ?.listen((change) => take(guarded(change.object, () => keysOf(watching, change, read))));
    },
    all(take: TakeKeys): void {
      for (const { resource, keys } of loop.watches)
        for (const object of caches.get(resource)?.all() ?? []) take(guarded(object, () => keys(object, read)));
    },
  };
}

/** Of what an object is and was; none where the change does not matter. */
function keysOf({ keys, matters }: Watching, { object, previous }: Change<KubeObject>, read: Read): readonly string[] {
  if (!previous) return keys(object, read);
  if (matters && !matters(object, previous)) return [];
  return [...keys(object, read), ...keys(previous, read)];
}

type Guard = (object: KubeObject, find: () => readonly string[]) => readonly string[];

/**
 * Finds texts about an object by a function of a loop's own. Where that fails there are none, and the log says so: all who look
 * at a kind hear of its changes one after the other, and nobody may keep the next one from hearing.
 */
const guardOf =
  ({ name }: Loop, { log }: Surroundings): Guard =>
  (object, find) => {
    try {
      return find();
    } catch (error) {
      log.error(`${name}: a change of ${object.kind ?? ''} ${keyOf(object)} brings nothing`, error);
      return [];
    }
  };

/** Copies of what a loop watches and reads. `listed`: each has all that there is. */
function cachesFor(loop: Loop, surroundings: Surroundings) {
  const { informers } = surroundings;
  const guarded = guardOf(loop, surroundings);
  const caches = new Map<Resource, Cache<KubeObject>>();
  const listed: Promise<void>[] = [];
  for (const resource of [...loop.watches.map(({ resource }) => resource), ...(loop.reads ?? [])]) {
    const { cache, synced } = informers.of(resource);
    caches.set(resource, cache);
    listed.push(synced);
  }
  for (const { resource, name, of } of loop.indexes ?? [])
    caches.get(resource)?.addIndex(name, (object) => guarded(object, () => of(object)));
  return { caches, listed };
}

/** A loop reads only what it says it reads, since only that is listed before it begins. */
function readFrom({ name }: Loop, caches: Caches): Read {
  return (resource) => {
    const cache = caches.get(resource);
    if (!cache) throw new Error(`${name} reads ${resource.plural} without saying so`);
    return cache as Cache<KubeObject> as never;
  };
}

function queueFor(
  loop: Loop,
  access: { readonly read: Read; readonly write: Write },
  surroundings: Surroundings,
): WorkQueue {
  const { client, clock, log, events, metrics, signal } = surroundings;
  const { name, concurrency = 1, backoff, reconcile } = loop;
  return new WorkQueue({
    clock,
    concurrency,
    ...(backoff && { backoff }),
    onFailure: (key, error) => {
      metrics.count('reconcile_total', { name, result: isConflict(error) ? 'conflict' : 'error' });
      // A conflict only says that someone else was faster; the next try reads what they wrote.
      if (!isConflict(error)) log.error(`${name} ${key}`, error);
    },
    work: async (key) => {
      const began = clock.now();
      const outcome = await reconcile({
        key,
        ...access,
        client,
        events,
        clock,
        signal,
        log: named(log, `${name} ${key}`),
      });
      metrics.count('reconcile_total', { name, result: 'success' });
      metrics.count('reconcile_seconds_total', { name }, (clock.now() - began) / 1000);
      return outcome;
    },
  });
}

function tellOf(queue: WorkQueue, name: string, metrics: Metrics): void {
  metrics.gauge('workqueue_depth', { name }, () => queue.depth);
  metrics.total('workqueue_adds_total', { name }, () => queue.added);
  metrics.total('workqueue_retries_total', { name }, () => queue.retried);
}

/** Calls back again and again. Answers what ends that. */
function again(clock: Clock, milliseconds: number, callback: () => void): Cancel {
  let cancel: Cancel = () => {};
  const next = () => {
    cancel = clock.after(milliseconds, () => {
      callback();
      next();
    });
  };
  next();
  return () => cancel();
}
