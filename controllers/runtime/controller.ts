import type { Backoff } from './backoff.ts';
import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import type { EventRecorder } from './events.ts';
import type { Lister } from './informer/cache.ts';
import { controllerOf, type KubeObject, keyFor, keyOf, namespaceOf } from './kube-object.ts';
import type { Log } from './log.ts';
import type { Resource } from './resources.ts';
import type { Writer } from './writer.ts';

/** Reads what the informers have: only kinds that the loop watches or says it reads. */
export type Read = <T extends KubeObject>(resource: Resource<T>) => Lister<T>;
/** Writes, and lets the cache know. */
export type Write = <T extends KubeObject>(resource: Resource<T>) => Writer<T>;

/** What a reconciler gets: a name, and everything to look around and act with. */
export interface Request {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly read: Read;
  readonly write: Write;
  /** For what no cache holds and what no kind's own verbs do: subresources, reviews, discovery. */
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Says which loop and which key speak. */
  readonly log: Log;
  /** Aborted when no more may be written; for waits and calls of one's own, since `write` and `client` know already. */
  readonly signal: AbortSignal;
}

/** Milliseconds after which to look again, or nothing: then only a change brings the key back. */
export type Outcome = number | undefined;

/**
 * Makes the world a little more like what one object asks for. It may run at any time, again, and after a crash anywhere
 * in an earlier run; so it decides by what is there and never by what happened. What it throws is logged and tried again.
 */
export type Reconciler = (request: Request) => Promise<Outcome>;

/** Which keys need work when an object of a kind has changed. */
export interface Watching {
  readonly resource: Resource;
  readonly keys: (object: KubeObject, read: Read) => readonly string[];
  /** Whether an object that is another one now than before brings keys. Missing: each does. */
  readonly matters?: (object: KubeObject, previous: KubeObject) => boolean;
}

/** A queue of keys, what fills it, and what works on it. Most controllers are one loop. */
export interface Loop {
  readonly name: string;
  readonly watches: readonly Watching[];
  /** Kinds that are read and bring no keys. */
  readonly reads?: readonly Resource[];
  /** Keys to begin with, whether or not there is an object. */
  readonly seeds?: readonly string[];
  /** Brings keys from elsewhere than an informer. Called once, at the start; what it returns is called at the end. */
  readonly feed?: (add: (key: string) => void) => () => void;
  /** Additional indexes of kinds that are watched or read. */
  readonly indexes?: readonly Index[];
  readonly concurrency?: number;
  /** How long a key waits that failed. Missing: from 5 milliseconds to 5 minutes. */
  readonly backoff?: Backoff;
  /** What it cannot work on yet, beside the kinds it watches and reads, for whoever asks whether it is ready. */
  readonly waiting?: () => readonly string[];
  readonly reconcile: Reconciler;
}

export interface Index {
  readonly resource: Resource;
  readonly name: string;
  readonly of: (object: KubeObject) => readonly string[];
}

/** Objects of this kind are worked on under their own key. */
export const itself = <T extends KubeObject>(
  resource: Resource<T>,
  only: (object: T) => boolean = () => true,
): Watching => ({
  resource,
  keys: (object) => (only(object as T) ? [keyOf(object)] : []),
});

/** A change of an object of this kind brings the object that manages it, if that is of kind `kind`. */
export const managerOf = (resource: Resource, kind: string): Watching => ({
  resource,
  keys: (object) => {
    const owner = controllerOf(object);
    return owner?.kind === kind ? [keyFor(namespaceOf(object), owner.name)] : [];
  },
});

/** A change of an object of this kind brings whatever keys the function finds. */
export const bringing = <T extends KubeObject>(
  resource: Resource<T>,
  keys: (object: T, read: Read) => readonly string[],
): Watching => ({ resource, keys: (object, read) => keys(object as T, read) });

/** An index of objects of a kind by the texts that the function gives for each. */
export const indexBy = <T extends KubeObject>(
  resource: Resource<T>,
  name: string,
  of: (object: T) => readonly string[],
): Index => ({
  resource,
  name,
  of: (object) => of(object as T),
});
