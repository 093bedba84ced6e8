import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from './lab.ts';

let count = 0;

/** Writes a file of the lab, all at once: other processes may read it at any time. Gives its path. */
export function writeLabFile({ folder }: Lab, name: string, text: string): string {
  const file = join(folder, name);
  if (present(file) === text) return file;
  const fresh = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}-${++count}`;
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, file);
  return file;
}

function present(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
