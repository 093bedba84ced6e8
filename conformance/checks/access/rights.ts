import type { Json } from '../../verbs/client.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import { onceAllowed } from '../../verbs/until-status.ts';
import { allowInNamespace } from './permissions.ts';

/** What a user with some rules tries, by a few words, and whether it must be allowed. */
export interface Attempt {
  readonly allowed: boolean;
  readonly by: (theirs: Verbs) => Promise<{ readonly status: number }>;
}

export const may = (by: Attempt['by']): Attempt => ({ allowed: true, by });
export const mayNot = (by: Attempt['by']): Attempt => ({ allowed: false, by });

/** Gives a new user these rules in the rule's namespace, and expects each attempt to be allowed or refused as it says. */
export async function expectRights(
  context: RuleContext,
  rules: readonly Json[],
  attempts: Readonly<Record<string, Attempt>>,
): Promise<void> {
  const { as, unique, waitUntil, expect } = context;
  const name = unique('user');
  await allowInNamespace(context, name, rules);
  const theirs = as({ name });
  const entries = Object.entries(attempts);
  const first = entries.find(([, { allowed }]) => allowed);
  if (first)
    await waitUntil(
      `${first[0]} is allowed`,
      async () => (await first[1].by(theirs)).status,
      (status) => status < 400,
    );
  for (const [what, { allowed, by }] of entries) {
    if (allowed) expect((await onceAllowed(what, () => by(theirs))).status, what).toBeLessThan(400);
    else expect((await by(theirs)).status, what).toBe(403);
  }
}
