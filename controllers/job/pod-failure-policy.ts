import type { V1PodFailurePolicyRule } from '@kubernetes/client-node';
import type { Wire } from '../runtime/kube-object.ts';
import { nameOf, namespaceOf } from '../runtime/kube-object.ts';
import type { Job, Pod } from '../runtime/resources.ts';

type Rule = Wire<V1PodFailurePolicyRule>;

/** What a pod's failure means for its job. */
export type FailureVerdict =
  | { readonly action: 'Count' | 'Ignore' }
  | { readonly action: 'FailJob'; readonly message: string };

/** The first rule that matches decides; without one the failure counts. Rules with an action unknown here are skipped. */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (!match) continue;
    if (rule.action === 'Ignore' || rule.action === 'Count') return { action: rule.action };
    if (rule.action === 'FailJob') {
      const whose = `${namespaceOf(pod)}/${nameOf(pod)}`;
      return { action: 'FailJob', message: `${match.replace('%', whose)} matching FailJob rule at index ${index}` };
    }
  }
  return { action: 'Count' };
}

/** What of the pod the rule matched, as the beginning of a sentence; undefined when it did not. */
function matchOf({ onExitCodes, onPodConditions }: Rule, pod: Pod): string | undefined {
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes;
    for (const { name, exitCode } of exitCodesOf(pod)) {
      if (exitCode === 0 || (containerName && name !== containerName)) continue;
      const listed = values.includes(exitCode);
      if ((operator === 'In' && listed) || (operator === 'NotIn' && !listed)) {
        return `Container ${name} for pod % failed with exit code ${exitCode}`;
      }
    }
    return undefined;
  }
  for (const pattern of onPodConditions ?? []) {
    const found = pod.status?.conditions?.find(
      ({ type, status }) => type === pattern.type && status === (pattern.status ?? 'True'),
    );
    if (found) return `Pod % has condition ${found.type}`;
  }
  return undefined;
}

function exitCodesOf({ status }: Pod): readonly { readonly name: string; readonly exitCode: number }[] {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.flatMap(({ name, state }) => (state?.terminated ? [{ name, exitCode: state.terminated.exitCode }] : []));
}
