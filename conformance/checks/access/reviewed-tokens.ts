import type { RuleContext } from '../../verbs/context.ts';
import { reviewToken } from './identity.ts';

/** Of a token that is not good for whom it is asked, a review says why, and nothing of whom it might stand for. */
export async function refusesInReviews(
  context: RuleContext,
  tokens: Readonly<Record<string, readonly [token: string, audiences?: readonly string[]]>>,
): Promise<void> {
  const { expect } = context;
  for (const [what, [token, asked]] of Object.entries(tokens)) {
    const { authenticated = false, user, audiences = [], error } = await reviewToken(context, token, asked);
    expect(authenticated, what).toBe(false);
    expect(user?.username ?? '', `${what}: for whom it stands`).toBe('');
    expect(audiences, `${what}: for whom it is`).toEqual([]);
    expect(error ?? '', `${what}: why it is not good`).toMatch(/./);
  }
}
