/** One object at one moment: what identifies it, and what a client wrote into it. */
export interface Sighting {
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  /** What the last write that it carries was called; each write has a name of its own. */
  readonly write: string;
}

/** A write, from when it was sent until its answer was read. Times are of one clock, in milliseconds. */
export interface Write {
  readonly kind: 'create' | 'update' | 'delete';
  readonly began: number;
  readonly ended: number;
  readonly name: string;
  /** The name of the write, which it puts into the object. */
  readonly write: string;
  /** The version that an update or a deletion was bound to; absent when it was bound to none. */
  readonly onVersion?: string;
  /** `lost` when no answer came: it may have happened or not. */
  readonly outcome: 'done' | 'refused' | 'lost';
  /** What the answer showed. */
  readonly seen?: Sighting;
}

/** A list, or a single read as a list of one name. */
export interface Reading {
  readonly began: number;
  readonly ended: number;
  /** The version of the whole; absent for a single read. */
  readonly version?: string;
  /** Whom a single read asked for; without items it is not there. */
  readonly name?: string;
  readonly items: readonly Sighting[];
}

export interface Told {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Sighting;
}

/** What one watcher was told, from the version it began at. */
export interface Watching {
  readonly name: string;
  /** The list it began from: its version and what was there. */
  readonly from: { readonly version: string; readonly items: readonly Sighting[] };
  /** When the answer with that list had come; absent where that is not known. */
  readonly began?: number;
  readonly told: readonly Told[];
  /** Whether it was still open when the last write was done, and heard all that was sent. */
  readonly toTheEnd: boolean;
}

/** All calls and watches of several clients on one collection. */
export interface History {
  readonly writes: readonly Write[];
  readonly readings: readonly Reading[];
  readonly watchings: readonly Watching[];
  /** What was there when all was over. */
  readonly final: { readonly version: string; readonly items: readonly Sighting[] };
}

/** A promise that a history breaks. */
export interface Violation {
  /** The name of the promise. */
  readonly promise: string;
  /** What happened, with the names and versions that show it. */
  readonly what: string;
}
