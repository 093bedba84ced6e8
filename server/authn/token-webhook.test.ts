import { describe, expect, it } from 'vitest';
import { tokenWebhook } from './token-webhook.ts';

function make(
  answer: (review: { apiVersion: string; spec: { token: string; audiences?: string[] } }) => unknown,
  version: 'v1' | 'v1beta1' = 'v1',
) {
  const clock = { time: 0, now: () => clock.time };
  const reviews: unknown[] = [];
  const post = async (review: unknown) => {
    reviews.push(review);
    return answer(review as never);
  };
  return {
    clock,
    reviews,
    webhook: tokenWebhook(post, { version, cacheTtlMs: 1000, serverAudiences: ['api'] }, clock),
  };
}
const status =
  (value: object) =>
  ({ apiVersion }: { apiVersion: string }) => ({
    apiVersion,
    kind: 'TokenReview',
    spec: { token: 'other' },
    status: value,
  });
const user = { username: 'erin', uid: 'u', groups: ['hooked'], extra: { scope: ['one', 'two'] } };
const accept = status({ authenticated: true, user });

describe('the token webhook', () => {
  it.each(['v1', 'v1beta1'] as const)('is asked by a TokenReview of %s', async (version) => {
    const { webhook, reviews } = make(accept, version);
    expect(await webhook.authenticateToken('tok', ['api'])).toEqual({
      user: { name: 'erin', uid: 'u', groups: ['hooked', 'system:authenticated'], extra: { scope: ['one', 'two'] } },
      audiences: ['api'],
    });
    const apiVersion = `authentication.k8s.io/${version}`;
    expect(reviews).toEqual([{ apiVersion, kind: 'TokenReview', spec: { token: 'tok', audiences: ['api'] } }]);
  });

  it('refuses without a word by authenticated false, and with one by an error', async () => {
    expect(await make(status({ authenticated: false })).webhook.authenticateToken('t', ['api'])).toBeUndefined();
    expect(await make(status({})).webhook.authenticateToken('t', ['api'])).toBeUndefined();
    expect(await make(status({ authenticated: 'true', user })).webhook.authenticateToken('t', ['api'])).toBeUndefined();
    await expect(make(status({ error: 'expired' })).webhook.authenticateToken('t', ['api'])).rejects.toThrow('expired');
  });

  it.each([
    ['is down', () => Promise.reject(new Error('down'))],
    [
      'answers another version',
      () => ({
        apiVersion: 'authentication.k8s.io/v1beta1',
        kind: 'TokenReview',
        status: { authenticated: true, user },
      }),
    ],
    ['answers another kind', () => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'Status' })],
    ['names nobody', status({ authenticated: true, user: { groups: ['system:masters'] } })],
    ['answers nothing', () => null],
  ])('that %s accepts nobody and is asked again', async (_, answer) => {
    const { webhook, reviews } = make(answer as never);
    await expect(webhook.authenticateToken('t', ['api'])).rejects.toThrow();
    await expect(webhook.authenticateToken('t', ['api'])).rejects.toThrow();
    expect(reviews).toHaveLength(2);
  });

  it('is asked once within the time that answers are kept', async () => {
    for (const answer of [accept, status({ authenticated: false })]) {
      const { webhook, reviews, clock } = make(answer);
      await webhook.authenticateToken('t', ['api']);
      clock.time = 999;
      await webhook.authenticateToken('t', ['api']);
      expect(reviews).toHaveLength(1);
      await webhook.authenticateToken('t', ['vault', 'api']);
      await webhook.authenticateToken('u', ['api']);
      expect(reviews).toHaveLength(3);
      clock.time = 1000;
      await webhook.authenticateToken('t', ['api']);
      expect(reviews).toHaveLength(4);
    }
  });

  it('names the audiences, or means those of the server', async () => {
    const vault = make(status({ authenticated: true, user, audiences: ['vault'] })).webhook;
    expect(await vault.authenticateToken('t', ['api', 'vault'])).toMatchObject({ audiences: ['vault'] });
    expect(await vault.authenticateToken('t', ['api'])).toBeUndefined();
    expect(await make(accept).webhook.authenticateToken('t', ['vault', 'api'])).toMatchObject({ audiences: ['api'] });
    expect(await make(accept).webhook.authenticateToken('t', ['vault'])).toBeUndefined();
  });
});
