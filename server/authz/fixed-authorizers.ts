import { mastersGroup, type User } from '../base/user.ts';
import type { Authorizer, Decision } from './authorizer.ts';

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
