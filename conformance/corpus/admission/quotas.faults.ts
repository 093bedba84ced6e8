import { slip } from '../fault.ts';

/** What counts against a ResourceQuota, how much of it, and when it is given back. */
export default [
  slip(
    'what is deleted is counted by its quota for ever',
    ['admission', 'component'],
    '../controllers/resource-quota/reconcile.ts',
    'if (isLower(used, quota.status?.used) && falling.get(key) !== versionOf(quota)) {',
    'if (isLower(used, quota.status?.used)) {',
  ),
  slip(
    'a quota heeds the first of its resources',
    ['admission'],
    'admission/plugins/quota/resource-amounts.ts',
    'const names = [...requested].filter(',
    'const names = [...requested].slice(0, 1).filter(',
  ),
  slip(
    'of two quotas of a namespace one is heeded',
    ['admission'],
    'admission/plugins/resource-quota.ts',
    'const relevant = relevantOf(resourceQuotas.in(namespace), evaluator, object);',
    'const relevant = relevantOf(resourceQuotas.in(namespace), evaluator, object).slice(0, 1);',
  ),
  slip(
    'what a refused write had taken of a quota is not given back',
    ['admission'],
    'admission/plugins/resource-quota.ts',
    'attributes.onAbandon(giveBack);',
    'void giveBack;',
  ),
  slip(
    'a Service that comes to need ports of the nodes is not counted by quotas',
    ['admission'],
    'admission/plugins/quota/services.ts',
    'updatesUseMore: true,',
    'updatesUseMore: false,',
  ),
  slip(
    'a quota counts objects of the core group alone',
    ['admission'],
    'admission/plugins/quota/evaluators.ts',
    'countedByName(group ? `${resource}.${group}` : resource);',
    "countedByName(group ? '' : resource);",
  ),
  slip(
    'the middle version of the file about limited resources is not known',
    ['admission'],
    'admission/plugins/quota/limited-resources.ts',
    "'resourcequota.admission.k8s.io/v1beta1 Configuration',\n  ",
    '',
  ),
  slip(
    'a quota for pods without an end holds those that have one',
    ['admission'],
    'admission/plugins/quota/pods.ts',
    "case 'NotTerminating':\n      return !ends;",
    "case 'NotTerminating':\n      return true;",
  ),
  slip(
    'containers that run first are counted beside the others',
    ['admission'],
    'admission/plugins/quota/pods.ts',
    '(most, container) => largest(most, own(container)), together)',
    '(most, container) => plus(most, own(container)), together)',
  ),
  slip(
    'an amount with a binary suffix counts as next to nothing',
    ['admission', 'fields'],
    'base/quantity.ts',
    'const roundedUp = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator;',
    'const roundedUp = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / numerator;',
  ),
  slip(
    'of the quotas of a namespace one counts',
    ['admission'],
    'admission/plugins/resource-quota.ts',
    'relevantOf(resourceQuotas.in(namespace), evaluator, object);',
    'relevantOf(resourceQuotas.in(namespace), evaluator, object).slice(0, 1);',
  ),
  slip(
    'a quota for counts by name is not kept',
    ['admission'],
    'admission/plugins/quota/evaluators.ts',
    'objectCount(`count/${name}`, counted.has(name) ? name : undefined)',
    'objectCount(counted.has(name) ? name : undefined)',
  ),
];
