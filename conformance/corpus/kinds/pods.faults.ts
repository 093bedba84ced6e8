import { slip, slips } from '../fault.ts';

/** Pods: what they may say, evictions, bindings, and priority classes. */
export default [
  slip(
    'how a class of priority preempts may change',
    ['kinds', 'component'],
    'kinds/scheduling/priority-class.ts',
    "    ...immutable(next.preemptionPolicy, previous.preemptionPolicy, FieldPath.of('preemptionPolicy')),\n",
    '',
  ),
  slip(
    'a priority class does not say that it preempts',
    ['component', 'admission'],
    'kinds/scheduling/priority-class.ts',
    "object.preemptionPolicy ??= 'PreemptLowerPriority';",
    '',
  ),
  slip(
    'tolerations of a pod that runs may be taken away',
    ['kinds', 'component'],
    'kinds/core/pod/update.ts',
    'return before.every((toleration) => kept.has(key(toleration)))',
    'return after.length < before.length || before.every((toleration) => kept.has(key(toleration)))',
  ),
  slip(
    'a pod that has not begun is not evicted without its budget',
    ['kinds', 'component'],
    'kinds/core/pod/eviction.ts',
    "['Succeeded', 'Failed', 'Pending'].includes(",
    "['Succeeded', 'Failed'].includes(",
  ),
  slip(
    'the preconditions of an eviction are not looked at',
    ['names', 'params'],
    'kinds/core/pod/eviction.ts',
    'const options = eviction.deleteOptions ?? {};',
    'const { preconditions: _, ...options } = eviction.deleteOptions ?? {};',
  ),
  slip(
    'a pod that has a node may be bound again',
    ['names', 'paths'],
    'kinds/core/pod/binding.ts',
    'if (pod.spec?.nodeName) throw',
    'if (false) throw',
  ),
  slip(
    'a probe may have any scheme and has to have one',
    ['component'],
    'kinds/core/pod/handlers.ts',
    'httpGet.scheme ',
    '!(httpGet.scheme) ',
  ),
  slip(
    'who is not privileged may not forbid more privileges',
    ['component'],
    'kinds/core/pod/security.ts',
    'context.privileged',
    '!(context.privileged)',
  ),
  slip(
    'containers of a pod get their defaults up to the first',
    ['component'],
    'kinds/core/pod/defaults.ts',
    '    ...(spec.containers ?? []),\n    ...(spec.eph',
    '    ...(spec.containers ?? []).slice(0, 1),\n    ...(spec.eph',
  ),
  slip(
    'containers that run first get no defaults',
    ['component'],
    'kinds/core/pod/defaults.ts',
    '    ...(spec.initContainers ?? []),\n    ...(spec.containers ?? []),\n    ...',
    '    ...(spec.containers ?? []),\n    ...',
  ),
  slip(
    'of the preconditions of an eviction the uid alone counts',
    ['names', 'params'],
    'kinds/core/pod/eviction.ts',
    'const options = eviction.deleteOptions ?? {};',
    'const options = { ...eviction.deleteOptions };\n  if (options.preconditions) options.preconditions = { uid: options.preconditions.uid };',
  ),
  slip(
    'containers that were added to a running pod may be changed',
    ['service', 'component', 'kinds', 'meta'],
    'kinds/core/pod/update.ts',
    'return sameValue(now, container)',
    'return sameValue(now.name, container.name)',
  ),
  slip(
    'a binding is of any pod that has the name',
    ['kinds', 'names', 'verbs', 'component'],
    'kinds/core/pod/binding.ts',
    "for (const field of ['uid', 'resourceVersion'] as const)",
    "for (const field of ['resourceVersion'] as const)",
  ),
  slips(
    'the time that a pod has may be made longer',
    ['kinds', 'component', 'admission'],
    [
      {
        file: 'kinds/core/pod/update.ts',
        from: 'return before !== undefined && after > before\n',
        to: 'return before !== undefined && after < 0\n',
      },
    ],
  ),
  slip(
    'the value of a priority class may change',
    ['kinds', 'component', 'admission'],
    'kinds/scheduling/priority-class.ts',
    "    ...(next.value === previous.value ? [] : [forbiddenField('value', 'may not be changed in an update.')]),\n",
    '',
  ),
];
