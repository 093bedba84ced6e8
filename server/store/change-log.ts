import type { Stored, StoreEvent } from './store.ts';
import { withRevision } from './stored-value.ts';

/** What one committed write did; see StoreEvent. */
export class ChangeEvent implements StoreEvent {
  readonly key: string;
  readonly revision: number;
  readonly previous: Stored | undefined;
  readonly current: Stored | undefined;
  #removed: Stored | undefined;

  constructor(key: string, revision: number, previous: Stored | undefined, current: Stored | undefined) {
    this.key = key;
    this.revision = revision;
    this.previous = previous;
    this.current = current;
  }

  get removed(): Stored | undefined {
    if (this.previous && !this.current) this.#removed ??= withRevision(this.previous, this.revision);
    return this.#removed;
  }
}

/** The held changes, one a revision without a gap, so that a revision says where its event stands. */
export class ChangeLog {
  readonly #events: StoreEvent[] = [];
  /** The newest revision that is no longer held: neither its state nor the changes after it. */
  #compacted: number;

  constructor(firstRevision: number) {
    this.#compacted = firstRevision - 1;
  }

  get compacted(): number {
    return this.#compacted;
  }

  add(event: StoreEvent): void {
    this.#events.push(event);
  }

  /** The events after the revision, those included that are added while somebody iterates. */
  *after(revision: number): Generator<StoreEvent> {
    for (let next = revision + 1; ; next++) {
      const event = this.#events[next - this.#firstHeld];
      if (!event) return;
      yield event;
    }
  }

  /** Gives up the revisions below `revision`. @returns the events that led to it */
  compact(revision: number): StoreEvent[] {
    if (revision - 1 <= this.#compacted) return [];
    const forgotten = this.#events.splice(0, revision + 1 - this.#firstHeld);
    this.#compacted = revision - 1;
    return forgotten;
  }

  /** Revision of the first event in the log: the oldest state that is held is the one before it. */
  get #firstHeld(): number {
    return this.#compacted + 2;
  }
}
