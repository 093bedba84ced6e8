import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './folder.ts';

export interface Subject {
  /** What `npm pack --json` says. */
  readonly packed: { readonly filename: string; readonly unpackedSize: number };
  /** What can be imported, such as `touchstone/controllers`. */
  readonly doors: readonly string[];
}

export const { devDependencies: versions, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The one for vitest needs vitest and is only tried by the tests. */
export const withoutTools = (doors: readonly string[]) => doors.filter((door) => !door.endsWith('/vitest'));
