import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives folders that are gone after `remove`. */
export class TemporaryFolders {
  readonly #made: string[] = [];

  make(): string {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-data-'));
    this.#made.push(folder);
    return folder;
  }

  remove(): void {
    for (const folder of this.#made.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}
