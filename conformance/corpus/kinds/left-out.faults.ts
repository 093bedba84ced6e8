import { slip } from '../fault.ts';

/** What is left out of workloads, autoscalers, levels of priority, bindings and drivers, and filled in. */
export default [
  slip(
    'a Deployment that does not say how many pods it wants has none',
    'component',
    'kinds/apps/deployment.ts',
    '  spec.replicas ??= 1;\n  spec.template ??= {};',
    '  spec.template ??= {};',
  ),
  slip(
    'a DaemonSet that does not say how it rolls does not know how many more pods it may have meanwhile',
    'component',
    'kinds/apps/daemon-set.ts',
    '    strategy.rollingUpdate.maxSurge ??= 0;',
    '',
  ),
  slip(
    'the claims of a StatefulSet stay as they were sent',
    'component',
    'kinds/apps/stateful-set.ts',
    '    defaultClaimSpec(claim.spec);\n',
    '',
  ),
  slip(
    'a part of a StatefulSet that is not said is not filled in',
    'component',
    'kinds/apps/stateful-set.ts',
    "  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;",
    '',
  ),
  slip(
    'an autoscaler that is told how to grow does not know how to shrink',
    'component',
    'kinds/autoscaling/horizontal-pod-autoscaler.ts',
    "  spec.behavior.scaleDown = defaultRules(spec.behavior.scaleDown, { selectPolicy: 'Max', policies: [{ ...percent }] });",
    '',
  ),
  slip(
    'a level that queues without saying how deals hands of another size',
    'component',
    'kinds/flowcontrol/priority-level-configuration.ts',
    '  queuing.handSize ||= 8;',
    '  queuing.handSize ||= 6;',
  ),
  slip(
    'a flow schema without a precedence is the first of all',
    'component',
    'kinds/flowcontrol/flow-schema.ts',
    'const usualPrecedence = 1_000;',
    'const usualPrecedence = 2;',
  ),
  slip(
    'the role of a binding may be of no group',
    'component',
    'kinds/rbac/binding-rules.ts',
    '  binding.roleRef.apiGroup ||= rbacGroup;\n',
    '',
  ),
  slip(
    'a driver of storage that does not say whether it wants to be asked again is not told to be asked once',
    'component',
    'kinds/storage/csi-driver.ts',
    '    spec.requiresRepublish ??= false;\n',
    '',
  ),
  slip(
    'a Service that serves a group is reached at no port',
    'component',
    'kinds/apiregistration/api-service.ts',
    '    if (object.spec.service) object.spec.service.port ??= 443;\n',
    '',
  ),
];
