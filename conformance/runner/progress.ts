import { plain } from '../../plain.ts';
import type { Verdict } from '../rule.ts';
import { timeLeft } from './time-left.ts';

/** Tells how far a run is and how long it may still take: one changing line on a terminal, now and then a line elsewhere. */
export interface Progress {
  /** `note` is printed for good. */
  readonly step: (verdict: Verdict, note: string | undefined) => void;
  readonly done: () => void;
}

/**
 * @param what is counted
 * @param now milliseconds, from any point
 */
export function makeProgress(
  total: number,
  what = 'rules',
  out: NodeJS.WriteStream = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const began = now();
  const every = Math.max(1, Math.ceil(total / 10));
  let finished = 0;
  let broken = 0;
  const line = (): string =>
    `${finished}/${total} ${what}${broken > 0 ? `, ${broken} broken` : ''}${timeLeft(finished, total, now() - began)}`;
  return {
    step(verdict, note) {
      finished += 1;
      if (verdict === 'fail' || verdict === 'error') broken += 1;
      if (note !== undefined) out.write(`${out.isTTY ? '\r\u001b[K' : ''}${plain(note)}\n`);
      if (out.isTTY) out.write(`\r\u001b[K${line()}`);
      else if (finished % every === 0 && finished < total) out.write(`${line()}\n`);
    },
    done() {
      out.write(out.isTTY ? `\r\u001b[K${line()}\n` : `${line()}\n`);
    },
  };
}
