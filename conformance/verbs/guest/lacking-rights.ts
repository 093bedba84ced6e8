import { Skipped } from '../breach.ts';
import type { Answer, OpenAnswer, SendOptions } from '../client.ts';

/** How it is said that somebody lacks a right, of all that may forbid a request. */
const lacksRight = /forbidden: [Uu]ser "[^"]*" (?:cannot \S+ (?:resource|path) "|.*is attempting to grant )/;

/** Who acts as somebody else, or shows something else, may be meant to be refused. */
const isOther = ({ credentials, headers = {} }: SendOptions): boolean =>
  credentials === false || Object.keys(headers).some((name) => /^(?:impersonate-|authorization$)/i.test(name));

/** That a caller of few rights was refused something for want of one. */
export function notAllowed({ status, body }: Answer, options: SendOptions): Skipped | undefined {
  if (status !== 403 || isOther(options)) return undefined;
  const message = String(body?.message);
  return lacksRight.test(message) ? new Skipped(`the caller has no right to it: ${message}`) : undefined;
}

/** The same of a watch, of which nobody has read why. */
export const notWatched = ({ status }: OpenAnswer, options: SendOptions): Skipped | undefined =>
  status === 403 && !isOther(options) ? new Skipped('the caller has no right to watch it') : undefined;
