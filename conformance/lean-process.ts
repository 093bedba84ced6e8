/** What of a process says how it was begun. */
export interface Begun {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** With what a process is begun anew in its own place. */
export interface Anew {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** V8 collects early rather than let a heap grow; it says as well of a process that it is the second one. */
const lean = '--optimize-for-size';

/** Of the C library: one arena for all threads, each of which would else keep what it once needed. */
const arenas = 'MALLOC_ARENA_MAX';

/** How to begin anew with settings for little memory; undefined for a process that has them. */
export function leanStart({ execPath, execArgv, argv, env }: Begun): Anew | undefined {
  if (execArgv.includes(lean)) return undefined;
  return { args: [execPath, lean, ...execArgv, ...argv.slice(1)], env: { [arenas]: '1', ...env } };
}

/**
 * Takes the place of this process by one that needs a quarter less memory: several threads judge, and one may be the
 * server that is judged. The settings are read at the start of a process alone. Goes on as it is where that cannot be.
 */
export function beLean(): void {
  const anew = leanStart(process);
  if (!anew) {
    // What this one starts is its own master.
    if (process.env[arenas] === '1') delete process.env[arenas];
    return;
  }
  try {
    process.execve?.(process.execPath, [...anew.args], anew.env);
  } catch {
    // Not on every system.
  }
}
