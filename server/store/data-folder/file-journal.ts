import { setImmediate } from 'node:timers';
import type { Cancel, Timers } from '../../base/time/timers.ts';
import type { Journal } from '../journal.ts';
import { StorageError } from '../store.ts';
import type { Entry } from '../versions.ts';
import type { ChangesFile } from './changes-file.ts';
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
  /** Called between two writes, and gives the file that is to be written to from then on. */
  readonly turnOver: (file: ChangesFile) => ChangesFile;
  readonly report: (error: unknown) => void;
  /** Called when the last change is safe and the file closed. */
  readonly closed: () => void | Promise<void>;
}

interface Waiting {
  readonly frame: Buffer;
  readonly enter: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const second = 1000;

/** Keeps changes in a file. With `always`, all that comes while one group is on its way to the disk is the next group. */
export class FileJournal implements Journal {
  readonly #options: FileJournalOptions;
  #file: ChangesFile;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** Some changes are with the system, but not yet on the disk. */
  #unsafe = false;
  #cancel: Cancel = () => {};
  #broken: StorageError | undefined;

  constructor(options: FileJournalOptions) {
    this.#options = options;
    this.#file = options.file;
    if (options.sync === 'interval') this.#cancel = options.timers.every(second, () => void this.#syncNow());
  }

  keep(change: Entry, enter: () => void): Promise<void> | undefined {
    if (this.#broken) throw this.#broken;
    const frame = frameOf(change);
    if (this.#options.sync === 'always') {
      return new Promise((resolve, reject) => {
        this.#waiting.push({ frame, enter, resolve, reject });
        this.#running ??= this.#run();
      });
    }
    this.#file.append([frame]);
    this.#unsafe = true;
    enter();
    this.#file = this.#options.turnOver(this.#file);
    return undefined;
  }

  async close(): Promise<void> {
    this.#cancel();
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

  async #keepGroup(group: readonly Waiting[]): Promise<void> {
    const { size } = this.#file;
    try {
      if (this.#broken) throw this.#broken;
      this.#file.append(group.map(({ frame }) => frame));
      await this.#file.sync();
    } catch (error) {
      this.#takeBack(size);
      const failure = error instanceof StorageError ? error : new StorageError(String(error));
      for (const { reject } of group) reject(failure);
      return;
    }
    for (const { enter, resolve } of group) {
      enter();
      resolve();
    }
    this.#file = this.#options.turnOver(this.#file);
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
