import { allow, deny, type KubernetesObject } from '../admission-review.ts';
import type { Policy } from '../policy.ts';

export interface LabelWishes {
  /** Without one of these an object is refused. */
  readonly required: readonly string[];
  /** Without one of these the user is warned. */
  readonly recommended?: readonly string[];
}

function has(object: KubernetesObject | null, label: string): boolean {
  const labels = object?.metadata?.labels ?? {};
  return Object.hasOwn(labels, label) && labels[label] !== '';
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
        // Whoever tells how a StatefulSet or a DaemonSet is may change its labels on the way.
        resources: ['deployments', 'statefulsets', 'daemonsets'].flatMap((each) => [each, `${each}/status`]),
      },
    ],
    decide({ object, oldObject, subResource }) {
      // What is being deleted goes by updates too, and has to be let go.
      if (object?.metadata?.deletionTimestamp) return allow();
      const lacks = (label: string) => !has(object, label);
      // How something is that never had the label must still be told.
      const missing = required.filter((label) => lacks(label) && !(subResource && !has(oldObject, label)));
      if (missing.length > 0) return deny(`missing labels: ${missing.join(', ')}`, { code: 422, reason: 'Invalid' });
      return allow(...recommended.filter(lacks).map((label) => `label ${label} is recommended`));
    },
  };
}
