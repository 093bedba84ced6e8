import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, expand } from './environment.ts';
import type { Container } from './fields.ts';

/** Where a container's volumes really are, by the path under which it expects them; the longest path first. */
export type Mounts = readonly { readonly path: string; readonly real: string }[];

/** @param folderOf where the volume of a name is */
export const mountsOf = (
  { volumeMounts = [] }: Container,
  environment: Environment,
  folderOf: (volume: string) => string,
): Mounts =>
  volumeMounts
    .map(({ name, mountPath, subPath = '', subPathExpr }) => ({
      path: mountPath.replace(/(?<=.)\/+$/, ''),
      real: join(folderOf(name), join('/', subPathExpr ? expand(subPathExpr, environment) : subPath)),
    }))
    .map(({ path, real }) => ({ path, real: real.replace(/\/$/, '') }))
    .sort((a, b) => b.path.length - a.path.length);

/** Makes the parts of volumes that are not there yet. */
export function makeParts(mounts: Mounts): void {
  for (const { real } of mounts) if (!existsSync(real)) mkdirSync(real, { recursive: true, mode: 0o700 });
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text in which every path below a mounted one is where it really is. Nothing is mounted for a process. */
export function placedIn(mounts: Mounts, text: string): string {
  if (mounts.length === 0) return text;
  const any = mounts.map(({ path }) => escaped(path)).join('|');
  // A path begins where no name ends, and goes on with a slash or not at all.
  return text.replace(new RegExp(`(?<![\\w./-])(${any})(?![\\w.-])`, 'g'), (path) => {
    return mounts.find((mount) => mount.path === path)?.real ?? path;
  });
}
