import type { User } from '../base/user.ts';
import type { Action, Authorizer, Decision } from './authorizer.ts';

function combined(decisions: readonly Decision[]): Decision {
  const reasons = decisions.map(({ reason }) => reason).filter(Boolean);
  const errors = decisions.map(({ error }) => error).filter((error) => error !== undefined);
  return {
    decision: 'no opinion',
    reason: reasons.join('\n'),
    ...(errors.length && { error: errors.join(', ') }),
  };
}

async function goOn(user: User, action: Action, first: Promise<Decision>, rest: readonly Authorizer[], so: Decision[]) {
  const decision = await first;
  if (decision.decision !== 'no opinion') return decision;
  const decisions = [...so, decision];
  for (const authorizer of rest) {
    const next = await authorizer.authorize(user, action);
    if (next.decision !== 'no opinion') return next;
    decisions.push(next);
  }
  return combined(decisions);
}

/**
 * Asks each in order; the first that allows or denies decides. Answers at once, without a promise, as long as those
 * it asks do.
 */
export const union = (authorizers: readonly Authorizer[]): Authorizer => ({
  authorize(user, action) {
    const decisions: Decision[] = [];
    for (const [position, authorizer] of authorizers.entries()) {
      const decision = authorizer.authorize(user, action);
      if (decision instanceof Promise) {
        return goOn(user, action, decision, authorizers.slice(position + 1), decisions);
      }
      if (decision.decision !== 'no opinion') return decision;
      decisions.push(decision);
    }
    return combined(decisions);
  },
});
