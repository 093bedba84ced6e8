import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { parseSchedule } from './schedule.ts';

const at = (text: string) => Date.parse(text);
const following = (schedule: string, after: string, zone?: string) => {
  const next = parseSchedule(schedule, zone).next(at(after));
  return next === undefined ? undefined : new Date(next).toISOString();
};

test.each([
  ['* * * * *', '2024-01-01T00:00:30Z', '2024-01-01T00:01:00.000Z'],
  ['*/15 * * * *', '2024-01-01T00:45:00Z', '2024-01-01T01:00:00.000Z'],
  ['5/20 3 * * *', '2024-01-01T03:10:00Z', '2024-01-01T03:25:00.000Z'],
  ['30 9 * * mon-fri', '2024-01-05T10:00:00Z', '2024-01-08T09:30:00.000Z'],
  ['0 0 29 2 *', '2024-03-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 1,15 * sun', '2024-01-01T00:00:00Z', '2024-01-07T00:00:00.000Z'],
  ['0 0 */2 * 1', '2024-01-01T00:00:00Z', '2024-01-03T00:00:00.000Z'],
  ['0 0 ? * 1', '2024-01-01T00:00:00Z', '2024-01-08T00:00:00.000Z'],
  ['0 12 * dec *', '2024-01-01T00:00:00Z', '2024-12-01T12:00:00.000Z'],
  ['@hourly', '2024-01-01T00:00:00Z', '2024-01-01T01:00:00.000Z'],
  ['@weekly', '2024-01-01T00:00:00Z', '2024-01-07T00:00:00.000Z'],
  ['@every 1h30m', '2024-01-01T00:00:10Z', '2024-01-01T01:30:10.000Z'],
  ['TZ=Asia/Tokyo 0 9 * * *', '2024-01-01T00:00:00Z', '2024-01-02T00:00:00.000Z'],
  ['0 0 31 2 *', '2024-01-01T00:00:00Z', undefined],
])('after %s at %s comes %s', (schedule, after, expected) => expect(following(schedule, after)).toBe(expected));

describe('in a zone', () => {
  test.each([
    [
      'half past two does not exist when clocks go forward',
      '2024-03-31T00:00:00Z',
      '30 2 * * *',
      '2024-04-01T00:30:00.000Z',
    ],
    ['midnight comes at another time in summer', '2024-07-01T12:00:00Z', '0 0 * * *', '2024-07-01T22:00:00.000Z'],
    ['a day of 25 hours has one midnight', '2024-10-26T22:30:00Z', '0 0 * * *', '2024-10-27T23:00:00.000Z'],
  ])('%s', (_, after, schedule, expected) => expect(following(schedule, after, 'Europe/Berlin')).toBe(expected));
});

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '* * 0 * *',
  '*/0 * * * *',
  '5-1 * * * *',
  '* * * * mon-',
  '@every never',
  '@soon',
])('%j is no schedule', (text) => expect(() => parseSchedule(text)).toThrow());

test('what no zone is throws', () => expect(() => parseSchedule('* * * * *', 'Nowhere/City')).toThrow());

test('the last time is the one before which walking from the first would end', () => {
  const schedules = ['* * * * *', '*/7 3-5 * * *', '0 0 * * 1', '@every 90s', '15 10 1 * *'];
  fc.assert(
    fc.property(fc.constantFrom(...schedules), fc.nat(3_000_000), fc.nat(3_000_000), (text, from, length) => {
      const schedule = parseSchedule(text);
      const earliest = at('2024-01-01T00:00:00Z') + from * 1_000;
      const now = earliest + length * 1_000;
      let walked: number | undefined;
      for (let time = schedule.next(earliest); time !== undefined && time <= now; time = schedule.next(time))
        walked = time;
      expect(schedule.last(earliest, now)).toBe(walked);
    }),
    { numRuns: 25 },
  );
});

test('what was due in a day is found without a look at the years that come', () => {
  const schedule = parseSchedule('0 0 31 2 *', 'America/New_York');
  const start = worked();
  expect(schedule.last(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2))).toBeUndefined();
  expect(worked() - start).toBeLessThan(100);
});
