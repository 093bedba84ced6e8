import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { ContainerLog } from '../container-log.ts';
import type { Container } from './fields.ts';

/** How much is told at most: of the container's own words, and of its log. */
const most = { bytes: 4_096, lines: 80, logBytes: 2_048 };

/** Where a container expects the file for its last words. */
export const lastWordsPath = ({ terminationMessagePath }: Container): string =>
  terminationMessagePath || '/dev/termination-log';

/** Why a container ended, in its own words: what it wrote into its file, else, if it failed and wants that, the end of its log. */
export function lastWords(
  { terminationMessagePolicy: policy }: Container,
  exitCode: number,
  { file, log }: { readonly file: string; readonly log: ContainerLog },
): string {
  const words = endOfFile(file);
  if (words || exitCode === 0 || policy !== 'FallbackToLogsOnError') return words;
  const lines = log.lines.slice(-most.lines).map(({ text }) => text);
  return Buffer.from(lines.join('')).subarray(-most.logBytes).toString();
}

/** Empty for what is no file: the container may have put anything there. */
function endOfFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return '';
  const buffer = Buffer.alloc(Math.min(found.size, most.bytes));
  const file = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, found.size - buffer.length)).toString();
  } finally {
    closeSync(file);
  }
}
