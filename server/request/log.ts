/** Where the server writes what happens to it. Nothing secret is ever passed in. */
export interface Log {
  info(message: string): void;
  error(message: string, error?: unknown): void;
  /** Only of interest while searching for a fault. */
  debug(message: string, error?: unknown): void;
  /** How much is told from now on; from 4 on, what is only of interest while searching. Missing: nobody can say so. */
  setLevel?(level: number): void;
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

export const silentLog: Log = { info() {}, error() {}, debug() {} };

const debugLevel = 4;

/** Lines on standard error. */
export function stderrLog(level: number): Log {
  let verbose = level >= debugLevel;
  const write = (level: string, message: string, error?: unknown) =>
    process.stderr.write(
      `${new Date().toISOString()} ${level} ${message}${error === undefined ? '' : `: ${describe(error)}`}\n`,
    );
  return {
    info: (message) => write('info', message),
    error: (message, error) => write('error', message, error),
    debug: (message, error) => {
      if (verbose) write('debug', message, error);
    },
    setLevel: (next) => {
      verbose = next >= debugLevel;
    },
  };
}
