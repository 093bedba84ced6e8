import { type Fault, slip } from './fault.ts';

const collector = '../controllers/garbage-collection/collector.ts';
const establish = 'custom-resources/establish.ts';

/** What loops beside the server do in the plainest case, and for one sort of object, state or change do not. */
export const bunglingSlips: readonly Fault[] = [
  slip(
    'a Job that failed tells when it was complete',
    ['job'],
    '../controllers/job/plan.ts',
    "if (verdict.type === 'Complete') completionTime = formatTime(now);",
    'completionTime = formatTime(now);',
  ),
  slip(
    'a pod that is not ready is in no slice',
    ['endpointslice'],
    '../controllers/endpoint-slice/plan.ts',
    "      pod.status?.phase !== 'Succeeded' &&",
    "      (isReady(pod) || isDeleting(pod)) &&\n      pod.status?.phase !== 'Succeeded' &&",
  ),
  slip(
    'custom objects that nobody owns any more stay',
    ['component', 'deletion'],
    collector,
    'const isCollectable = ({ group, plural, verbs }: ServedResource): boolean =>\n',
    "const isCollectable = ({ group, plural, verbs }: ServedResource): boolean =>\n  (!group.includes('.') || group.endsWith('.k8s.io')) &&\n",
  ),
  slip(
    'what is owned by an object of no namespace stays when that goes',
    ['component', 'deletion'],
    collector,
    "if (!served || (served.namespaced && !namespace)) return 'unknown';",
    "if (!served || !served.namespaced || !namespace) return 'unknown';",
  ),
  slip(
    'whoever has the name of an owner is taken for the owner',
    ['component', 'deletion'],
    collector,
    "return found && uidOf(found) === owner.uid ? stateOfObject(found) : 'absent';",
    "return found ? stateOfObject(found) : 'absent';",
  ),
  slip(
    'what is deleted is counted by its quota for ever',
    ['admission', 'component'],
    '../controllers/resource-quota/reconcile.ts',
    'if (isLower(used, quota.status?.used) && falling.get(key) !== versionOf(quota)) {',
    'if (isLower(used, quota.status?.used)) {',
  ),
  slip(
    'a new version in which objects are stored is not noted',
    ['service', 'versioning', 'component'],
    'custom-resources/definition.ts',
    'if (storage !== undefined && !stored.includes(storage)) definition',
    'if (storage !== undefined && stored.length === 0) definition',
  ),
  slip(
    'a definition that has short names keeps them',
    ['service', 'component', 'paths'],
    establish,
    'else if (shortNames.length > 0) names.shortNames = shortNames;',
    'else if (shortNames.length > 0) names.shortNames ??= shortNames;',
  ),
  slip(
    'roles that gather others do not follow their changes',
    ['role', 'component'],
    '../controllers/cluster-role-aggregation/reconcile.ts',
    'if (!isSame(role.rules, rules)) await',
    'if (!role.rules?.length && !isSame(role.rules, rules)) await',
  ),
  slip(
    'the account of a namespace that is deleted is not made again',
    ['component'],
    '../controllers/service-account/reconcile.ts',
    'bringing(serviceAccounts, (account) => (nameOf(account) === defaultAccount ? [namespaceOf(account)] : [])),',
    '',
  ),
  slip(
    'who else holds a namespace by its spec is not asked when it is empty',
    ['namespace', 'component'],
    '../controllers/namespace/reconcile.ts',
    'const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentFinalizer);',
    'const finalizers: string[] = [];',
  ),
  slip(
    'what a limit range fills in is for the first container',
    ['admission'],
    'admission/plugins/limit-range/container-defaults.ts',
    '...containers.flatMap((container) => fill(',
    '...containers.slice(0, 1).flatMap((container) => fill(',
  ),
];
