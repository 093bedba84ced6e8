import { allow, deny } from '../admission-review.ts';
import type { Policy } from '../policy.ts';

export interface LabelWishes {
  /** Without one of these an object is refused. */
  readonly required: readonly string[];
  /** Without one of these the user is warned. */
  readonly recommended?: readonly string[];
}

/** Workloads carry labels that say what they are. */
export function requiredLabels({ required, recommended = [] }: LabelWishes): Policy {
  return {
    name: 'required-labels',
    type: 'validating',
    about: `workloads carry the labels ${required.join(', ')}`,
    failurePolicy: 'Fail',
    rules: [
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        resources: ['deployments', 'statefulsets', 'daemonsets'],
      },
    ],
    decide({ object }) {
      const labels = object?.metadata?.labels ?? {};
      const lacks = (label: string) => !(Object.hasOwn(labels, label) && labels[label]);
      const missing = required.filter(lacks);
      if (missing.length > 0) return deny(`missing labels: ${missing.join(', ')}`, { code: 422, reason: 'Invalid' });
      return allow(...recommended.filter(lacks).map((label) => `label ${label} is recommended`));
    },
  };
}
