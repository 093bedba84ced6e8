import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ClientStreams } from '../container-runtime.ts';

const interrupt = '\u0003';
const endOfInput = '\u0004';

type Ending = Pick<ClientStreams, 'tty' | 'endless'>;

/**
 * Whether a command reads what it is sent. Where the end of it can be told, every command does, and so gets all of it. Elsewhere
 * most would wait for ever: there a shell that is given nothing to do reads, in a terminal any shell, and what unpacks.
 */
export function readsInput(command: readonly string[], { tty, endless }: Ending): boolean {
  const [program = '', ...rest] = command;
  if (!endless) return true;
  if (program === 'tar') return /x/.test(rest[0] ?? '');
  return /(?:^|\/)\w*sh$/.test(program) && (tty || !rest.includes('-c'));
}

/** Resolves when nothing more is sent or, in a terminal, when somebody leaves it: what is typed there comes as it is, Ctrl-C too. */
export function inputEnds(stdin: Readable, tty: boolean): Promise<void> {
  const over = finished(stdin, { writable: false }).catch(() => {});
  if (!tty) {
    stdin.resume();
    return over;
  }
  const left = Promise.withResolvers<void>();
  let typed = '\n';
  stdin.on('data', (chunk: Buffer) => {
    typed = (typed + chunk.toString()).slice(-100);
    if (typed.includes(interrupt) || typed.includes(endOfInput) || /[\r\n]exit[\r\n]/.test(typed)) left.resolve();
  });
  return Promise.race([left.promise, over]);
}
