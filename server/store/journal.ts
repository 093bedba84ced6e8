import type { Stored } from './store.ts';
import type { Entry } from './versions.ts';

/** Keeps changes beyond the life of the process. */
export interface Journal {
  /**
   * Keeps a change, and calls `enter` when it is safe: at once (then nothing is returned), or before the promise
   * resolves, in the order of the calls. @param before what the change takes the place of
   * @throws StorageError, or rejects with it, when the change could not be kept; `enter` is not called then
   */
  keep(change: Entry, before: Stored | undefined, enter: () => void): Promise<void> | undefined;
  /** Whether any change would be kept now. @throws StorageError */
  check(): void;
  close(): Promise<void>;
}
