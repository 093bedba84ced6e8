import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stored } from '../store.ts';
import type { Entry, State } from '../versions.ts';
import { syncFolder, unfinished } from '../whole-file.ts';
import { ChangesFile, type Spared } from './changes-file.ts';
import { roomOnDisk } from './disk-room.ts';
import { frameSize } from './frame.ts';
import { readState, writeState } from './state-file.ts';

/** What a folder keeps. */
export interface Kept {
  readonly state: State;
  /** What came after the state. */
  readonly changes: readonly Entry[];
  readonly revision: number;
  /** Where further changes are written. */
  readonly file: ChangesFile;
}

const nothing: State = { revision: 1, items: [] };

const stateName = (number: number) => `state-${number}`;
const changesName = (number: number) => `changes-${number}`;
/** Whether it is a file of ours that was not finished; others may keep theirs in the folder. */
const isBegun = (name: string) => name.endsWith(unfinished) && /^(?:state|changes)-\d+\./.test(name);
/** Bytes of further changes after which another try is made at what failed. */
const tryAgainAfter = 1024 * 1024;
const megabyte = 1024 * 1024;
/** Bytes of room beside that for the state: for the file of changes that is begun with it, and for removals until then. */
const besideState = 3 * megabyte;
/** More is not held ready, however large the state. */
const mostReserve = 256 * megabyte;
/** As much of it as a write takes that comes before the rest was taken beside it. */
const mostAtOnce = 8 * megabyte;
/** Bytes that have to come of it before the state is written anew because the disk is full. */
const leastGain = megabyte / 4;

/** What it takes in a file. */
const weightOf = (stored: Stored | undefined): number => (stored ? frameSize(stored) : 0);

/**
 * The files of a folder. `state-7` is all that existed when `changes-7` was begun, which has what came after. When the
 * changes grow large, `changes-8` is begun, then `state-8` written, and then the two of before are removed: whenever the
 * process ends, there are a state and all changes after it. Before the first state was written, it is empty.
 *
 * So that this can be done on a full disk, the file of changes keeps room for the next state behind its end: who makes
 * something is refused before that is used, and who removes something is not.
 */
export class Generations {
  readonly #folder: string;
  readonly #turnOverAt: number;
  /** Number of the newest changes. */
  #number = 1;
  #stateSize = 0;
  /** Bytes in files of changes before the present one, which are there until a state is written. */
  #older = 0;
  /** What the objects of the state would take if it were written now. */
  #live = 0;
  /** What the state takes that is being written. */
  #owed = 0;
  /** Size of the changes before which no new file is begun. */
  #notBefore = 0;
  #writing: Promise<void> | undefined;
  #reserving: Promise<void> | undefined;

  constructor(folder: string, turnOverAt: number) {
    this.#folder = folder;
    this.#turnOverAt = turnOverAt;
  }

