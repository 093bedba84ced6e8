import { mastersGroup, type User } from '../base/user.ts';

/** What is asked for. */
export type Action = ResourceAction | PathAction;

export interface ResourceAction {
  readonly type: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathAction {
  readonly type: 'path';
  /** Lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

export interface Decision {
  readonly decision: 'allow' | 'deny' | 'no opinion';
  readonly reason: string;
  /** What went wrong while deciding, if anything. */
  readonly error?: string;
}

/** Decides alone or as one of an ordered list: the first that allows or denies decides; no opinion at all is a refusal. */
export interface Authorizer {
  authorize(user: User, action: Action): Promise<Decision> | Decision;
}

const allowed: Decision = { decision: 'allow', reason: '' };
const undecided: Decision = { decision: 'no opinion', reason: '' };

/** Members of `system:masters` may do anything, whatever the mode; so nobody can lock the administrators out. */
export const allowMasters: Authorizer = {
  authorize: (user: User) => (user.groups.includes(mastersGroup) ? allowed : undecided),
};

export const alwaysAllow: Authorizer = { authorize: () => allowed };

/** Leaves every request to nobody, which refuses it. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ decision: 'no opinion', reason: 'Everything is forbidden.' }),
};

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
    for (let at = 0; at < authorizers.length; at++) {
      const decision = (authorizers[at] as Authorizer).authorize(user, action);
      if (decision instanceof Promise) return goOn(user, action, decision, authorizers.slice(at + 1), decisions);
      if (decision.decision !== 'no opinion') return decision;
      decisions.push(decision);
    }
    return combined(decisions);
  },
});
