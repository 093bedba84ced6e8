import { invalid } from '../../../base/status-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { CheckedPod } from './checked-pod.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { existingPodWarnings } from './existing-pods.ts';
import { type LevelVersion, policyOf, sameLevel, strictness } from './policy.ts';

/** Whether a level may be broken by pods that kept to the one before. */
const tightens = (next: LevelVersion, previous: LevelVersion) =>
  !sameLevel(next, previous) &&
  next.level !== 'privileged' &&
  (next.minor !== previous.minor || strictness(next) > strictness(previous));

/**
 * Refuses labels of a namespace that cannot be read, and warns of its pods that break a level which is enforced from
 * now on. `podsOf` gives the pods of a namespace. @throws 422
 */
export async function checkNamespace(
  { object, oldObject, name, warn }: AdmissionAttributes,
  { defaults, exempt }: PodSecurityConfiguration,
  podsOf: (namespace: string) => Promise<readonly CheckedPod[]>,
): Promise<void> {
  if (!object) return;
  const next = policyOf(object, defaults);
  const previous = oldObject && policyOf(oldObject, defaults);
  // Labels that were wrong before must not keep anybody from writing.
  if (next.errors.length > 0 && (previous?.errors.length ?? 0) === 0) {
    throw invalid({ group: '', resource: 'Namespace' }, name, next.errors);
  }
  if (!previous || exempt.namespaces.has(name) || !tightens(next.policy.enforce, previous.policy.enforce)) return;
  const pods = await podsOf(name);
  const judged = pods.filter(({ spec }) => !exempt.runtimeClasses.has(spec?.runtimeClassName ?? ''));
  for (const text of existingPodWarnings(name, judged, next.policy.enforce)) warn(text);
}
