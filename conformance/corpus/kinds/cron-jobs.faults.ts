import { slip } from '../fault.ts';

/** CronJobs: when they run, and of what. */
export default [
  slip(
    'failed jobs of a cron job are kept for ever',
    ['job', 'component'],
    '../controllers/cron-job/plan.ts',
    "[...beyond('Complete', spec?.successfulJobsHistoryLimit), ...beyond('Failed', spec?.failedJobsHistoryLimit)]",
    "[...beyond('Complete', spec?.successfulJobsHistoryLimit)]",
  ),
  slip(
    'jobs of a CronJob may have pods of their own choice',
    ['component'],
    'kinds/batch/cron-job.ts',
    '...(spec.manualSelector ? [',
    '...(spec.manualSelector && spec.selector ? [',
  ),
  slip(
    'a list within a schedule is read up to its first number',
    ['component'],
    'kinds/batch/cron-schedule.ts',
    "for (const range of text.split(',')) {",
    "for (const range of text.split(',', 1)) {",
  ),
  slip(
    'a day of the week beyond the last is the first of the next in a schedule',
    ['component'],
    'kinds/batch/cron-schedule.ts',
    "{ name: 'day of week', low: 0, high: 6,",
    "{ name: 'day of week', low: 0, high: 7,",
  ),
  slip(
    'a schedule may be told to the second',
    ['component'],
    'kinds/batch/cron-schedule.ts',
    'if (parts.length !== fields.length)',
    'if (parts.length < fields.length)',
  ),
  slip(
    'a schedule may be of a time zone that there is not',
    ['component'],
    'kinds/batch/cron-schedule.ts',
    "if (zone && !isZoneOfSchedule(zone[1] ?? ''))",
    "if (zone && isZoneOfSchedule(zone[1] ?? ''))",
  ),
  slip(
    'a Job that another is to take the place of runs on beside it',
    ['component'],
    '../controllers/cron-job/reconcile.ts',
    '[...plan.forget, ...plan.replace], (job)',
    '[...plan.forget], (job)',
  ),
  slip(
    'a Job begins while another runs that has to end first',
    ['component'],
    '../controllers/cron-job/plan.ts',
    "spec?.concurrencyPolicy === 'Forbid' && active.length > 0",
    "spec?.concurrencyPolicy === 'Forbid' && active.length > 1",
  ),
  slip(
    'a CronJob that is suspended begins Jobs',
    ['component'],
    '../controllers/cron-job/plan.ts',
    'if (spec?.suspend) return plan;',
    'if (spec?.suspend && jobs.length > 0) return plan;',
  ),
  slip(
    'Jobs of a CronJob lack the labels of their template',
    ['component'],
    '../controllers/cron-job/plan.ts',
    'labels: { ...metadata?.labels },',
    'labels: {},',
  ),
  slip(
    'a CronJob does not tell when it began a Job last',
    ['component'],
    '../controllers/cron-job/plan.ts',
    '...(scheduled !== undefined && { lastScheduleTime: formatTime(scheduled) }),',
    '',
  ),
];
