import { expect, test } from 'vitest';
import { ApiError } from '../runtime/api-error.ts';
import { formatTime } from '../runtime/clock.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import { type CronJob, cronJobs, type Job, type Resource } from '../runtime/resources.ts';
import { cronJobLoops } from './reconcile.ts';

const minute = 60_000;
const now = Date.UTC(2024, 0, 1, 12, 0, 30);

const cronJob = (spec: object = {}) =>
  ({
    metadata: { namespace: 'ns', name: 'tick', uid: 'c', creationTimestamp: formatTime(now - 10 * minute) },
    spec: { schedule: '0 * * * *', concurrencyPolicy: 'Allow', jobTemplate: { spec: {} }, ...spec },
  }) as unknown as CronJob;

const ended = (name: string, minutesAgo: number) =>
  ({
    metadata: { namespace: 'ns', name, uid: name },
    status: {
      startTime: formatTime(now - minutesAgo * minute),
      conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: formatTime(now - minute) }],
    },
  }) as unknown as Job;

/** What its loop does with a cron job and the jobs of that. @param refusal to the creation of a job */
async function reconciled(object: CronJob, jobs: readonly Job[] = [], refusal?: ApiError) {
  const done: string[] = [];
  const request = requestOf({
    key: 'ns/tick',
    clock: { now: () => now },
    read: (resource: Resource) => ({
      find: () => (resource === cronJobs ? object : undefined),
      ownedBy: (uid: string) => (uid === 'c' ? jobs : []),
    }),
    write: () => ({
      create: async ({ metadata }: Job) => {
        if (refusal) throw refusal;
        done.push(`create ${metadata?.name}`);
      },
      delete: async ({ metadata }: Job, { propagationPolicy }: { propagationPolicy: string }) =>
        void done.push(`delete ${metadata?.name} in the ${propagationPolicy}`),
      replace: async (_: CronJob, { status }: CronJob, part: string) => {
        done.push(`${part}: ${JSON.stringify(status?.lastScheduleTime)}`);
        if (status?.lastSuccessfulTime) done.push(`last success: ${status.lastSuccessfulTime}`);
      },
    }),
    events: {
      record: (_: CronJob, { type = 'Normal', reason, note }: { type?: string; reason: string; note: string }) =>
        void done.push(`${type} ${reason}: ${note}`),
    },
  });
  const outcome = await cronJobLoops[0]?.reconcile(request).catch((error: Error) => error);
  return { done, outcome };
}

const name = `tick-${Date.UTC(2024, 0, 1, 12) / minute}`;
const status = 'status: "2024-01-01T12:00:00Z"';

test.each([
  ['a schedule', { schedule: 'now and then' }],
  ['a time zone', { timeZone: 'Nowhere/Town' }],
])('%s that makes no sense is told, and nothing is done until somebody changes it', async (_, spec) => {
  const { done, outcome } = await reconciled(cronJob(spec), [ended('old', 5), ended('older', 6)]);
  expect(done).toEqual([expect.stringMatching(/^Warning UnparseableSchedule: unparseable schedule: ./)]);
  expect(outcome).toBeUndefined();
});

test('jobs beyond those that are to be remembered go, and it is told of each', async () => {
  const { done } = await reconciled(cronJob({ successfulJobsHistoryLimit: 1 }), [
    ended('older', 7),
    ended('newest', 5),
    ended('old', 6),
  ]);
  expect(done.filter((each) => /delete|Delete/.test(each)).toSorted()).toEqual([
    'Normal SuccessfulDelete: Deleted job old',
    'Normal SuccessfulDelete: Deleted job older',
    'delete old in the Background',
    'delete older in the Background',
  ]);
  expect(done).toEqual(
    expect.arrayContaining([`create ${name}`, `Normal SuccessfulCreate: Created job ${name}`, status]),
  );
});

test('a job that was started before by its name is not told of again, and its time is noted', async () => {
  const { done } = await reconciled(cronJob(), [], new ApiError(409, { reason: 'AlreadyExists' }, 'create'));
  expect(done).toEqual([status]);
});

test('that a job has ended is told before it goes, also where none is to be remembered', async () => {
  const active = [{ name: 'tick-1', uid: 'tick-1' }];
  const spec = { schedule: '0 13 * * *', successfulJobsHistoryLimit: 0 };
  const before = { ...cronJob(spec), status: { active } } as unknown as CronJob;
  expect((await reconciled(before, [ended('tick-1', 5)])).done).toEqual([
    'Normal SawCompletedJob: Saw completed job: tick-1, status: Complete',
    'status: undefined',
    `last success: ${formatTime(now - minute)}`,
    'delete tick-1 in the Background',
    'Normal SuccessfulDelete: Deleted job tick-1',
  ]);
});

const refusal = new ApiError(403, { reason: 'Forbidden', message: 'exceeded quota' }, 'create');

test('that jobs have ended is told also where the next one is refused: it may be refused for long', async () => {
  const done = ended('tick-1', 5);
  const active = [{ name: 'tick-1', uid: 'tick-1' }];
  const before = { ...cronJob(), status: { active } } as unknown as CronJob;
  const { done: said, outcome } = await reconciled(before, [done], refusal);
  expect(said).toEqual([
    expect.stringMatching(/^Warning FailedCreate/),
    'Normal SawCompletedJob: Saw completed job: tick-1, status: Complete',
    'status: undefined',
    `last success: ${formatTime(now - minute)}`,
  ]);
  expect(outcome).toBe(refusal);
});

test('a job that is refused is told of, and its time comes again', async () => {
  const { done, outcome } = await reconciled(cronJob(), [], refusal);
  expect(done).toEqual([expect.stringMatching(/^Warning FailedCreate: Error creating job: .*exceeded quota/)]);
  expect(outcome).toBe(refusal);
});
