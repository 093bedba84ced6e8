import { describe, expect, test } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { cronJob } from './cron-job.ts';
import { isTimeZone, scheduleProblem } from './cron-schedule.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const spec = (fields: object = {}, jobSpec: object = {}) => ({
  spec: { schedule: '@hourly', jobTemplate: { spec: { template, ...jobSpec } }, ...fields },
});

describe('a schedule', () => {
  test.each([
    '*/5 * * * *',
    '0 0 1 1 0',
    '59 23 31 12 6',
    '0-30/2,45 8-18 ? JAN,feb MON-fri',
    '5/15 * * * *',
    '  0   0 * * *  ',
    '@daily',
    '@every 1h30m',
    'TZ=Europe/Paris 0 0 * * *',
    'CRON_TZ=UTC @hourly',
    'TZ= 0 0 * * *',
    'CRON_TZ=Local 0 0 * * *',
    '*-5-6 * * * *',
  ])('may be %j', (schedule) => {
    expect(scheduleProblem(schedule)).toBe('');
  });

  test.each([
    'every minute',
    '0 0 0 0 0 0',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 7',
    '5-1 * * * *',
    '*/0 * * * *',
    '1/2/3 * * * *',
    '1-2-3 * * * *',
    '-1 * * * *',
    'x * * * *',
    '* * * * MON-',
    '@secondly',
    '@every soon',
    'TZ=Mars/Base 0 0 * * *',
    'TZ=Europe/Paris',
    '',
  ])('may not be %j', (schedule) => {
    expect(scheduleProblem(schedule)).not.toBe('');
  });

  test('that is hostile is read in linear time', () => {
    const start = worked();
    for (const part of ['1,', '*/', '1-', '@every 1h', ' ', '1h'])
      for (const front of ['', '@every ', 'TZ=']) scheduleProblem(front + part.repeat(300_000));
    expect(worked() - start).toBeLessThan(2000);
  });
});

test.each([
  ['Europe/Paris', true],
  ['UTC', true],
  ['Etc/GMT+1', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Mars/Base', false],
  ['', false],
  ['Local', false],
  ['+01:00', false],
  ['europe/paris', false],
  ['EUROPE/PARIS', false],
  ['Asia/Calcutta', true],
  ['../etc/passwd', false],
])('%j is a time zone: %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});

const at = 'spec.jobTemplate.spec';
const table: readonly [string, object, readonly string[]][] = [
  ['what it needs', spec(), []],
  ['no schedule', spec({ schedule: '' }), ['spec.schedule Required']],
  ['an odd schedule', spec({ schedule: 'x' }), ['spec.schedule Invalid']],
  ['two time zones', spec({ schedule: 'TZ=UTC @daily', timeZone: 'UTC' }), ['spec.schedule Invalid']],
  ['an unknown time zone', spec({ timeZone: 'Mars/Base' }), ['spec.timeZone Invalid']],
  ['an unknown policy', spec({ concurrencyPolicy: 'Never' }), ['spec.concurrencyPolicy NotSupported']],
  [
    'negative numbers',
    spec({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
    [
      'spec.startingDeadlineSeconds Invalid',
      'spec.successfulJobsHistoryLimit Invalid',
      'spec.failedJobsHistoryLimit Invalid',
    ],
  ],
  [
    'a selector',
    spec({}, { selector: {}, manualSelector: true }),
    [`${at}.selector Invalid`, `${at}.manualSelector NotSupported`],
  ],
  [
    'pods that restart for ever',
    spec({}, { template: { spec: { containers: template.spec.containers } } }),
    [`${at}.template.spec.restartPolicy Required`],
  ],
];

test.each(table)('a CronJob with %s', async (_, fields, causes) => {
  expect((await tryCreate(cronJob, sample(cronJob, fields))).causes).toEqual(causes);
});

test.each([
  [52, []],
  [53, ['metadata.name Invalid']],
])('its name may have %d characters: %j', async (length, causes) => {
  expect((await tryCreate(cronJob, sample(cronJob, spec(), { name: 'a'.repeat(length) }))).causes).toEqual(causes);
});

test('it gets defaults, its jobs get theirs later', async () => {
  const { object } = await tryCreate(cronJob, sample(cronJob, spec()));
  expect(object).toMatchObject({
    spec: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    status: {},
  });
  expect(JSON.stringify(object)).not.toContain('backoffLimit');
});

test('everything may change, and a zone that is known no more may stay', async () => {
  const stored = sample(cronJob, spec({ timeZone: 'Old/Zone' }));
  const change = await tryUpdate(cronJob, stored, (next) => {
    next.spec.schedule = '@daily';
    next.spec.jobTemplate.spec.template.spec.containers = [{ name: 'd', image: 'j' }];
  });
  expect(change.causes).toEqual([]);
});

test('a zone in the schedule is warned of', () => {
  expect(cronJob.warnings?.(sample(cronJob, spec({ schedule: 'TZ=UTC @daily' })), undefined)).toHaveLength(1);
  expect(cronJob.warnings?.(sample(cronJob, spec()), undefined)).toEqual([]);
});

test('the table shows when it last ran', () => {
  const status = { active: [{}, {}], lastScheduleTime: '2024-01-01T00:00:00Z' };
  const cells = cronJob.table?.cells(
    sample(cronJob, { ...spec({ suspend: true }), status }),
    Date.UTC(2024, 0, 1, 0, 1),
  );
  expect(cells).toEqual(['x', '@hourly', 'True', 2, '60s', '<unknown>', 'c', 'i', '<none>']);
});
