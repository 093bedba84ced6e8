// Where the program of a client is made ready. What is there from before is used again.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A toolchain is missing, its packages cannot be had, or there is no time for them: nothing that the client does wrong. */
export class NotToBeHad extends Error {}

export interface Workshop {
  /** A folder of this name, beside any checkout, so that a fresh one finds what was made before. */
  readonly folder: (name: string) => string;
  /** Gets what others have made. @throws NotToBeHad */
  readonly fetch: (program: string, args: readonly string[], cwd?: string) => Promise<void>;
  /** Makes what is ours. @throws Error with what the program says; NotToBeHad when the time is up */
  readonly build: (program: string, args: readonly string[], cwd?: string) => Promise<void>;
}

const run = promisify(execFile);

/** @param signal ends whatever is being made */
export function openWorkshop(signal: AbortSignal): Workshop {
  const make = async (program: string, args: readonly string[], cwd?: string): Promise<void> => {
    if (signal.aborted) throw new NotToBeHad('there was no time left');
    const options = { signal, killSignal: 'SIGKILL', maxBuffer: 1 << 26, ...(cwd ? { cwd } : {}) } as const;
    try {
      await run(program, args, options);
    } catch (error) {
      if (signal.aborted) throw new NotToBeHad('there was no time left');
      throw error;
    }
  };
  return {
    folder(name) {
      const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
      const folder = join(cache, 'touchstone/clients', name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    fetch: (program, args, cwd) =>
      make(program, args, cwd).catch((error: Error) => {
        throw new NotToBeHad(shortly(error));
      }),
    build: make,
  };
}

/** The first line of what went wrong that says something. */
function shortly({ message }: Error): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Command failed: '));
  return (lines[0] ?? message).trim();
}
