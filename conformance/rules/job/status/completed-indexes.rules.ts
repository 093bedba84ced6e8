import { startJob } from '../../../checks/pods/job-runs.ts';
import { succeed } from '../../../checks/pods/node-play.ts';
import { defineRule, type Rule } from '../../../rule.ts';
import { replaceIn } from '../../../sabotage/transforms.ts';
import { jobReads } from '../../job-sabotages.ts';

/** Pods of some indexes succeed. */
const written = (part: string, completions: number, indexes: readonly number[], text: string, wrong: string): Rule =>
  defineRule(`job.status.completed-indexes.${part}`, {
    needs: ['job-controller'],
    sabotage: replaceIn('status.completedIndexes', { ...jobReads, with: wrong }),
    async check(context) {
      const job = await startJob(context, { completionMode: 'Indexed', completions, parallelism: completions });
      const pods = await job.untilActive(completions);
      for (const index of indexes) {
        const annotation = 'batch.kubernetes.io/job-completion-index';
        const pod = pods.find(({ metadata }) => metadata.annotations?.[annotation] === String(index));
        await succeed(context, pod);
      }
      await job.until(`the indexes are ${text}`, ({ status }) => status.completedIndexes === text);
    },
  });

export default [
  written('format', 5, [4, 2, 1], '1,2,4', '1-2,4'),
  written('runs', 8, [7, 5, 3, 4, 1], '1,3-5,7', '1,3,4,5,7'),
];
