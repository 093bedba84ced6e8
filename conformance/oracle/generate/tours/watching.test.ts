import { expect, it } from 'vitest';
import { roles, told } from './told.fixture.ts';
import { ending, watching } from './watching.ts';

it('watches from a list after which nothing was removed that was removed before', () => {
  const steps = told(roles, watching);
  const removed = steps.findIndex(({ method }) => method === 'DELETE');
  expect(removed).toBeLessThan(steps.findIndex(({ what }) => what.startsWith('list')));
});

it('streams what is longer than is sent at a time, as text and in messages', () => {
  const steps = told(roles, ending);
  expect(steps.some(({ body }) => JSON.stringify(body ?? '').length > 65_536)).toBe(true);
  const streams = steps.filter(({ watch, query }) => watch && JSON.stringify(query).includes('app=<own>-long'));
  expect(streams.some(({ headers }) => headers && 'upgrade' in headers)).toBe(true);
  expect(streams.length).toBeGreaterThan(1);
});
