import { isFinished, type JobRun, startJob } from '../../../checks/pods/job-runs.ts';
import { fail } from '../../../checks/pods/node-play.ts';
import { type StoredJob, storedJobs } from '../../../checks/pods/stored-jobs.ts';
import { defineRule, type Rule } from '../../../rule.ts';
import type { Json } from '../../../verbs/client.ts';
import type { RuleContext } from '../../../verbs/context.ts';
import { claims, saysNothing } from '../../job-sabotages.ts';

export const flags = ['--feature-gates=JobPodFailurePolicy=true'];
export const needs = ['job-controller'] as const;

/** How a pod ended, and the rules of the policy that judge it. */
export interface Failure {
  readonly rules: readonly Json[];
  /** What the containers `main` and `side` exited with, and `first`, which runs before them, where it failed. */
  readonly exitCodes?: Readonly<Record<'main' | 'side', number>> & { readonly first?: number };
  readonly conditions?: readonly Json[];
}

export const [containers, initContainers] = [['main', 'side'], ['first']].map((names) =>
  names.map((name) => ({ name, image: 'registry.example/pause:1' })),
);

export const exits = (action: string, onExitCodes: Json): Json => ({ action, onExitCodes });

/** A job whose first pod has failed so. */
export async function failedOnce(
  context: RuleContext,
  { rules, exitCodes = { main: 1, side: 1 }, conditions }: Failure,
  spec: Json = {},
): Promise<JobRun> {
  const job = await startJob(context, {
    podFailurePolicy: { rules },
    template: { spec: { containers, initContainers } },
    ...spec,
  });
  const [pod] = await job.untilActive(spec.parallelism ?? 1);
  await fail(context, pod, { exitCodes, ...(conditions ? { conditions } : {}) });
  return job;
}

/** The failure counts, and the job goes on. */
export async function expectCounted(context: RuleContext, job: JobRun): Promise<void> {
  const seen = await job.until('the failure is counted', ({ status }) => status.failed === 1);
  context.expect(isFinished(seen), 'the job has ended').toBe(false);
}

/** A pattern that fails the whole job where it is met, and does nothing where it is not. */
export const matching = (id: string, met: readonly Failure[], notMet: readonly Failure[]): Rule =>
  defineRule(`job.pod-failure-policy.${id}`, {
    needs,
    flags,
    sabotage: [saysNothing, ...(notMet.length > 0 ? [claims('Failed')] : [])],
    async check(context) {
      for (const failure of met) await (await failedOnce(context, failure)).untilIs('Failed');
      for (const failure of notMet) await expectCounted(context, await failedOnce(context, failure));
    },
  });

/** A Job with this policy that another version has stored, whose first pod has exited with 1. */
export async function storedAndFailed(context: RuleContext, rules: readonly Json[]): Promise<StoredJob> {
  const policy = { podFailurePolicy: { rules }, backoffLimit: 6 };
  const [job] = (await storedJobs(context, [policy], flags)) as [StoredJob];
  const [pod] = await job.pods(1);
  await fail(job.verbs, pod, { exitCodes: 1 });
  return job;
}
