import type { AdmissionRequest, KubernetesObject } from '../admission-review.ts';

/** A request about objects, for tests of policies. */
export function reviewOf(
  object: object | null,
  oldObject: object | null = null,
  more: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  return {
    uid: 'u-1',
    kind: { group: '', version: 'v1', kind: 'Thing' },
    resource: { group: '', version: 'v1', resource: 'things' },
    operation: oldObject ? (object ? 'UPDATE' : 'DELETE') : 'CREATE',
    userInfo: {},
    object: object as KubernetesObject | null,
    oldObject: oldObject as KubernetesObject | null,
    dryRun: false,
    ...more,
  };
}
