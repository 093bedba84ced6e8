import { deepEqual } from '../../../base/deep-equal.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import { invalid } from '../../../base/status-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { CheckedPod } from './checked-pod.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { existingPodWarnings } from './existing-pods.ts';
import {
  isLabelled,
  type LevelVersion,
  levelText,
  type Mode,
  modes,
  type Policy,
  policyOf,
  sameLevel,
  strictness,
} from './policy.ts';

/** Whether a level may be broken by pods that kept to the one before. */
const tightens = (next: LevelVersion, previous: LevelVersion) =>
  !sameLevel(next, previous) &&
  next.level !== 'privileged' &&
  (next.minor !== previous.minor || strictness(next) > strictness(previous));

/** What the labels of an exempt namespace ask for in vain, in words; empty: nothing that is not so anyway. */
function askedInVain({ metadata }: KubeObject, policy: Policy, defaults: Policy): string {
  const equal = (mode: Mode) =>
    sameLevel(policy[mode], defaults[mode]) || strictness(policy[mode]) + strictness(defaults[mode]) === 0;
  if (modes.every(equal)) return '';
  return modes
    .filter((mode) => policy[mode].level !== 'privileged' && isLabelled(metadata.labels, mode))
    .map((mode) => `${mode}=${levelText(policy[mode])}`)
    .join(', ');
}

/**
 * Refuses labels of a namespace that cannot be read, and warns of its pods that break a level which is enforced from
 * now on, or that nothing will be enforced. `podsOf` gives the pods of a namespace. @throws 422
 */
export async function checkNamespace(
  { object, oldObject, name, warn }: AdmissionAttributes,
  { defaults, exempt }: PodSecurityConfiguration,
  podsOf: (namespace: string) => Promise<readonly CheckedPod[]>,
): Promise<void> {
  if (!object) return;
  const next = policyOf(object, defaults);
  const previous = oldObject && policyOf(oldObject, defaults);
  // Labels that were as wrong before must not keep anybody from writing.
  if (next.errors.length > 0 && !deepEqual(next.errors, previous?.errors)) {
    throw invalid({ group: '', resource: 'Namespace' }, name, next.errors);
  }
  if (previous && !tightens(next.policy.enforce, previous.policy.enforce)) return;
  if (exempt.namespaces.has(name)) {
    const vain = askedInVain(object, next.policy, defaults);
    if (vain) warn(`namespace ${JSON.stringify(name)} is exempt from Pod Security: ${vain} counts for nothing there`);
    return;
  }
  if (!previous) return;
  const pods = await podsOf(name);
  const judged = pods.filter(({ spec }) => !exempt.runtimeClasses.has(spec?.runtimeClassName ?? ''));
  for (const text of existingPodWarnings(name, judged, next.policy.enforce)) warn(text);
}
