import { isNamespaceTerminating, isNotFound } from './api-error.ts';
import { TokenBucket } from './backoff.ts';
import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { counted, type EventForm } from './event-forms.ts';
import { EventNames } from './event-names.ts';
import { type KubeObject, nameOf, namespaceOf, uidOf, versionOf } from './kube-object.ts';
import type { Log } from './log.ts';
import { type CoreEvent, events } from './resources.ts';

/** What an event says. */
export interface Note {
  /** Normal unless something is wrong. */
  readonly type?: 'Normal' | 'Warning';
  /** One word in camel case: why. */
  readonly reason: string;
  /** What was being done. */
  readonly action: string;
  readonly note: string;
  /** Which part of the object it is about, such as `spec.containers{main}`, if not all of it. */
  readonly fieldPath?: string;
}

/** Tells people what happened to an object. Never fails and never waits: events are for reading, not for deciding. */
export interface EventRecorder {
  record(regarding: KubeObject, note: Note): void;
}

/** Repetitions within so many milliseconds are one series. */
const seriesGap = 360_000;
/** How many different events are remembered for series. */
const remembered = 1_000;
/** An object may have so many events at once, and so many a second afterwards. */
const perObject = { most: 25, perSecond: 1 / 300 };
/** The longest note in bytes. */
const longestNote = 1_024;

interface Series {
  readonly namespace: string;
  readonly name: string;
  count: number;
  last: number;
  /** The write that runs; later counts wait for it and go together. */
  writing: Promise<void> | undefined;
  written: number;
}

interface Parts {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  /** Such as `job-controller`. */
  readonly controller: string;
  /** Which of its processes. */
  readonly instance: string;
  /** Missing: counted, from nowhere in particular. */
  readonly form?: EventForm;
}

/**
 * Writes events of the core group, as stock controllers do: people and their tools sort by `lastTimestamp`, which only these
 * may have. The same event again is told in the one that is there instead of making another.
 */
export class ApiEventRecorder implements EventRecorder {
  readonly #parts: Parts;
  readonly #form: EventForm;
  readonly #names: EventNames;
  readonly #series = new Map<string, Series>();
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#form = parts.form ?? counted();
    this.#names = new EventNames(`${parts.controller} ${parts.instance}`);
  }

  record(regarding: KubeObject, note: Note): void {
    const now = this.#parts.clock.now();
    const id = JSON.stringify([uidOf(regarding), note.type, note.reason, note.action, note.note, note.fieldPath]);
    const series = this.#series.get(id);
    if (series && now - series.last < seriesGap) {
      series.count += 1;
      series.last = now;
      this.#again(series);
      return;
    }
    if (!this.#mayTell(uidOf(regarding), now)) return;
    const event = this.#eventFor(regarding, note, now);
    const { name = '', namespace = '' } = event.metadata ?? {};
    const begun: Series = { namespace, name, count: 1, last: now, writing: undefined, written: 1 };
    remember(this.#series, id, begun);
    begun.writing = this.#try(async () => {
      await this.#parts.client.create(events, event, { namespace });
    }).finally(() => {
      begun.writing = undefined;
      this.#again(begun);
    });
  }

  /** Resolves when everything recorded so far has been written or has failed. */
  async flush(): Promise<void> {
    for (const series of this.#series.values()) while (series.writing) await series.writing;
  }

  #mayTell(uid: string, now: number): boolean {
    const bucket = this.#buckets.get(uid) ?? new TokenBucket(perObject.perSecond, perObject.most, now);
    remember(this.#buckets, uid, bucket);
    return bucket.tryTake(now);
  }

  #again(series: Series): void {
    if (series.writing || series.written === series.count) return;
    const { count, last, namespace, name } = series;
    series.written = count;
    series.writing = this.#try(async () => {
      await this.#parts.client.patch(events, { namespace, name }, this.#form.again(count, last));
    }).finally(() => {
      series.writing = undefined;
      this.#again(series);
    });
  }

  async #try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      // Of what goes with its namespace nobody reads.
      if (!isNotFound(error) && !isNamespaceTerminating(error)) this.#parts.log.error('event not written', error);
    }
  }

  #eventFor(regarding: KubeObject, { type = 'Normal', reason, action, note, fieldPath }: Note, now: number): CoreEvent {
    const namespace = namespaceOf(regarding) || 'default';
    const { controller: component, instance } = this.#parts;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name: this.#names.next(nameOf(regarding), now) },
      ...this.#form.first({ regarding, now, component, instance }),
      action,
      reason,
      type,
      message: note.slice(0, longestNote / 4),
      involvedObject: { ...referenceTo(regarding), ...(fieldPath && { fieldPath }) },
    };
  }
}

const referenceTo = (object: KubeObject): CoreEvent['involvedObject'] => ({
  ...(object.apiVersion && { apiVersion: object.apiVersion }),
  ...(object.kind && { kind: object.kind }),
  name: nameOf(object),
  namespace: namespaceOf(object),
  uid: uidOf(object),
  resourceVersion: versionOf(object),
});

/** Puts an entry last, and drops the first when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > remembered) map.delete(map.keys().next().value ?? '');
}
