import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../file-trouble.ts';
import { UsageError } from '../../mistyped.ts';

/**
 * Looks whether something can be written there, before the work whose outcome would find no place.
 * @param flag that names the place
 * @throws UsageError
 */
export function mustBeWritable(flag: string, path: string, what: 'file' | 'folder' = 'file'): void {
  const place = resolve(path);
  const isThere = existsSync(place);
  if (isThere && statSync(place).isDirectory() !== (what === 'folder'))
    throw new UsageError(`${flag}: ${path} is no ${what}`);
  try {
    accessSync(isThere ? place : dirname(place), constants.W_OK);
  } catch (error) {
    const reason = existsSync(dirname(place)) ? reasonOf(error) : `there is no folder ${dirname(path)}`;
    throw new UsageError(`${flag}: ${path} cannot be written (${reason})`);
  }
}
