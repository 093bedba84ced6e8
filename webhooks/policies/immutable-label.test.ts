import { expect, it } from 'vitest';
import { immutableLabel } from './immutable-label.ts';
import { reviewOf } from './review.fixture.ts';

const policy = immutableLabel('owner');
const object = (owner?: string) => ({ metadata: { labels: owner === undefined ? {} : { owner } } });

it.each([
  ['may be added', undefined, 'me', true],
  ['may stay', 'me', 'me', true],
  ['may not change', 'me', 'you', false],
  ['may not go', 'me', undefined, false],
  ['may be missing', undefined, undefined, true],
])('the label %s', (_, before, after, allowed) => {
  expect(policy.decide(reviewOf(object(after), object(before))).allowed).toBe(allowed);
});
