import type { Stored, StoreEvent } from './store.ts';
import { withRevision } from './stored-value.ts';

/** What one committed write did; see StoreEvent. */
export class ChangeEvent implements StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly previous: Stored | undefined;
  readonly current: Stored | undefined;
  /** What the version takes that was replaced or removed, in JSON. */
  readonly pastBytes: number;
  #removed: Stored | undefined;

  constructor(key: string, revision: number, previous: Stored | undefined, current: Stored | undefined) {
    this.key = key;
    this.revision = revision;
    this.previous = previous;
    this.current = current;
    this.pastBytes = previous ? (previous.text?.length ?? previous.line.length - 1) : 0;
  }

  get removed(): Stored | undefined {
    if (this.previous && !this.current) this.#removed ??= withRevision(this.previous, this.revision);
    return this.#removed;
  }
}

/** The held changes in the order of their revisions. One revision may have several, or none. */
export class ChangeLog {
  #events: ChangeEvent[] = [];
  /** What the versions take that were replaced or removed, in JSON. */
  #bytes = 0;
  /** How many changes were forgotten: the number of the first held one. */
  #forgotten = 0;
  /** The newest revision that is no longer held: neither its state nor the changes after it. */
  #compacted: number;

  constructor(firstRevision: number) {
    this.#compacted = firstRevision - 1;
  }

  get compacted(): number {
    return this.#compacted;
  }

  /** @returns how many bytes are held for the sake of the past alone, now */
  add(event: ChangeEvent): number {
    this.#events.push(event);
    this.#bytes += event.pastBytes;
    return this.#bytes;
  }

  /** The first revision whose compaction leaves at most so many bytes of the past. */
  revisionLeaving(bytes: number): number {
    let left = this.#bytes;
    for (const event of this.#events) {
      left -= event.pastBytes;
      if (left <= bytes) return event.revision;
    }
    return this.#compacted + 1;
  }

  /** The events after the revision, those included that are added while somebody iterates. */
  *after(revision: number): Generator<ChangeEvent> {
    for (let number = this.#forgotten + this.#indexAfter(revision); ; number++) {
      const event = this.#events[number - this.#forgotten];
      if (!event) return;
      yield event;
    }
  }

  /** Gives up the revisions below `revision`. @returns the events that led to it */
  compact(revision: number): ChangeEvent[] {
    if (revision - 1 <= this.#compacted) return [];
    const forgotten = this.#events.splice(0, this.#indexAfter(revision));
    this.#forgotten += forgotten.length;
    for (const event of forgotten) this.#bytes -= event.pastBytes;
    this.#compacted = revision - 1;
    return forgotten;
  }

  /** Where the first event after the revision stands. */
  #indexAfter(revision: number): number {
    const events = this.#events;
    const last = events.at(-1);
    if (!last || last.revision <= revision) return events.length;
    let low = 0;
    let high = events.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle] as ChangeEvent).revision > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
