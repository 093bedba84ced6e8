import { ExpiringCache } from '../base/caches/expiring-cache.ts';
import type { Clock } from '../base/time/clock.ts';
import { fieldsOf, textOf, textsOf } from '../base/untyped.ts';
import { digestOf } from './digest.ts';
import { knownUser } from './known-user.ts';
import { commonAudiences, type TokenAuthenticator, type TokenUser } from './token-authenticator.ts';

export interface TokenWebhookOptions {
  /** Of the TokenReview that is sent. */
  readonly version: 'v1' | 'v1beta1';
  /** How long an answer is kept, in milliseconds. */
  readonly cacheTtlMs: number;
  readonly serverAudiences: readonly string[];
}

const group = 'authentication.k8s.io';
const mostAnswers = 4096;

function userOf(value: unknown): TokenUser['user'] {
  const user = fieldsOf(value);
  const name = textOf(user.username);
  if (!name) throw new Error('the token webhook named no user');
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const [key, values] of Object.entries(fieldsOf(user.extra))) extra[key] = textsOf(values);
  return knownUser({ name, uid: textOf(user.uid), groups: textsOf(user.groups), extra });
}

/** Undefined when the answer refuses without a word. `spec` of the answer counts for nothing. */
function judge(answer: unknown, apiVersion: string, asked: readonly string[], server: readonly string[]) {
  const review = fieldsOf(answer);
  if (review.kind !== 'TokenReview' || review.apiVersion !== apiVersion) {
    throw new Error(`the token webhook did not answer a TokenReview of ${apiVersion}`);
  }
  const status = fieldsOf(review.status);
  if (status.authenticated !== true) {
    const error = textOf(status.error);
    if (error) throw new Error(error);
    return undefined;
  }
  const given = textsOf(status.audiences);
  const audiences = commonAudiences(asked, given.length ? given : server);
  return audiences.length ? { user: userOf(status.user), audiences } : undefined;
}

/**
 * Tokens that a remote service judges by TokenReview (`authn.token-webhook.*`). Answers are kept for their time, but
 * failures of the service and refusals with a reason are not. `post` sends the review and gives the answer's JSON.
 */
export function tokenWebhook(
  post: (review: unknown) => Promise<unknown>,
  options: TokenWebhookOptions,
  clock: Clock,
): TokenAuthenticator {
  const apiVersion = `${group}/${options.version}`;
  const answers = new ExpiringCache<{ readonly answer: TokenUser | undefined }>(mostAnswers, clock);
  return {
    name: 'token webhook',
    async authenticateToken(token, audiences) {
      const key = `${digestOf(token)} ${JSON.stringify(audiences)}`;
      const known = answers.get(key);
      if (known) return known.answer;
      const review = { apiVersion, kind: 'TokenReview', spec: { token, audiences } };
      const answer = judge(await post(review), apiVersion, audiences, options.serverAudiences);
      answers.set(key, { answer }, options.cacheTtlMs);
      return answer;
    },
  };
}
