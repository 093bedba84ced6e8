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

export const unfitCronJobs: readonly JudgedKind[] = [
  judged(kindPaths.cronJobs, {
    base: yearly,
    refused: {
      'a name too long for those of its jobs': { metadata: { name: 'c'.repeat(53) } },
      'no schedule': spec({ schedule: '' }),
      'half a schedule': spec({ schedule: '* * *' }),
      'an unknown policy': spec({ concurrencyPolicy: 'Other' }),
      'less than no history': spec({ failedJobsHistoryLimit: -1 }),
      'pods that never end': jobOf({ restartPolicy: 'Always' }),
      'a month beyond the last': spec({ schedule: '0 0 1 13 *' }),
      'less than no deadline': spec({ startingDeadlineSeconds: -1 }),
    },
    free: {
      'another time': spec({ schedule: '0 1 1 1 *', concurrencyPolicy: 'Forbid', failedJobsHistoryLimit: 0 }),
      'other jobs': jobOf({ restartPolicy: 'OnFailure' }),
    },
    fitting: {
      'a word for a schedule': spec({ schedule: '@yearly' }),
      'as long a name as it may have': { metadata: { name: 'c'.repeat(52) } },
    },
  }),
  judged(kindPaths.cronJobs, {
    name: 'time zones of cronjobs',
    holds: { from: 25 },
    base: yearly,
    refused: {
      'an unknown one': spec({ timeZone: 'Nowhere/None' }),
      'none at all': spec({ timeZone: '' }),
      'one beside that of the schedule': spec({ schedule: 'TZ=Etc/UTC 0 0 1 1 *', timeZone: 'Etc/UTC' }),
    },
    fitting: { 'one that there is': spec({ timeZone: 'Etc/UTC' }) },
  }),
];
