import { slip } from '../fault.ts';

/** What the built-in plugins fill in and refuse, but for quotas: limit ranges, priorities, taints, images, accounts. */
export default [
  slip(
    'what a limit range fills in is for the first container',
    ['admission'],
    'admission/plugins/limit-range/container-defaults.ts',
    '...containers.flatMap((container) => fill(',
    '...containers.slice(0, 1).flatMap((container) => fill(',
  ),
  slip(
    'a finalizer that protects storage replaces others',
    ['admission', 'meta'],
    'admission/plugins/storage-object-in-use-protection.ts',
    'metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];',
    'metadata.finalizers = [finalizer];',
  ),
  slip(
    'a node with taints is not marked as not ready',
    ['admission'],
    'admission/plugins/taint-nodes-by-condition.ts',
    'if (taints.some((taint) => taint.key === key && taint.effect === effect)) return;',
    'if (taints.length > 0 || taints.some((taint) => taint.key === key && taint.effect === effect)) return;',
  ),
  slip(
    'a pod that names no class has no priority',
    ['admission'],
    'admission/plugins/priority.ts',
    '  spec.priority = value;\n',
    '  if (metadata.name) spec.priority = value;\n',
  ),
  slip(
    'the account of a pod is default, whatever it says in the old way',
    ['admission', 'authn'],
    'admission/plugins/service-account.ts',
    'spec.serviceAccountName ||= spec.serviceAccount || defaultAccount;',
    'spec.serviceAccountName = defaultAccount;',
  ),
  slip(
    'containers that run first need not keep to limit ranges',
    ['admission'],
    'admission/plugins/limit-range/limit-checks.ts',
    'return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>',
    'return [...(spec.containers ?? [])].flatMap(({ resources }) =>',
  ),
  slip(
    'images are pulled always only where none were brought',
    ['admission'],
    'admission/plugins/always-pull-images.ts',
    '{\n    if (!bringsImages(attributes)) return;\n    for',
    '{\n    if (!(!bringsImages(attributes))) return;\n    for',
  ),
  slip(
    'images of init containers are not pulled always',
    ['admission'],
    'admission/plugins/always-pull-images.ts',
    "'initContainers', ",
    '',
  ),
  slip(
    'a limit range does not bound init containers',
    ['admission'],
    'admission/plugins/limit-range/limit-checks.ts',
    'return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(',
    'return [...(spec.containers ?? [])].flatMap(',
  ),
  slip(
    'a pod cannot have the token that its account does not mount',
    ['admission', 'authn'],
    'admission/plugins/service-account.ts',
    'spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;',
    'spec.automountServiceAccountToken !== false && account.automountServiceAccountToken !== false;',
  ),
  slip(
    'a limit range does not bound what a whole pod has as limits by what it requests',
    ['admission'],
    'admission/plugins/limit-range/limit-checks.ts',
    '...broken((name) => `${name} max limit to request ratio per ${type}`, maxLimitRequestRatio,',
    "...broken((name) => `${name} max limit to request ratio per ${type}`, type === 'Pod' ? undefined : maxLimitRequestRatio,",
  ),
  slip(
    'a pod pulls its images as its account does, whatever it says',
    ['admission'],
    'admission/plugins/service-account.ts',
    'if (!spec.imagePullSecrets?.length && account',
    'if (account',
  ),
];
