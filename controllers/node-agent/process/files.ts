import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Files of a volume by their path in it. */
export type Files = ReadonlyMap<string, { readonly content: Buffer; readonly mode: number }>;

/** Makes a folder hold these files and no others. Each changes at once, for who reads it meanwhile. @throws Error for paths that lead out of it */
export function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [path, { content, mode }] of files) {
    const file = join(folder, path);
    if (relative(folder, file).startsWith('..')) throw new Error(`${JSON.stringify(path)} leads out of its volume`);
    if (existsSync(file) && readFileSync(file).equals(content)) continue;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Outside of the folder, so that it is no other file of the volume.
    const fresh = `${folder}.new`;
    writeFileSync(fresh, content, { mode: 0o600 });
    chmodSync(fresh, mode & 0o700);
    renameSync(fresh, file);
  }
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(each.parentPath, each.name));
    if (each.isFile() && !files.has(path)) rmSync(join(folder, path));
  }
}
