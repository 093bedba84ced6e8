import type { Policy } from '../policy.ts';
import { defaultResourceRequests } from './default-resource-requests.ts';
import { denyByExpression } from './deny-by-expression.ts';
import { forbidPrivileged } from './forbid-privileged.ts';
import { immutableLabel } from './immutable-label.ts';
import { requiredLabels } from './required-labels.ts';

/** The policies that are served, in the order in which they are installed. */
export const policies: readonly Policy[] = [
  defaultResourceRequests({ cpu: '100m', memory: '128Mi' }),
  requiredLabels({ required: ['app.kubernetes.io/name'], recommended: ['app.kubernetes.io/version'] }),
  forbidPrivileged,
  immutableLabel('example.com/owner'),
  denyByExpression({
    name: 'replica-limit',
    rules: [
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        // kubectl scale, and autoscalers, ask by way of the scale.
        resources: ['deployments', 'deployments/scale', 'statefulsets', 'statefulsets/scale'],
      },
    ],
    denyIf: 'object != null && has(object.spec) && has(object.spec.replicas) && object.spec.replicas > 20',
    message: 'at most 20 replicas',
  }),
];
