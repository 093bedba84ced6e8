import { readdirSync } from 'node:fs';
import { makeFolder } from '../../../make-folder.ts';
import { systemTimers, type Timers } from '../../base/time/timers.ts';
import { MemoryStore, type MemoryStoreOptions } from '../memory-store.ts';
import type { State } from '../versions.ts';
import { FileJournal, type Sync } from './file-journal.ts';
import { lockFolder, type Unlock } from './folder-lock.ts';
import { Generations, type Kept } from './generations.ts';

/**
 * A folder that keeps a store in memory beyond the life of the process, in files of the project's own and not in a
 * database: all reads are from memory, so an ordered row of changes is all that is needed, a write is one call of the
 * system, and Node's SQLite warns that it is experimental on versions of Node that are supported.
 */
export interface DataFolderOptions {
  readonly folder: string;
  readonly sync: Sync;
  readonly timers?: Timers;
  /** Told what goes wrong beside requests. */
  readonly report?: (error: unknown) => void;
  /** What a folder that keeps nothing yet begins with. */
  readonly initial?: State;
  readonly store?: Pick<MemoryStoreOptions, 'freeze' | 'room' | 'historyBytes'>;
  /** Bytes of changes after which the state is written anew. */
  readonly turnOverAt?: number;
}

/** Bytes. Changes are at most so many, or twice what is kept; beside them stand the state and room for the next one. */
const turnOverAt = 16 * 1024 * 1024;

/** @throws DamagedFileError; Error when another process uses the folder, it cannot be written, or `initial` has no place */
export async function openDataFolder(options: DataFolderOptions): Promise<MemoryStore> {
  const { folder, initial } = options;
  makeFolder(folder);
  const unlock = await lockFolder(folder);
  try {
    const generations = new Generations(folder, options.turnOverAt ?? turnOverAt);
    const kept = generations.load();
    if (!initial) return begin(options, kept, generations, unlock);
    if (kept.revision > 1) throw new Error(`${folder} holds objects already`);
    await generations.writeFirst(initial);
    return begin(options, { ...kept, state: initial }, generations, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Whether something is kept there; to open it would begin to. @throws Error of the file system */
export const isDataFolder = (folder: string): boolean => readdirSync(folder).some((name) => /^changes-\d+$/.test(name));

function begin(options: DataFolderOptions, kept: Kept, generations: Generations, unlock: Unlock): MemoryStore {
  const { sync, timers = systemTimers, report = (error) => process.emitWarning(String(error)) } = options;
  const { state, changes, file } = kept;
  const journal = new FileJournal({
    file,
    sync,
    timers,
    report,
    room: generations,
    turnOver: (current, isFull) =>
      isFull
        ? generations.turnOverEarly(current, () => store.state(), report)
        : generations.turnOver(current, () => store.state(), report),
    async closed() {
      await generations.idle();
      unlock();
    },
  });
  const store = new MemoryStore({ ...options.store, timers, state, changes, journal });
  generations.begin(kept, store.state().items);
  return store;
}
