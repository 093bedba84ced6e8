import { setImmediate } from 'node:timers';
import type { Cancel, Timers } from '../../base/time/timers.ts';
import type { Journal } from '../journal.ts';
import { StorageError, type Stored } from '../store.ts';
import type { Entry } from '../versions.ts';
import { type ChangesFile, FullDiskError, type Spared } from './changes-file.ts';
import { frameOf } from './frame.ts';

/**
 * When a change is as safe as its writer is told: `always`, when it would survive the loss of power; `interval`, when it
 * survives the end of the process, and power lost only takes what came in the last second.
 */
export type Sync = 'always' | 'interval';

export interface FileJournalOptions {
  readonly file: ChangesFile;
  readonly sync: Sync;
  readonly timers: Timers;
  readonly room: {
    /** What each change is to leave but those that remove something. */
    readonly spared: Spared;
    /** Called when a change is kept. */
    count(change: Entry, before: Stored | undefined): void;
  };
  /** Called between two writes, and gives the file that is to be written to from then on. */
  readonly turnOver: (file: ChangesFile, isFull: boolean) => ChangesFile;
  readonly report: (error: unknown) => void;
  /** Called when the last change is safe and the file closed. */
  readonly closed: () => void | Promise<void>;
}

interface Waiting {
  readonly frame: Buffer;
  readonly removes: boolean;
  readonly enter: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const second = 1000;
const minute = 60 * second;

/** What is removed makes room in the end; it may go step by step. */
const removes = ({ stored }: Entry): boolean => !stored || stored.value.metadata.deletionTimestamp !== undefined;

/** Keeps changes in a file. With `always`, all that comes while one group is on its way to the disk is the next group. */
export class FileJournal implements Journal {
  readonly #options: FileJournalOptions;
  #file: ChangesFile;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** Some changes are with the system, but not yet on the disk. */
  #unsafe = false;
  #cancel: Cancel = () => {};
  /** Until then no more is said of changes that are refused. */
  #quiet: Cancel | undefined;
  #broken: StorageError | undefined;

  constructor(options: FileJournalOptions) {
    this.#options = options;
    this.#file = options.file;
    if (options.sync === 'interval') this.#cancel = options.timers.every(second, () => void this.#syncNow());
  }

  keep(change: Entry, before: Stored | undefined, enter: () => void): Promise<void> | undefined {
    if (this.#broken) throw this.#broken;
    const kept = { frame: frameOf(change), removes: removes(change) };
    const entering = () => {
      enter();
      this.#options.room.count(change, before);
    };
    if (this.#options.sync === 'always') {
      return new Promise((resolve, reject) => {
        this.#waiting.push({ ...kept, enter: entering, resolve, reject });
        this.#running ??= this.#run();
      });
    }
    this.#appendOne(kept);
    entering();
    this.#file = this.#options.turnOver(this.#file, false);
    return undefined;
  }

  check(): void {
    if (this.#broken) throw this.#broken;
    this.#file.check(this.#options.room.spared);
  }

  async close(): Promise<void> {
    this.#cancel();
    this.#quiet?.();
    while (this.#running) await this.#running;
    await this.#syncNow();
    this.#broken = new StorageError('the store is closed');
    this.#file.close();
    await this.#options.closed();
  }

  async #run(): Promise<void> {
    // What other requests of this turn of the event loop write goes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#keepGroup(this.#waiting.splice(0));
    this.#running = undefined;
  }

  async #keepGroup(all: readonly Waiting[]): Promise<void> {
    let group = all;
    let start: number | undefined;
    try {
      if (this.#broken) throw this.#broken;
      [start, group] = this.#appendGroup(all);
      await this.#file.sync();
    } catch (error) {
      if (start !== undefined) this.#takeBack(start);
      this.#tell(error);
      const failure = error instanceof StorageError ? error : new StorageError(String(error));
      for (const { reject } of group) reject(failure);
      return;
    }
    for (const { enter, resolve } of group) {
      enter();
      resolve();
    }
    this.#file = this.#options.turnOver(this.#file, false);
  }

  /** The disk is asked to make it safe within a second. @throws StorageError, it is not kept */
  #appendOne(change: Pick<Waiting, 'frame' | 'removes'>): void {
    try {
      this.#append([change], change.removes);
      this.#unsafe = true;
    } catch (error) {
      this.#tell(error);
      throw error;
    }
  }

  /** @returns where in the file those begin that found room, and which they are: the others are rejected @throws StorageError */
  #appendGroup(group: readonly Waiting[]): [number, readonly Waiting[]] {
    const removing = group.filter((each) => each.removes);
    try {
      return [this.#append(group, removing.length === group.length), group];
    } catch (error) {
      if (!(error instanceof FullDiskError) || removing.length % group.length === 0) throw error;
      const start = this.#append(removing, true);
      this.#tell(error);
      for (const each of group) if (!each.removes) each.reject(error);
      return [start, removing];
    }
  }

  /** @returns where they begin in the file @throws StorageError, nothing is kept */
  #append(changes: readonly Pick<Waiting, 'frame'>[], removing: boolean): number {
    const frames = changes.map(({ frame }) => frame);
    try {
      return this.#file.append(frames, this.#options.room.spared);
    } catch (error) {
      if (!(error instanceof FullDiskError)) throw error;
      const before = this.#file;
      this.#file = this.#options.turnOver(before, true);
      if (this.#file === before && !removing) throw error;
      return this.#file.append(frames, { ...this.#options.room.spared, inFile: 0 });
    }
  }

  /** Who runs the server hears that changes are refused, and why, though not of each; a store that is broken has said so. */
  #tell(error: unknown): void {
    if (this.#broken || this.#quiet) return;
    this.#quiet = this.#options.timers.after(minute, () => {
      this.#quiet = undefined;
    });
    this.#options.report(error);
  }

  /** Whoever wrote it is told that it is not kept, so it must not come back at the next start. */
  #takeBack(size: number): void {
    try {
      this.#file.cutBack(size);
    } catch (error) {
      this.#broken = new StorageError(`what is kept is not certain any more: ${String(error)}`);
      this.#options.report(this.#broken);
    }
  }

  async #syncNow(): Promise<void> {
    if (!this.#unsafe) return;
    this.#unsafe = false;
    try {
      await this.#file.sync();
    } catch (error) {
      this.#broken = new StorageError(`what is kept is not certain any more: ${String(error)}`);
      this.#options.report(this.#broken);
    }
  }
}
