import { describe, expect, it } from 'vitest';
import { requiredLabels } from './required-labels.ts';
import { reviewOf } from './review.fixture.ts';

const policy = requiredLabels({ required: ['app', 'team'], recommended: ['version'] });
const decide = (labels?: object) => policy.decide(reviewOf({ metadata: { labels } }));

describe('required labels', () => {
  it.each([
    ['all of them', { app: 'a', team: 't', version: '1' }, { allowed: true }],
    [
      'all but what is only recommended',
      { app: 'a', team: 't' },
      { allowed: true, warnings: ['label version is recommended'] },
    ],
    ['one of them', { app: 'a' }, { allowed: false, status: { message: 'missing labels: team', code: 422 } }],
    ['an empty one', { app: 'a', team: '' }, { allowed: false }],
    ['none', undefined, { allowed: false, status: { message: 'missing labels: app, team' } }],
  ])('with %s', (_, labels, decision) => expect(decide(labels)).toMatchObject(decision));

  it('are asked of what is told of how a workload is, for those that it had', () => {
    const [rule] = policy.rules;
    expect(rule?.resources).toEqual(expect.arrayContaining(['statefulsets/status', 'daemonsets/status']));
    const told = (labels: object, before: object) =>
      policy.decide(reviewOf({ metadata: { labels } }, { metadata: { labels: before } }, { subResource: 'status' }));
    expect(told({ team: 't' }, { app: 'a', team: 't' })).toMatchObject({ status: { message: 'missing labels: app' } });
    expect(told({}, {}).allowed).toBe(true);
  });

  it('are not asked of what goes', () => {
    const going = { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } };
    expect(policy.decide(reviewOf(going, going)).allowed).toBe(true);
    expect(policy.decide(reviewOf({ metadata: {} }, { metadata: {} })).allowed).toBe(false);
  });

  it('are not the names that every object has', () => {
    expect(requiredLabels({ required: ['constructor'] }).decide(reviewOf({})).allowed).toBe(false);
  });
});
