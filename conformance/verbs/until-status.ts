import type { RuleContext } from './context.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until an answer has this status, by default for as long as busy controllers may take. */
export const untilStatus = (
  { waitUntil, longPatience }: RuleContext,
  what: string,
  code: number,
  look: () => Promise<{ readonly status: number }>,
  limit: number = longPatience,
): Promise<unknown> =>
  waitUntil(
    what,
    async () => (await look()).status,
    (status) => status === code,
    { limit },
  );

/**
 * The answer to what somebody has a right to, sent again while it is refused: of several servers behind one address each
 * hears of a right in its own time, and that one knows of it says nothing of the next.
 */
export const onceAllowed = <T extends { readonly status: number }>(what: string, send: () => Promise<T>): Promise<T> =>
  waitUntil(`${what} is allowed`, send, ({ status }) => status !== 403);
