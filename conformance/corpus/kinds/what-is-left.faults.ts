import { slip } from '../fault.ts';

/** What quotas, budgets and namespaces are told of pods that ended, and of what is left; what is put back. */
export default [
  slip(
    'a pod that failed counts for its quota for ever',
    ['admission', 'component'],
    '../controllers/resource-quota/plan.ts',
    "if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;",
    "if (status?.phase === 'Succeeded') return false;",
  ),
  slip(
    'a pod that succeeded counts for its quota for ever',
    ['admission', 'component'],
    '../controllers/resource-quota/plan.ts',
    "if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;",
    "if (status?.phase === 'Failed') return false;",
  ),
  slip(
    'a pod that is not ready costs its budget what one costs that is',
    ['names', 'kinds', 'component'],
    'kinds/core/pod/eviction.ts',
    '!isReady(pod) && (status.desiredHealthy ?? 0) > 0',
    'isReady(pod) && !isReady(pod) && (status.desiredHealthy ?? 0) > 0',
  ),
  slip(
    'a namespace does not tell which finalizers hold what is left in it',
    ['namespace', 'component'],
    '../controllers/namespace/plan.ts',
    "verdict('NamespaceFinalizersRemaining', holding, {",
    "verdict('NamespaceFinalizersRemaining', [], {",
  ),
  slip(
    'a root certificate that somebody changed in a namespace stays so',
    ['namespace', 'component'],
    '../controllers/root-ca/reconcile.ts',
    "map.data?.['ca.crt'] !== certificate || Object.keys(map.data).length !== 1",
    "map.data?.['ca.crt'] === undefined",
  ),
  slip(
    'a pod that is not ready costs its budget something where just enough are',
    ['names'],
    'kinds/core/pod/eviction.ts',
    '(status.currentHealthy ?? 0) >= (status.desiredHealthy ?? 0);',
    '(status.currentHealthy ?? 0) > (status.desiredHealthy ?? 0);',
  ),
  slip(
    'a root certificate that somebody deletes in a namespace does not come back',
    ['component', 'namespace'],
    '../controllers/root-ca/reconcile.ts',
    'bringing(configMaps, (map) => (nameOf(map) === name ?',
    'bringing(configMaps, (map, read) => (nameOf(map) === name && read(configMaps).find(keyFor(namespaceOf(map), name)) ?',
  ),
  slip(
    'a namespace that was emptied says for ever what was left in it',
    ['component', 'namespace'],
    '../controllers/namespace/plan.ts',
    "const status = bad ? 'True' : 'False';",
    "const status = bad || old?.status === 'True' ? 'True' : 'False';",
  ),
  slip(
    'a namespace tells once what is left in it',
    ['component', 'namespace'],
    '../controllers/namespace/plan.ts',
    'old.reason === reason && old.message === message) return old;',
    'old.reason === reason) return old;',
  ),
  slip(
    'a namespace that somebody else holds is let go without a word that it is empty',
    ['component', 'namespace'],
    '../controllers/namespace/reconcile.ts',
    'if (isEmpty(findings) && isHeldByUsAlone(namespace))',
    'if (isEmpty(findings) && (isHeldByUsAlone(namespace) || namespace))',
  ),
];
