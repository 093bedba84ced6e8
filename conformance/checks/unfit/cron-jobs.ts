import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const jobOf = (more: Json): Json =>
  spec({
    jobTemplate: {
      spec: { template: { spec: { containers: [{ name: 'main', image: 'registry.example/pause:1' }], ...more } } },
    },
  });
const yearly = merged(jobOf({ restartPolicy: 'Never' }), spec({ schedule: '0 0 1 1 *', suspend: true }));

/** Beyond each of the five bounds, in a list, a range or a step, and what is none of those. */
const unfitTimes = [
  ...['60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 0 *', '0 0 1 13 *', '* * * * 7', '* * * * -1'],
  ...['1,60 * * * *', '0-60 * * * *', '5-1 * * * *', '*/0 * * * *', '1-2-3 * * * *', '1/2/3 * * * *', 'a * * * *'],
  ...['* * * ABC *', '0 0 1 1 * *', '@never', '@every soon', 'TZ=Nowhere/None 0 0 1 1 *'],
];
const times = [
  ...['59 23 31 12 6', '0 0 1 1 0', '0-59/5 */2 1,15 * MON-FRI', '0 0 1 JAN sun', '? ? ? ? ?', '5-5 * * * *'],
  ...['@every 1h', '@midnight'],
];
const zonedTimes = ['TZ=Etc/UTC 0 0 1 1 *', 'CRON_TZ=Etc/UTC 0 0 1 1 *'];

const asSchedules = (all: readonly string[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(all.map((schedule) => [`the time ${schedule}`, spec({ schedule })]));

export const unfitCronJobs: readonly JudgedKind[] = [
  judged(kindPaths.cronJobs, {
    base: yearly,
    refused: {
      'a name too long for those of its jobs': { metadata: { name: 'c'.repeat(53) } },
      'no schedule': spec({ schedule: '' }),
      'half a schedule': spec({ schedule: '* * *' }),
      'an unknown policy': spec({ concurrencyPolicy: 'Other' }),
      'less than no history': spec({ failedJobsHistoryLimit: -1 }),
      'less than no history of those that did well': spec({ successfulJobsHistoryLimit: -1 }),
      'pods of its own choice': merged(
        jobOf({ restartPolicy: 'Never' }),
        spec({ jobTemplate: { spec: { manualSelector: true } } }),
      ),
      'pods that never end': jobOf({ restartPolicy: 'Always' }),
      ...asSchedules(unfitTimes),
      'less than no deadline': spec({ startingDeadlineSeconds: -1 }),
    },
    free: {
      'another time': spec({ schedule: '0 1 1 1 *', concurrencyPolicy: 'Forbid', failedJobsHistoryLimit: 0 }),
      'other jobs': jobOf({ restartPolicy: 'OnFailure' }),
    },
    fitting: {
      'a word for a schedule': spec({ schedule: '@yearly' }),
      'one in place of another, at once': spec({ concurrencyPolicy: 'Replace', startingDeadlineSeconds: 0 }),
      ...asSchedules(times),
      'as long a name as it may have': { metadata: { name: 'c'.repeat(52) } },
    },
  }),
  // Later servers want the zone in its own field.
  judged(kindPaths.cronJobs, {
    ...{ name: 'zones within schedules of cronjobs', holds: { to: 26 }, base: yearly },
    fitting: asSchedules(zonedTimes),
  }),
  judged(kindPaths.cronJobs, {
    name: 'time zones of cronjobs',
    holds: { from: 25 },
    base: yearly,
    refused: {
      'an unknown one': spec({ timeZone: 'Nowhere/None' }),
      'none at all': spec({ timeZone: '' }),
      'that of the server': spec({ timeZone: 'Local' }),
      'one beside that of the schedule': spec({ schedule: 'TZ=Etc/UTC 0 0 1 1 *', timeZone: 'Etc/UTC' }),
    },
    fitting: { 'one that there is': spec({ timeZone: 'Etc/UTC' }) },
  }),
];
