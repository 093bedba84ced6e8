import { expect, test } from 'vitest';
import { subjects } from '../../verbs/subjects.ts';
import { meaningsOf } from './meant-patches.ts';
import { strategicStatusMeans } from './strategic-statuses.ts';

test.each([
  ['v1.20.15', false],
  ['v1.23.17', false],
  ['v1.24.0', true],
  ['v1.25.0', true],
])('a Service of %s is asked for its conditions: %s', (version, asked) => {
  expect(meaningsOf(subjects.services, 'strategic merge patch', version).includes(strategicStatusMeans)).toBe(asked);
});
