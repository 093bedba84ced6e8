import { join } from 'node:path';
import type { Container } from './fields.ts';

/** Where a container's volumes really are, by the path under which it expects them; the longest path first. */
export type Mounts = readonly { readonly path: string; readonly real: string }[];

/** @param folderOf where the volume of a name is */
export const mountsOf = (container: Container, folderOf: (volume: string) => string): Mounts =>
  (container.volumeMounts ?? [])
    .map(({ name, mountPath, subPath }) => ({
      path: mountPath.replace(/(?<=.)\/+$/, ''),
      real: subPath ? join(folderOf(name), join('/', subPath)) : folderOf(name),
    }))
    .sort((a, b) => b.path.length - a.path.length);

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
