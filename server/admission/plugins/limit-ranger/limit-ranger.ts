import type { LimitRange } from '../../../kinds/core/limit-range.ts';
import type { Pod } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionPlugin } from '../../admission.ts';
import { writes } from '../../concern.ts';
import type { PluginServices } from '../../plugin-services.ts';
import { refusal } from '../../refusal.ts';
import { fillFromLimits } from './container-defaults.ts';
import { claimProblems, podProblems } from './limit-checks.ts';

type Check = (range: LimitRange, object: object) => readonly string[];

/** Why an object does not keep to a range, by resource. */
const checks: Readonly<Record<string, Check>> = { pods: podProblems, persistentvolumeclaims: claimProblems };

/** Keeps pods and claims within the limit ranges of their namespace, and fills containers from the ranges' defaults. */
export const limitRanger = ({ followed: { limitRanges } }: Pick<PluginServices, 'followed'>): AdmissionPlugin => ({
  name: 'LimitRanger',
  // Containers of a pod that runs can't change their resources.
  cares: [writes('', 'pods', 'CREATE'), writes('', 'persistentvolumeclaims', 'CREATE', 'UPDATE')],
  mutate({ resource, object, namespace }) {
    if (resource.resource !== 'pods') return;
    for (const range of limitRanges.in(namespace)) fillFromLimits(object as Pod, range);
  },
  validate(attributes) {
    const { operation, object, resource } = attributes;
    const check = checks[resource.resource];
    if (!check || !object) return;
    // What is being deleted may shed what holds it.
    if (operation === 'UPDATE' && object.metadata.deletionTimestamp) return;
    for (const range of limitRanges.in(attributes.namespace)) {
      const problems = [...new Set(check(range, object))];
      if (problems.length > 0)
        throw refusal(attributes, problems.length > 1 ? `[${problems.join(', ')}]` : problems.join(''));
    }
  },
});
