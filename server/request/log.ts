import { plainEntry } from '../../plain.ts';

/** Where the server writes what happens to it. Nothing secret is ever passed in. */
export interface Log {
  info(message: string): void;
  error(message: string, error?: unknown): void;
  /** Only of interest while searching for a fault. */
  debug(message: string, error?: unknown): void;
  /** How much is told from now on; from 4 on, what is only of interest while searching. Missing: nobody can say so. */
  setLevel?(level: number): void;
}

export type LogFormat = 'text' | 'json';

export const silentLog: Log = { info() {}, error() {}, debug() {} };

const debugLevel = 4;

/** Lines on standard error, or objects of JSON, one a line. Where an error came from is told only to the verbose. */
export function stderrLog(verbosity: number, format: LogFormat = 'text'): Log {
  let verbose = verbosity >= debugLevel;
  const describe = (error: unknown) =>
    error instanceof Error ? (verbose && error.stack) || error.message : String(error);
  const text = (at: string, level: string, message: string, error?: string) =>
    `${at} ${level} ${plainEntry(`${message}${error === undefined ? '' : `: ${error}`}`)}`;
  const json = (at: string, level: string, message: string, error?: string) =>
    JSON.stringify({ at, level, message, ...(error !== undefined && { error }) });
  const line = format === 'json' ? json : text;
  const write = (level: string, message: string, error?: unknown) => {
    const why = error === undefined ? undefined : describe(error);
    process.stderr.write(`${line(new Date().toISOString(), level, message, why)}\n`);
  };
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
