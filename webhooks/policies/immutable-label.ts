import { allow, deny, type KubernetesObject } from '../admission-review.ts';
import type { Policy } from '../policy.ts';

/** A label that, once it is set, keeps its value. It may be added later. */
export function immutableLabel(label: string): Policy {
  const read = (object: KubernetesObject | null) => {
    const labels = object?.metadata?.labels ?? {};
    return Object.hasOwn(labels, label) ? labels[label] : undefined;
  };
  return {
    name: 'immutable-label',
    type: 'validating',
    about: `label ${label} never changes`,
    failurePolicy: 'Fail',
    // Labels of some kinds, pods and nodes among them, change by way of their status too.
    rules: [{ operations: ['UPDATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
    // Whoever asks about everything stands in the way of everything: ask only about what has the label.
    objectSelector: { matchExpressions: [{ key: label, operator: 'Exists' }] },
    decide({ object, oldObject }) {
      const before = read(oldObject);
      if (before === undefined || read(object) === before) return allow();
      return deny(`label ${label} may not be changed from ${JSON.stringify(before)}`, { code: 422, reason: 'Invalid' });
    },
  };
}
