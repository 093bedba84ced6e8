import type { Side } from '../play/side.ts';

const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const review = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  spec: { namespace: 'default' },
};

/** Where a review of rules says that they may not be all, and why: it does with some authorizers, whoever asks. */
const untold: readonly string[] = ['status.incomplete', 'status.evaluationError'];

const isIncomplete = async ({ client }: Side): Promise<unknown> =>
  (await client.send('POST', path, { body: review }).catch(() => undefined))?.body?.status?.incomplete;

/** Places of answers that tell of the authorizers that a server was given, where the two do not have such ones alike. */
export async function authorizersTold(judged: Side, other: Side): Promise<ReadonlySet<string>> {
  const [one, two] = await Promise.all([judged, other].map(isIncomplete));
  return new Set(one === two ? [] : untold);
}

/** Flags for a server that is to be compared with this one: an authorizer of nodes, as most clusters have, tells no rules. */
export const authorizersLike = async (judged: Side): Promise<readonly string[]> =>
  (await isIncomplete(judged)) === true ? ['--authorization-mode=Node,RBAC'] : [];
