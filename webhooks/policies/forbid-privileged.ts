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
  decide({ object }) {
    const { containers, initContainers = [], ephemeralContainers = [] } = (object as Pod | null)?.spec ?? {};
    const privileged = [...(containers ?? []), ...initContainers, ...ephemeralContainers]
      .filter(({ securityContext }) => securityContext?.privileged === true)
      .map(({ name }) => name);
    return privileged.length > 0 ? deny(`privileged containers are forbidden: ${privileged.join(', ')}`) : allow();
  },
};
