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
        resources: ['deployments', 'replicasets', 'statefulsets'].flatMap((each) => [each, `${each}/scale`]),
      },
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['replicationcontrollers', 'replicationcontrollers/scale'],
      },
    ],
    // What had more before may change otherwise, and go.
    denyIf:
      'has(object.spec) && has(object.spec.replicas) && object.spec.replicas > 20 && ' +
      '(oldObject == null || !has(oldObject.spec) || !has(oldObject.spec.replicas) || object.spec.replicas > oldObject.spec.replicas)',
    message: 'at most 20 replicas',
  }),
];
