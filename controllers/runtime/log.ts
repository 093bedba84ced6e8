/** Where controllers say what went wrong. */
export interface Log {
  info(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Says nothing. */
export const silentLog: Log = { info() {}, error() {} };

/** One line each on stderr. */
export const stderrLog: Log = {
  info: (message) => void process.stderr.write(`${new Date().toISOString()} ${message}\n`),
  error: (message, error) => void process.stderr.write(`${new Date().toISOString()} ${message}${because(error)}\n`),
};

const because = (error: unknown): string => {
  if (error === undefined) return '';
  return `: ${error instanceof Error ? error.message : String(error)}`;
};

/** The same log, with a name in front of what is said. */
export const named = (log: Log, name: string): Log => ({
  info: (message) => log.info(`${name}: ${message}`),
  error: (message, error) => log.error(`${name}: ${message}`, error),
});
