import { type StatsListener, unwatchFile, watchFile } from 'node:fs';

const lookEveryMs = 1000;

/** Calls back after each change of one of the files, also where it is put in its place by a link. @returns what ends that */
export function followFiles(files: readonly string[], changed: () => void): () => void {
  const listener: StatsListener = () => changed();
  // Any number of servers in one process may have the same one.
  for (const file of files) watchFile(file, { interval: lookEveryMs, persistent: false }, listener).setMaxListeners(0);
  return () => {
    for (const file of files) unwatchFile(file, listener);
  };
}
