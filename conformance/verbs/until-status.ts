import type { RuleContext } from './context.ts';

/** Waits until an answer has this status, by default for as long as busy controllers may take. */
export const untilStatus = (
  { waitUntil, patience }: RuleContext,
  what: string,
  code: number,
  look: () => Promise<{ readonly status: number }>,
  limit: number = patience * 8,
): Promise<unknown> =>
  waitUntil(
    what,
    async () => (await look()).status,
    (status) => status === code,
    { limit },
  );
