import type { LimitRange } from '../../kinds/core/limit-range.ts';
import type { Pod } from '../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import type { PluginServices } from '../plugin-services.ts';
import { refusal } from '../refusal.ts';
import { fillFromLimits } from './limit-range/container-defaults.ts';
import { claimProblems, podProblems } from './limit-range/limit-checks.ts';

type Check = (range: LimitRange, object: object) => readonly string[];

/** Why an object does not keep to a range, by resource. */
const checks: Readonly<Record<string, Check>> = { pods: podProblems, persistentvolumeclaims: claimProblems };

function handles({ operation, resource, subresource, object }: AdmissionAttributes): boolean {
  if (resource.group !== '' || subresource !== '' || !Object.hasOwn(checks, resource.resource)) return false;
  // Containers of a pod that runs can't change their resources, and what is being deleted may shed them.
  return (
    operation === 'CREATE' ||
    (operation === 'UPDATE' && resource.resource !== 'pods' && !object?.metadata.deletionTimestamp)
  );
}

/** Keeps pods and claims within the limit ranges of their namespace, and fills containers from the ranges' defaults. */
export const limitRanger = ({ followed: { limitRanges } }: Pick<PluginServices, 'followed'>): AdmissionPlugin => ({
  name: 'LimitRanger',
  handles: (attributes) => handles(attributes) && limitRanges.in(attributes.namespace).length > 0,
  mutate({ resource, object, namespace }) {
    if (resource.resource !== 'pods') return;
    for (const range of limitRanges.in(namespace)) fillFromLimits(object as Pod, range);
  },
  validate(attributes) {
    const check = checks[attributes.resource.resource];
    if (!check || !attributes.object) return;
    for (const range of limitRanges.in(attributes.namespace)) {
      const problems = [...new Set(check(range, attributes.object))];
      if (problems.length > 0)
        throw refusal(attributes, problems.length > 1 ? `[${problems.join(', ')}]` : problems.join(''));
    }
  },
});
