import { ExpiringCache } from '../base/caches/expiring-cache.ts';
import type { Clock } from '../base/time/clock.ts';
import { type Fields, fieldsOf, textOf } from '../base/untyped.ts';
import type { User } from '../base/user.ts';
import type { Action, Authorizer, Decision } from './authorizer.ts';

export interface WebhookAuthorizerOptions {
  /** Of the SubjectAccessReview that is sent. */
  readonly version: 'v1' | 'v1beta1';
  /** How long an allowing answer is kept, in milliseconds. */
  readonly authorizedTtlMs: number;
  /** How long any other answer is kept, in milliseconds. */
  readonly unauthorizedTtlMs: number;
}

const group = 'authorization.k8s.io';
const mostDecisions = 8192;

const besidesEmpty = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value));

function specOf(user: User, action: Action, version: WebhookAuthorizerOptions['version']): Fields {
  // The older version has the groups under another name.
  const groups = version === 'v1' ? { groups: user.groups } : { group: user.groups };
  const who = { user: user.name, ...groups, ...(user.uid && { uid: user.uid }), extra: user.extra };
  if (action.type === 'path') return { ...who, nonResourceAttributes: { path: action.path, verb: action.verb } };
  const { type: _type, ...attributes } = action;
  return { ...who, resourceAttributes: besidesEmpty(attributes) };
}

function decisionOf(answer: unknown, apiVersion: string): Decision {
  const review = fieldsOf(answer);
  if (review.kind !== 'SubjectAccessReview' || review.apiVersion !== apiVersion) {
    throw new Error(`the authorization webhook did not answer a SubjectAccessReview of ${apiVersion}`);
  }
  const status = fieldsOf(review.status);
  const reason = textOf(status.reason);
  const error = textOf(status.evaluationError);
  if (status.allowed === true && status.denied === true) throw new Error('the webhook both allowed and denied');
  const decision = status.allowed === true ? 'allow' : status.denied === true ? 'deny' : 'no opinion';
  return { decision, reason, ...(error && { error }) };
}

/**
 * Asks a remote service by SubjectAccessReview. Answers are kept for their time; a call that fails is not, and has no
 * opinion. `post` sends the review and gives the answer's JSON.
 */
export function webhookAuthorizer(
  post: (review: unknown) => Promise<unknown>,
  options: WebhookAuthorizerOptions,
  clock: Clock,
): Authorizer {
  const apiVersion = `${group}/${options.version}`;
  const decisions = new ExpiringCache<Decision>(mostDecisions, clock);
  return {
    async authorize(user, action) {
      const spec = specOf(user, action, options.version);
      const key = JSON.stringify(spec);
      const known = decisions.get(key);
      if (known) return known;
      try {
        const decision = decisionOf(await post({ apiVersion, kind: 'SubjectAccessReview', spec }), apiVersion);
        decisions.set(
          key,
          decision,
          decision.decision === 'allow' ? options.authorizedTtlMs : options.unauthorizedTtlMs,
        );
        return decision;
      } catch (error) {
        return { decision: 'no opinion', reason: '', error: `authorization webhook: ${(error as Error).message}` };
      }
    },
  };
}
