import type { Json, Send } from '../verbs/client.ts';
import { reviewed } from '../verbs/rights-review.ts';

const nobody = 'touchstone-nobody';
const headers = { 'impersonate-user': nobody };

/** Of what there is not: no rule that names things grants it. */
const madeUp = { verb: 'touchstone', group: 'touchstone.example', resource: 'made-up' };

const everything: readonly [string, readonly string[]][] = [
  ['resourceRules', ['verbs', 'apiGroups', 'resources']],
  ['nonResourceRules', ['verbs', 'nonResourceURLs']],
];

/** Whether a review of rules tells of one rule of each sort, which grants everything: where there are roles, there are more. */
const tellsOfEverything = (status: Json): boolean =>
  everything.every(([sort, fields]) => {
    const [rule, ...others]: Json[] = status?.[sort] ?? [];
    return others.length === 0 && fields.every((field) => rule?.[field]?.includes('*'));
  });

/**
 * Whether everyone may do everything on a server, by its own account: it was started without an authorizer. It has to say
 * so of somebody made up in both sorts of reviews, and to act by it: who has roles and forgets to ask for them, or takes
 * everybody for an administrator, says otherwise, and is judged.
 */
export async function allowsEveryone(send: Send): Promise<boolean> {
  const [rules, access, deed] = await Promise.all([
    reviewed(send, 'SelfSubjectRulesReview', { namespace: 'default' }, { headers }),
    reviewed(send, 'SubjectAccessReview', {
      user: nobody,
      groups: ['system:authenticated'],
      resourceAttributes: madeUp,
    }),
    send('GET', '/api/v1/nodes?limit=1', { headers }),
  ]);
  return tellsOfEverything(rules.body?.status) && access.body?.status?.allowed === true && deed.status === 200;
}