  /** @throws DamagedFileError; Error when a file is missing */
  load(): Kept {
    for (const name of readdirSync(this.#folder)) if (isBegun(name)) rmSync(this.#path(name));
    const states = this.#numbers('state');
    const begun = this.#numbers('changes');
    const first = states.at(-1) ?? 1;
    const state = states.length > 0 ? this.#readState(first) : nothing;
    this.#number = Math.max(first, ...begun);
    if (begun.length === 0 && states.length === 0) {
      const file = ChangesFile.create(this.#path(changesName(1)));
      syncFolder(this.#folder);
      return { state, changes: [], revision: state.revision, file };
    }
    return this.#withChanges(state, first);
  }

  /** What a folder without any begins with. */
  async writeFirst(state: State): Promise<void> {
    await writeState(this.#path(stateName(this.#number)), state);
    syncFolder(this.#folder);
  }

  /** Before anything is written: takes the reserve, beside what else goes on. */
  begin({ file }: Pick<Kept, 'file'>, items: Iterable<Stored>): void {
    for (const stored of items) this.#live += weightOf(stored);
    this.#takeReserve(file);
  }

  /** A change is kept. */
  count(change: Entry, before: Stored | undefined): void {
    this.#live += weightOf(change.stored) - weightOf(before);
  }

  /** What each write is to leave but those that remove something. */
  get spared(): Spared {
    if (this.#writing) return { inFile: 0, onDisk: this.#owed };
    return { inFile: this.#reserving ? Math.min(this.#wanted, mostAtOnce) : this.#wanted, onDisk: 0 };
  }

  get #wanted(): number {
    return Math.min(this.#live + besideState, mostReserve);
  }

  /** Begins a new file of changes when the present one has grown large. `tell` gives what exists now. */
  turnOver(file: ChangesFile, tell: () => State, report: (error: unknown) => void): ChangesFile {
    if (this.#writing || file.size < Math.max(this.#turnOverAt, 2 * this.#stateSize, this.#notBefore)) return file;
    const isTight = this.#onDisk() < 2 * this.#live + besideState;
    return this.#turnOverNow({ file, isTight }, tell, report);
  }

  /** The same on a full disk: where it makes room, and there is enough for it. */
  turnOverEarly(file: ChangesFile, tell: () => State, report: (error: unknown) => void): ChangesFile {
    const gain = file.size + this.#older + this.#stateSize - this.#live;
    if (this.#writing || gain < leastGain || file.size < this.#notBefore) return file;
    if (file.room + this.#onDisk() < this.#live + 1.25 * megabyte) return file;
    return this.#turnOverNow({ file, isTight: true }, tell, report);
  }

  /** Bytes that the disk has left for certain. */
  #onDisk(): number {
    return roomOnDisk(this.#folder) ?? 0;
  }

  #turnOverNow(
    { file, isTight }: { readonly file: ChangesFile; readonly isTight: boolean },
    tell: () => State,
    report: (error: unknown) => void,
  ): ChangesFile {
    try {
      if (isTight) file.giveRoom();
      const next = ChangesFile.create(this.#path(changesName(this.#number + 1)));
      syncFolder(this.#folder);
      this.#number++;
      this.#notBefore = 0;
      this.#older += file.size;
      this.#owed = this.#live;
      this.#writing = this.#finish(next, report, file.handOver(next), this.#write(this.#number, tell()));
      return next;
    } catch (error) {
      this.#notBefore = file.size + tryAgainAfter;
      report(error);
      return file;
    }
  }

  #takeReserve(file: ChangesFile): void {
    const over = () => {
      this.#reserving = undefined;
    };
    // The write that needs it says what failed.
    this.#reserving = file.takeReserve(this.#wanted).then(over, over);
  }

  async #finish(
    next: ChangesFile,
    report: (error: unknown) => void,
    ...parts: readonly Promise<void>[]
  ): Promise<void> {
    for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') report(part.reason);
    this.#writing = undefined;
    // At once: a write that came between would take all of it by itself, while everybody waits.
    this.#takeReserve(next);
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#writing;
    await this.#reserving;
  }

  async #write(number: number, state: State): Promise<void> {
    const path = this.#path(stateName(number));
    await writeState(path, state);
    syncFolder(this.#folder);
    this.#stateSize = statSync(path).size;
    this.#older = 0;
    for (const kind of ['changes', 'state'] as const) {
      for (const old of this.#numbers(kind)) if (old < number) rmSync(this.#path(`${kind}-${old}`));
    }
  }

  #readState(number: number): State {
    const path = this.#path(stateName(number));
    this.#stateSize = statSync(path).size;
    return readState(path);
  }

  #withChanges(state: State, first: number): Kept {
    const changes: Entry[] = [];
    let last: ChangesFile | undefined;
    for (let number = first; number <= this.#number; number++) {
      this.#older += last?.size ?? 0;
      last?.close();
      const { file, changes: more } = ChangesFile.resume(this.#existing(changesName(number)));
      last = file;
      for (const change of more) changes.push(change);
    }
    const revision = changes.at(-1)?.revision ?? state.revision;
    return { state, changes, revision, file: last as ChangesFile };
  }

  #existing(name: string): string {
    const path = this.#path(name);
    if (statSync(path, { throwIfNoEntry: false })) return path;
    throw new Error(`${path} is missing: what is kept in ${this.#folder} is not complete`);
  }

  #numbers(kind: 'state' | 'changes'): number[] {
    return readdirSync(this.#folder)
      .flatMap((name) => (name.startsWith(`${kind}-`) ? [Number(name.slice(kind.length + 1))] : []))
      .filter(Number.isSafeInteger)
      .sort((a, b) => a - b);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}
