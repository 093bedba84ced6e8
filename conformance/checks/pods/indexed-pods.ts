import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { startJob } from './job-runs.ts';
import { succeed } from './node-play.ts';

const variable = 'JOB_COMPLETION_INDEX';
const index = 'batch.kubernetes.io/job-completion-index';
const annotation = `metadata.annotations['${index}']`;

/** Every container of a pod of an Indexed Job is told the index, those too that run first. */
export async function tellsIndexes(context: RuleContext): Promise<void> {
  const first = { name: 'first', image: 'registry.example/pause:1', env: [{ name: 'OWN', value: 'yes' }] };
  const template = { spec: { initContainers: [first] } };
  const job = await startJob(context, { completionMode: 'Indexed', completions: 2, parallelism: 2, template });
  for (const { spec } of await job.untilActive(2))
    for (const { name, env = [] } of [...spec.initContainers, ...spec.containers]) {
      const told: Json = env.find((one: Json) => one.name === variable);
      context.expect(told?.valueFrom?.fieldRef?.fieldPath, `where ${name} is told its index`).toBe(annotation);
    }
}

/** Each index of a Job has one pod that succeeds, and none after that. */
export async function countsIndexes(context: RuleContext): Promise<void> {
  const job = await startJob(context, { completionMode: 'Indexed', completions: 2, parallelism: 1 });
  const indexes: string[] = [];
  for (const told of ['0', '0,1']) {
    const pod = await job.nextPod();
    indexes.push(pod.metadata.annotations[index]);
    await succeed(context, pod);
    await job.until('an index is complete', ({ status }) => status.completedIndexes === told);
  }
  context.expect(indexes, 'the indexes of its pods').toEqual(['0', '1']);
  await job.untilIs('Complete');
}
