import { startJob } from '../../../checks/pods/job-runs.ts';
import { defineRule, type Rule } from '../../../rule.ts';
import type { Sabotage } from '../../../sabotage/sabotage.ts';
import { removeIn, replaceIn } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import { podLists } from '../../job-sabotages.ts';

const indexes = ['0', '1'];

/** What the pods of an Indexed job have by their index. */
const byIndex = (part: string, sabotage: Sabotage, read: (pod: Json, name: string) => unknown): Rule =>
  defineRule(`job.completion-mode.indexed.${part}`, {
    needs: ['job-controller'],
    sabotage,
    async check(context) {
      const job = await startJob(context, { completionMode: 'Indexed', completions: 2, parallelism: 2 });
      const pods = await job.untilActive(indexes.length);
      context.expect(pods.map((pod) => read(pod, job.name)).sort()).toEqual(indexes);
    },
  });

/** The index in a text such as `job-3`. */
const after = (name: string, text: string | undefined): string | undefined =>
  text?.startsWith(`${name}-`) ? text.slice(name.length + 1) : text;

export default [
  byIndex(
    'annotation',
    removeIn('items.*.metadata.annotations', podLists),
    (pod) => pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'],
  ),
  byIndex(
    'pod-name',
    replaceIn('items.*.metadata.name', { ...podLists, with: 'pod-1' }),
    (pod, name) => /^\d+(?=-.+)/.exec(after(name, pod.metadata.name) ?? '')?.[0],
  ),
  byIndex('hostname', removeIn('items.*.spec.hostname', podLists), (pod, name) => after(name, pod.spec.hostname)),
];
