import { reasonOf } from '../../file-trouble.ts';
import { print, say } from './terminal.ts';

/**
 * Writes files whose names are then told, or tells why there are none: what a run has found is told all the same, and so is
 * what is still to be told. Gives the exit code, 1 where they could not be written.
 * @param write gives what to print once they are there; errors that are none of the file system's are thrown on
 */
export function kept(place: string, write: () => string, tell: (text: string) => void = say): number {
  try {
    return print(write());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    tell(`${place} cannot be written (${reasonOf(error)})`);
    return 1;
  }
}
