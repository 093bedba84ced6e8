import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { CronJob, Job } from '../runtime/resources.ts';
import { endings, jobName, planCronJob, statusWith } from './plan.ts';
import { parseSchedule } from './schedule.ts';

const now = Date.UTC(2024, 0, 1, 12, 0, 30);
const minute = 60_000;
const hourly = parseSchedule('0 * * * *');

const cronJob = (spec: object = {}, status: object = {}): CronJob =>
  ({
    metadata: { namespace: 'ns', name: 'tick', uid: 'c', creationTimestamp: formatTime(now - 10 * minute) },
    spec: {
      schedule: '0 * * * *',
      concurrencyPolicy: 'Allow',
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { parallelism: 2 } },
      ...spec,
    },
    status,
  }) as unknown as CronJob;

const job = (name: string, outcome?: 'Complete' | 'Failed', minutesAgo = 5): Job =>
  ({
    metadata: { namespace: 'ns', name, uid: name, resourceVersion: '1' },
    status: {
      startTime: formatTime(now - minutesAgo * minute),
      conditions: outcome ? [{ type: outcome, status: 'True', lastTransitionTime: formatTime(now - minute) }] : [],
    },
  }) as unknown as Job;

const due = Date.UTC(2024, 0, 1, 12);
/** The name of the job of an earlier time. */
const earlier = (hours: number) => jobName(cronJob(), due - hours * 60 * minute);

describe('a cron job that is due', () => {
  test('starts a job named for its time, from the template', () => {
    const plan = planCronJob(cronJob(), [], hourly, now);
    expect(plan.create).toMatchObject({
      metadata: { name: `tick-${due / minute}`, namespace: 'ns', labels: { a: 'b' } },
      spec: { parallelism: 2 },
    });
    expect(plan.create?.metadata?.ownerReferences).toMatchObject([{ kind: 'CronJob', uid: 'c', controller: true }]);
    expect([plan.scheduled, plan.checkAgainAfter]).toEqual([due, 59.5 * minute + 100]);
  });

  test.each<[string, object, object, readonly Job[]]>([
    ['was started for that time', {}, { lastScheduleTime: formatTime(due) }, []],
    ['has a job for that time that the status does not know', {}, {}, [job(jobName(cronJob(), due))]],
    ['is suspended', { suspend: true }, {}, []],
    ['is too late', { startingDeadlineSeconds: 20 }, {}, []],
    ['is too late by nothing', { startingDeadlineSeconds: 30 }, {}, []],
    ['may not run beside another', { concurrencyPolicy: 'Forbid' }, {}, [job(earlier(1))]],
  ])('starts nothing when it %s', (_, spec, status, jobs) => {
    expect(planCronJob(cronJob(spec, status), jobs, hourly, now).create).toBeUndefined();
  });

  test('starts a job while there is still a second', () => {
    expect(planCronJob(cronJob({ startingDeadlineSeconds: 31 }), [], hourly, now).create).toBeDefined();
  });

  test('takes the place of another', () => {
    const before = job(earlier(1));
    const plan = planCronJob(cronJob({ concurrencyPolicy: 'Replace' }), [before, job('done', 'Complete')], hourly, now);
    expect(plan.replace).toEqual([before]);
    expect(plan.create).toBeDefined();
  });

  test.each(['Forbid', 'Replace'])(
    'leaves one alone that somebody made by hand, and starts beside it: %s',
    (policy) => {
      const plan = planCronJob(
        cronJob({ concurrencyPolicy: policy }),
        [job('tick-by-hand'), job('tick-2nd')],
        hourly,
        now,
      );
      expect([plan.create?.metadata?.name, plan.replace]).toEqual([jobName(cronJob(), due), []]);
    },
  );

  test('starts one job for all the times that were missed, and says so when they are many', () => {
    const last = formatTime(now - 300 * 60 * minute);
    const plan = planCronJob(cronJob({}, { lastScheduleTime: last }), [], hourly, now);
    expect([plan.scheduled, plan.news?.reason]).toEqual([due, 'TooManyMissedTimes']);
  });
});

