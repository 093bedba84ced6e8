import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { startJob } from './job-runs.ts';

const variable = 'JOB_COMPLETION_INDEX';
const annotation = "metadata.annotations['batch.kubernetes.io/job-completion-index']";

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
