import { ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../make-folder.ts';

/**
 * A new log for a server in the background, empty; one that is up and writes there already keeps what it has to itself.
 * Gives its descriptor.
 * @throws Error of the file system, with the file's path, also where there is no room for a line: nobody would hear why the
 * server did not start
 */
export function openLog(file: string): number {
  makeFolder(dirname(file));
  rmSync(file, { force: true });
  const log = openSync(file, 'a', 0o600);
  try {
    writeSync(log, '\n');
    ftruncateSync(log);
    return log;
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}
