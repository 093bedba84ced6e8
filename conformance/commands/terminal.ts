import { createInterface } from 'node:readline/promises';
import { plain } from '../../plain.ts';

/** What is not the result of a command goes to standard error. */
export const say = (text: string): void => void process.stderr.write(`touchstone conformance: ${plain(text)}\n`);

/** Gives the exit code of a command that only tells something. */
export function print(text: string): number {
  const shown = plain(text);
  if (shown !== '') process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  return 0;
}

/** Whether somebody at the terminal says yes; nobody there is a no. */
export async function agreed(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

/** Exit code of a run that was ended by a signal. */
export const endedCode = 130;

/** A signal that is aborted when the user ends the run; when he does so again the process ends at once. */
export async function untilEnded<T>(work: (signal: AbortSignal) => Promise<T>, tell = say): Promise<T> {
  const ended = new AbortController();
  const end = (): void => {
    if (ended.signal.aborted) process.exit(endedCode);
    tell('ending: cleaning up first; once more ends at once and leaves what was made');
    ended.abort();
  };
  // A terminal that is closed may say so twice.
  const hungUp = (): void => {
    if (!ended.signal.aborted) end();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, end);
  process.on('SIGHUP', hungUp);
  try {
    return await work(ended.signal);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
    process.off('SIGHUP', hungUp);
  }
}