describe('one that is due every so often', () => {
  const ages = (since: number, more: object = {}) =>
    planCronJob(
      cronJob(more, { lastScheduleTime: formatTime(now - since * minute) }),
      [],
      parseSchedule('@every 1h'),
      now,
    );

  test('is due a period after the last time, however often somebody looks', () => {
    expect(ages(50)).toMatchObject({ checkAgainAfter: 10 * minute + 100 });
    expect(ages(70)).toMatchObject({ scheduled: now - 10 * minute, checkAgainAfter: 50 * minute + 100 });
  });

  test('may be late by less than its period', () => {
    expect(ages(61, { startingDeadlineSeconds: 300 }).create).toBeDefined();
    expect(ages(70, { startingDeadlineSeconds: 300 }).create).toBeUndefined();
  });
});

test.each<[string, object, readonly string[]]>([
  ['one of each outcome', {}, ['a', 'b', 'x']],
  ['none that failed', { failedJobsHistoryLimit: 0 }, ['a', 'b', 'x', 'f']],
  ['none that is complete', { successfulJobsHistoryLimit: 0 }, ['a', 'b', 'c', 'x']],
  ['as many as there are', { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 2 }, []],
  ['all, where no limit is said', { successfulJobsHistoryLimit: undefined, failedJobsHistoryLimit: null }, []],
])('finished jobs beyond the limits go, the oldest first, and what stays is %s', (_, limits, gone) => {
  const jobs = [
    job('c', 'Complete', 5),
    job('a', 'Complete', 50),
    job('b', 'Complete', 20),
    job('f', 'Failed', 5),
    job('x', 'Failed', 50),
    job('r'),
  ];
  const { forget } = planCronJob(cronJob({ suspend: true, ...limits }), jobs, hourly, now);
  expect(forget.map(({ metadata }) => metadata?.name)).toEqual(gone);
});

test('of jobs that began at once those go first whose names come first', () => {
  const jobs = ['b', 'c', 'a'].map((name) => job(name, 'Complete'));
  const { forget } = planCronJob(cronJob({ suspend: true }), jobs, hourly, now);
  expect(forget.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
});

test('what is being deleted is beyond no limit, and is not deleted again', () => {
  const going = { ...job('a', 'Complete', 50) };
  going.metadata = { ...going.metadata, deletionTimestamp: formatTime(now) };
  const jobs = [going, job('b', 'Complete', 20)];
  expect(planCronJob(cronJob({ suspend: true }), jobs, hourly, now).forget).toEqual([]);
});

test('the status tells what runs, and is written once', () => {
  const running = earlier(1);
  const jobs = [job('done', 'Complete'), job(running), job('by-hand')];
  const status = statusWith(cronJob(), jobs, due);
  expect(status?.active).toHaveLength(1);
  expect(status).toMatchObject({
    active: [{ kind: 'Job', name: running, uid: running }],
    lastScheduleTime: formatTime(due),
    lastSuccessfulTime: formatTime(now - minute),
  });
  expect(statusWith(cronJob({}, status), jobs, due)).toBeUndefined();
});

test('what became of the jobs that it called active is told until the status knows', () => {
  const [runs, done, broke, gone] = [1, 2, 3, 4].map(earlier) as [string, string, string, string];
  const jobs = [job(runs), job(done, 'Complete'), job(broke, 'Failed')];
  const before = cronJob(
    {},
    statusWith(
      cronJob(),
      [done, broke, gone, runs].map((name) => job(name)),
      due,
    ),
  );
  expect(endings(before, jobs)).toEqual([
    { reason: 'MissingJob', note: `Active job went missing: ${gone}` },
    { reason: 'SawCompletedJob', note: `Saw completed job: ${broke}, status: Failed` },
    { reason: 'SawCompletedJob', note: `Saw completed job: ${done}, status: Complete` },
  ]);
  expect(endings(cronJob({}, statusWith(before, jobs, undefined)), jobs)).toEqual([]);
});
