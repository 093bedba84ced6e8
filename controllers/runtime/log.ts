import { plainEntry } from '../../plain.ts';

/** Where controllers say what went wrong. */
export interface Log {
  info(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Says nothing. */
export const silentLog: Log = { info() {}, error() {} };

/** One line each on stderr; further lines of one entry are set in. */
export const stderrLog: Log = {
  info: (message) => writeText(message),
  error: (message, error) => writeText(`${message}${because(error)}`),
};

function writeText(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${plainEntry(text)}\n`);
}

const because = (error: unknown): string => {
  if (error === undefined) return '';
  return `: ${error instanceof Error ? error.message : String(error)}`;
};

/** Objects of JSON on stderr, one a line, for what collects logs. */
export const jsonLog: Log = {
  info: (message) => writeJson('info', message),
  error: (message, error) => writeJson('error', message, error),
};

function writeJson(level: string, message: string, error?: unknown): void {
  const why = error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) };
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...why })}\n`);
}

/** The same log, with a name in front of what is said. */
export const named = (log: Log, name: string): Log => ({
  info: (message) => log.info(`${name}: ${message}`),
  error: (message, error) => log.error(`${name}: ${message}`, error),
});
