import { describe, expect, it } from 'vitest';
import type { Authorizer, Decision } from './authorizer.ts';
import { allowMasters, alwaysAllow, alwaysDeny, union } from './authorizer.ts';
import { asks, asksPath, somebody } from './rbac.fixture.ts';
import { refusal } from './refusal.ts';
import { webhookAuthorizer } from './webhook.ts';

const bob = somebody('bob', 'devs');
const always = (decision: Decision['decision'], reason = ''): Authorizer => ({
  authorize: () => ({ decision, reason }),
});
const later = (authorizer: Authorizer): Authorizer => ({
  authorize: async (who, action) => authorizer.authorize(who, action),
});

describe('a list of authorizers', () => {
  it.each([
    ['the first that allows', [always('no opinion'), always('allow', 'yes'), always('deny')], 'allow'],
    ['the first that denies', [always('deny', 'no'), always('allow')], 'deny'],
    ['nobody', [always('no opinion', 'a'), always('no opinion', 'b')], 'no opinion'],
  ])('is decided by %s', async (_, list, decision) => {
    expect(await union(list).authorize(bob, asksPath('get', '/'))).toMatchObject({ decision });
    expect(await union(list.map(later)).authorize(bob, asksPath('get', '/'))).toMatchObject({ decision });
  });

  it('answers at once as long as those it asks do, and tells all their reasons', () => {
    const answer = union([always('no opinion', 'a'), always('no opinion', 'b')]).authorize(bob, asksPath('get', '/'));
    expect(answer).toEqual({ decision: 'no opinion', reason: 'a\nb' });
  });

  it('does not allow what a later one would allow once one has denied', async () => {
    const list = [later(always('no opinion')), later(always('deny')), always('allow')];
    expect(await union(list).authorize(bob, asksPath('get', '/'))).toMatchObject({ decision: 'deny' });
  });
});

it('lets masters do anything and leaves others alone', () => {
  expect(allowMasters.authorize(somebody('root', 'system:masters'), asksPath('get', '/'))).toMatchObject({
    decision: 'allow',
    reason: '',
  });
  expect(allowMasters.authorize(bob, asksPath('get', '/'))).toMatchObject({ decision: 'no opinion' });
  expect(alwaysAllow.authorize(bob, asksPath('get', '/'))).toMatchObject({ decision: 'allow' });
  expect(alwaysDeny.authorize(bob, asksPath('get', '/'))).toMatchObject({ decision: 'no opinion' });
});

describe('the words of a refusal', () => {
  it.each([
    [
      asks('get', 'pods', { name: 'p', namespace: 'ns' }),
      '',
      { name: 'p', kind: 'pods' },
      'pods "p" is forbidden: User "bob" cannot get resource "pods" in API group "" in the namespace "ns"',
    ],
    [
      asks('list', 'deployments', { group: 'apps' }),
      '',
      { group: 'apps', kind: 'deployments' },
      'deployments.apps is forbidden: User "bob" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [
      asks('create', 'pods/exec', { name: 'p', namespace: 'ns' }),
      'RBAC: role not found',
      { name: 'p', kind: 'pods' },
      'pods "p" is forbidden: User "bob" cannot create resource "pods/exec" in API group "" in the namespace "ns": RBAC: role not found',
    ],
    [asksPath('get', '/metrics'), '', {}, 'forbidden: User "bob" cannot get path "/metrics"'],
  ])('%o', (action, reason, details, message) => {
    expect(refusal(bob, action, reason).status).toMatchObject({ code: 403, reason: 'Forbidden', details, message });
    expect(refusal(bob, action, reason).status.details).toEqual(details);
  });
});

describe('the authorization webhook', () => {
  const clock = { time: 0, now: () => clock.time };
  const options = { version: 'v1' as const, authorizedTtlMs: 1000, unauthorizedTtlMs: 100 };
  function asked(
    answer: (review: { spec: Record<string, unknown>; apiVersion: string }) => unknown,
    version: 'v1' | 'v1beta1' = 'v1',
  ) {
    const reviews: Record<string, unknown>[] = [];
    const post = async (review: unknown) => {
      reviews.push((review as { spec: Record<string, unknown> }).spec);
      return answer(review as { spec: Record<string, unknown>; apiVersion: string });
    };
    clock.time = 0;
    return { reviews, authorizer: webhookAuthorizer(post, { ...options, version }, clock) };
  }
  const says = (status: object) => (review: { apiVersion: string }) => ({
    kind: 'SubjectAccessReview',
    apiVersion: review.apiVersion,
    status,
  });

  it('sends who asks for what, without empty fields', async () => {
    const { reviews, authorizer } = asked(says({ allowed: true, reason: 'fine' }));
    const decision = await authorizer.authorize(bob, asks('get', 'pods', { namespace: 'ns' }));
    expect(decision).toMatchObject({ decision: 'allow', reason: 'fine' });
    expect(reviews[0]).toEqual({
      user: 'bob',
      groups: ['devs'],
      extra: {},
      resourceAttributes: { verb: 'get', version: 'v1', resource: 'pods', namespace: 'ns' },
    });
    const old = asked(says({ allowed: true }), 'v1beta1');
    await old.authorizer.authorize(bob, asksPath('get', '/x'));
    expect(old.reviews[0]).toMatchObject({ group: ['devs'], nonResourceAttributes: { path: '/x', verb: 'get' } });
  });

  it('keeps an allowing answer longer than another', async () => {
    for (const [status, decision, asks1, asks2] of [
      [{ allowed: true }, 'allow', 1, 2],
      [{ allowed: false }, 'no opinion', 2, 3],
      [{ allowed: false, denied: true }, 'deny', 2, 3],
    ] as const) {
      const { reviews, authorizer } = asked(says(status));
      const ask = () => authorizer.authorize(bob, asksPath('get', '/x'));
      expect(await ask()).toMatchObject({ decision });
      clock.time = 500;
      await ask();
      expect(reviews).toHaveLength(asks1);
      clock.time = 1500;
      await ask();
      expect(reviews).toHaveLength(asks2);
    }
  });

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['answers another kind', () => ({ kind: 'Status' })],
    [
      'answers another version',
      () => ({ kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v2', status: { allowed: true } }),
    ],
    ['contradicts itself', says({ allowed: true, denied: true })],
    ['answers nothing', () => null],
  ])('has no opinion when the service %s, and asks again', async (_, answer) => {
    const { reviews, authorizer } = asked(answer as never);
    for (let i = 0; i < 2; i++) {
      expect(await authorizer.authorize(bob, asksPath('get', '/x'))).toMatchObject({
        decision: 'no opinion',
        error: expect.any(String),
      });
    }
    expect(reviews).toHaveLength(2);
  });
});
