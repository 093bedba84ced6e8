import { slip, slips } from '../fault.ts';

/** What a limit range bounds and fills in, of containers, pods and claims. */
export default [
  slip(
    'what a limit range fills in is for the first container',
    ['admission'],
    'admission/plugins/limit-ranger/container-defaults.ts',
    '...containers.flatMap((container) => fill(',
    '...containers.slice(0, 1).flatMap((container) => fill(',
  ),
  slip(
    'containers that run first need not keep to limit ranges',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    'return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>',
    'return [...(spec.containers ?? [])].flatMap(({ resources }) =>',
  ),
  slip(
    'a limit range does not bound init containers',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    'return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(',
    'return [...(spec.containers ?? [])].flatMap(',
  ),
  slip(
    'a limit range does not bound what a whole pod has as limits by what it requests',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    '...broken((name) => `${name} max limit to request ratio per ${type}`, maxLimitRequestRatio,',
    "...broken((name) => `${name} max limit to request ratio per ${type}`, type === 'Pod' ? undefined : maxLimitRequestRatio,",
  ),
  slip(
    'of the limit ranges of a namespace one fills in',
    ['admission'],
    'admission/plugins/limit-ranger/limit-ranger.ts',
    'for (const range of limitRanges.in(namespace)) fill',
    'for (const range of limitRanges.in(namespace).slice(0, 1)) fill',
  ),
  slip(
    'a limit range fills nothing into containers that run first',
    ['admission'],
    'admission/plugins/limit-ranger/container-defaults.ts',
    "    ...initContainers.flatMap((container) => fill(container, 'init container', requests, limits)),\n",
    '',
  ),
  slip(
    'a limit range does not bound claims',
    ['admission'],
    'admission/plugins/limit-ranger/limit-ranger.ts',
    ', persistentvolumeclaims: claimProblems }',
    ' }',
  ),
  slip(
    'a limit range does not bound what may be taken by what is asked for',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    '  ...broken((name) => `${name} max limit to request ratio per ${type}`, maxLimitRequestRatio, ratioAtMost, given),\n',
    '',
  ),
  slip(
    'a limit range for whole pods adds what runs first to what runs later',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    'if (!before || above(amount, before)) sum.set(name, amount);',
    'sum.set(name, before ? addQuantities(before, amount) : amount);',
  ),
  slip(
    'a limit range without default requests asks for the least, not for the limit',
    ['component', 'admission'],
    'kinds/core/limit-range.ts',
    'const requests = { ...item.min, ...limits, ...item.defaultRequest };',
    'const requests = { ...limits, ...item.min, ...item.defaultRequest };',
  ),
  slip(
    'a claim may grow beyond its limit range',
    ['admission'],
    'admission/plugins/limit-ranger/limit-ranger.ts',
    "writes('', 'persistentvolumeclaims', 'CREATE', 'UPDATE')",
    "writes('', 'persistentvolumeclaims', 'CREATE')",
  ),
  slip(
    'what a limit range allows of a pod does not count the peak of an init container',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    '        if (!before || above(amount, before)) sum.set(name, amount);',
    '        if (!before) sum.set(name, amount);',
  ),
  slip(
    'a limit range may give a default request above the default limit',
    ['component'],
    'kinds/core/limit-range.ts',
    "  { low: 'defaultRequest', high: 'default', at: 'defaultRequest', words: ['default request', 'default limit'] },\n",
    '',
  ),
  slip(
    'a container without a limit keeps to any ratio of a limit range',
    ['admission'],
    'admission/plugins/limit-ranger/limit-checks.ts',
    "if (!limit || limit.nanos === 0n) return ', but no limit is specified or limit is 0';",
    'if (!limit || limit.nanos === 0n) return undefined;',
  ),
  slip(
    'the least that a limit range allows is not requested for those who ask for nothing',
    ['admission'],
    'kinds/core/limit-range.ts',
    'const requests = { ...item.min, ...limits, ...item.defaultRequest };',
    'const requests = { ...limits, ...item.defaultRequest };',
  ),
  slip(
    'a limit range may demand more than it allows of what has no defaults',
    ['component'],
    'kinds/core/limit-range.ts',
    "{ low: 'min', high: 'max', at: 'min', words: ['min', 'max'] },",
    '',
  ),
  slip(
    'a limit range fills nothing into what is applied',
    ['admission'],
    'admission/plugins/limit-ranger/limit-ranger.ts',
    "if (resource.resource !== 'pods') return;",
    "if (resource.resource !== 'pods' || object?.metadata.managedFields?.some((each) => each.operation === 'Apply')) return;",
  ),
  slips(
    'a limit range that is gone goes on to bound',
    ['admission'],
    [
      {
        file: 'admission/plugins/limit-ranger/limit-ranger.ts',
        from: "cares: [writes('', 'pods', 'CREATE'),",
        to: "once: new Map(),\n  cares: [writes('', 'pods', 'CREATE'),",
      },
      {
        file: 'admission/plugins/limit-ranger/limit-ranger.ts',
        from: 'for (const range of limitRanges.in(attributes.namespace)) {',
        to: `for (const range of limitRanges.in(attributes.namespace)) this.once.set(range.metadata.uid, range);
    for (const range of this.once.values()) {
      if (range.metadata.namespace !== attributes.namespace) continue;`,
      },
    ],
  ),
];
