import { isConflict } from './api-error.ts';
import type { Cache } from './cache.ts';
import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import type { Loop, Read, Write } from './controller.ts';
import type { EventRecorder } from './events.ts';
import type { Informers } from './informers.ts';
import type { KubeObject } from './kube-object.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
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
}

/** A loop tied to its informers. */
export interface RunningLoop {
  /** Begins to work as soon as everything it reads has been listed; resolves then. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when the work that runs has ended. */
  stop(): Promise<void>;
}

/** How often every object is looked at even if nothing seems to have changed, in milliseconds. */
const resyncEvery = 36_000_000;

/** Ties a loop to its informers. */
export function prepareLoop(loop: Loop, surroundings: Surroundings): RunningLoop {
  const { informers, client, clock, log, events, metrics } = surroundings;
  const caches = new Map<Resource, Cache<KubeObject>>();
  const listed: Promise<void>[] = [];
  for (const resource of [...loop.watches.map(({ resource }) => resource), ...(loop.reads ?? [])]) {
    const { cache, synced } = informers.of(resource);
    caches.set(resource, cache);
    listed.push(synced);
  }
  for (const { resource, name, of } of loop.indexes ?? []) caches.get(resource)?.addIndex(name, of);
  const read: Read = (resource) => {
    const cache = caches.get(resource);
    if (!cache) throw new Error(`${loop.name} reads ${resource.plural} without saying so`);
    return cache as Cache<KubeObject> as never;
  };
  const write: Write = (resource) => new Writer(client, resource, informers.known(resource)?.cache);
  const queue = new WorkQueue({
    clock,
    ...(loop.concurrency && { concurrency: loop.concurrency }),
    onFailure: (key, error) => {
      metrics.count('reconcile_total', { name: loop.name, result: isConflict(error) ? 'conflict' : 'error' });
      // A conflict only says that someone else was faster; the next try reads what they wrote.
      if (!isConflict(error)) log.error(`${loop.name} ${key}`, error);
    },
    work: async (key) => {
      const began = clock.now();
      const outcome = await loop.reconcile({ key, read, write, client, events, clock, log });
      metrics.count('reconcile_total', { name: loop.name, result: 'success' });
      metrics.count('reconcile_seconds_total', { name: loop.name }, (clock.now() - began) / 1000);
      return outcome;
    },
  });
  for (const { resource, keys } of loop.watches) {
    caches.get(resource)?.listen(({ object, previous }) => {
      for (const key of keys(object, read)) queue.add(key);
      if (previous) for (const key of keys(previous, read)) queue.add(key);
    });
  }
  for (const seed of loop.seeds ?? []) queue.add(seed);
  metrics.gauge('workqueue_depth', { name: loop.name }, () => queue.depth);
  metrics.gauge('workqueue_adds_total', { name: loop.name }, () => queue.added);
  metrics.gauge('workqueue_retries_total', { name: loop.name }, () => queue.retried);
  const endFeed = loop.feed?.((key) => queue.add(key));
  let endResync = () => {};
  const resyncLater = () => {
    endResync = clock.after(resyncEvery, () => {
      for (const { resource, keys } of loop.watches) {
        for (const object of caches.get(resource)?.all() ?? []) for (const key of keys(object, read)) queue.add(key);
      }
      resyncLater();
    });
  };
  return {
    async start(signal) {
      await Promise.all(listed);
      if (signal.aborted) return;
      queue.start();
      resyncLater();
    },
    async stop() {
      endFeed?.();
      endResync();
      await queue.stop();
    },
  };
}
