import { allow, deny } from '../admission-review.ts';
import type { Policy } from '../policy.ts';
import type { Pod } from './pod.ts';

/** No container of a pod is privileged, nor one that is added later. */
export const forbidPrivileged: Policy = {
  name: 'forbid-privileged',
  type: 'validating',
  about: 'no privileged containers',
  failurePolicy: 'Fail',
  rules: [
    {
      operations: ['CREATE', 'UPDATE'],
      apiGroups: [''],
      apiVersions: ['v1'],
      resources: ['pods', 'pods/ephemeralcontainers'],
    },
  ],
  decide({ object, oldObject }) {
    // A pod that was there before the policy is let change, and go.
    const before = new Set(privilegedIn(oldObject));
    const privileged = privilegedIn(object).filter((name) => !before.has(name));
    return privileged.length > 0 ? deny(`privileged containers are forbidden: ${privileged.join(', ')}`) : allow();
  },
};

function privilegedIn(pod: Pod | null): readonly (string | undefined)[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod?.spec ?? {};
  return [...(containers ?? []), ...initContainers, ...ephemeralContainers]
    .filter(({ securityContext }) => securityContext?.privileged === true)
    .map(({ name }) => name);
}
