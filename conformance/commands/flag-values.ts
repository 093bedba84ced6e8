import { existsSync, readFileSync } from 'node:fs';
import { unreadable } from '../../file-trouble.ts';
import { hostInUrl } from '../../host-in-url.ts';
import { notTaken, UsageError } from '../../mistyped.ts';

/** @throws UsageError */
export function oneOf<T extends string>(flag: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw new UsageError(notTaken(flag, value, values));
}

/** @throws UsageError */
export function positive(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0 || number > 86_400)
    throw new UsageError(`--${flag}: ${text} is no number of seconds`);
  return number;
}

/** @throws UsageError */
export function whole(flag: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UsageError(`--${flag}: ${text} is no whole number from ${least} to ${most}`);
}

/** @throws UsageError */
export const seed = (flag: string, text: string): number => whole(flag, text, 0, 2 ** 31);

/** How many work at once. @throws UsageError */
export const workers = (text: string): number => whole('workers', text, 1, 256);

/** @throws UsageError */
export function hostName(text: string): string {
  const host = text.replace(/^\[|\]$/g, '');
  if (URL.canParse(`https://${hostInUrl(host)}/`) && !/[/@?#\s]/.test(host)) return host;
  throw new UsageError(`--webhook-host: ${text} is no name or address of a host`);
}

/** The text of a file. @throws UsageError */
export function readFlagFile(flag: string, file: string): string {
  const trouble = existsSync(file) ? unreadable(file) : `there is no file ${file}`;
  if (trouble) throw new UsageError(`--${flag}: ${trouble}`);
  return readFileSync(file, 'utf8');
}
