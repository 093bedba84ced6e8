import { expect, it } from 'vitest';
import { forbidPrivileged } from './forbid-privileged.ts';
import { reviewOf } from './review.fixture.ts';

const bad = { name: 'bad', securityContext: { privileged: true } };
const good = { name: 'good', securityContext: { privileged: false } };

it.each([
  ['containers', { containers: [good, bad] }, false],
  ['init containers', { containers: [good], initContainers: [bad] }, false],
  ['ephemeral containers', { containers: [good], ephemeralContainers: [bad] }, false],
  ['no containers at all', { containers: [good] }, true],
])('privileged %s are judged', (_, spec, allowed) => {
  const decision = forbidPrivileged.decide(reviewOf({ spec }));
  expect(decision.allowed).toBe(allowed);
  if (!allowed)
    expect(decision.status).toMatchObject({ code: 403, message: 'privileged containers are forbidden: bad' });
});

it('a pod that had one before may change otherwise, and gets no other', () => {
  const before = { spec: { containers: [bad] } };
  const labelled = { ...before, metadata: { labels: { a: 'b' } } };
  expect(forbidPrivileged.decide(reviewOf(labelled, before)).allowed).toBe(true);
  const debugged = { spec: { containers: [bad], ephemeralContainers: [{ ...bad, name: 'other' }] } };
  expect(forbidPrivileged.decide(reviewOf(debugged, before))).toMatchObject({
    allowed: false,
    status: { message: 'privileged containers are forbidden: other' },
  });
});
