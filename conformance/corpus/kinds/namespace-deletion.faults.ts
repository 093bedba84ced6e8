import { edited } from '../../sabotage/edited.ts';
import { answerWith, changeRequest } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { lenient } from '../meddling.ts';

const namespaceReconcile = '../controllers/namespace/reconcile.ts';
const namespace = 'kinds/core/namespace.ts';
const namespaceLifecycle = 'admission/plugins/namespace-lifecycle.ts';

/** How a namespace goes: its finalizers, finalize, and what may still happen in it. */
export default [
  fault(
    'finalize leaves the finalizers as they are',
    ['namespace', 'deletion'],
    changeRequest('', (body) => edited(body, ['spec'], () => ({ finalizers: ['kubernetes'] })), {
      path: /\/finalize$/,
    }),
  ),
  fault(
    'all namespaces can be deleted at once',
    ['namespace', 'verbs'],
    answerWith(
      200,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
      {
        method: 'DELETE',
        path: /^\/api\/v1\/namespaces$/,
      },
    ),
  ),
  fault(
    'a create in a namespace that is going is accepted',
    ['dryrun', 'namespace', 'admission'],
    lenient({ method: 'POST', path: /\/leases$/ }, [403]),
  ),
  slip(
    'who else holds a namespace by its spec is not asked when it is empty',
    ['namespace', 'component'],
    namespaceReconcile,
    'const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== contentFinalizer);',
    'const finalizers: string[] = [];',
  ),
  slip(
    'custom objects are left behind in a namespace that goes',
    ['namespace'],
    namespaceReconcile,
    "namespaced && verbs.has('list') && verbs.has('delete'));",
    "namespaced && verbs.has('list') && verbs.has('delete')).filter(({ group }) => !group.includes('.') || group.endsWith('.k8s.io'));",
  ),
  slip(
    'a namespace goes while something in it is held',
    ['namespace'],
    namespaceReconcile,
    'return { resource: name, left: items.length, finalizers };',
    'return { resource: name, left: items.filter(({ metadata }) => !metadata?.deletionTimestamp).length, finalizers };',
  ),
  slip(
    'a status of a namespace changes its finalizers',
    ['namespace'],
    namespace,
    '        labelWithName(next);\n        keepSpec(next, previous);\n',
    '        labelWithName(next);\n',
  ),
  slip(
    'a namespace that is going is told as active',
    ['namespace'],
    namespace,
    "    object.status = { ...object.status, phase: 'Terminating' };\n",
    '',
  ),
  slip(
    'finalize changes what is going alone',
    ['namespace'],
    namespace,
    '        labelWithName(next);\n        keepStatus(next, previous);\n',
    '        labelWithName(next);\n        if (!next.metadata.deletionTimestamp) keepSpec(next, previous);\n        keepStatus(next, previous);\n',
  ),
  slip(
    'one finalizer does not hold a namespace',
    ['namespace', 'deletion'],
    namespace,
    '(spec?.finalizers?.length ?? 0) > 0 || !metadata.deletionTimestamp,',
    '(spec?.finalizers?.length ?? 0) > 1 || !metadata.deletionTimestamp,',
  ),
  slip(
    'an update changes what a namespace waits for',
    ['namespace'],
    namespace,
    '    keepSpec(next, previous);\n    keepStatus(next, previous);',
    '    keepStatus(next, previous);',
  ),
  slip(
    'a namespace that is made with finalizers lacks that of the server',
    ['namespace'],
    namespace,
    'asked.includes(ownFinalizer) ? asked : [...asked, ownFinalizer] };',
    'asked.length > 0 ? asked : [...asked, ownFinalizer] };',
  ),
  slip(
    'a new namespace has just the finalizers that were asked for',
    ['namespace'],
    namespace,
    'asked.includes(ownFinalizer) ? asked : [...asked, ownFinalizer]',
    '(asked)',
  ),
  slip(
    'an update takes the finalizers of a namespace away',
    ['namespace'],
    namespace,
    '    labelWithName(next);\n    keepSpec(next, previous);\n    keepStatus(next, previous);',
    '    labelWithName(next);\n    keepStatus(next, previous);',
  ),
  slip(
    'finalize sets the status as well',
    ['namespace', 'paths'],
    namespace,
    '        labelWithName(next);\n        keepStatus(next, previous);\n',
    '        labelWithName(next);\n',
  ),
  slip(
    'finalizers with which a namespace is made are lost',
    ['namespace'],
    namespace,
    '{ finalizers: asked.includes(ownFinalizer) ? asked : [...asked, ownFinalizer] };',
    '{ finalizers: asked.length > 0 ? [ownFinalizer] : [ownFinalizer] };',
  ),
  slip(
    'a namespace that every cluster needs can be deleted',
    ['namespace', 'deletion'],
    'registry/delete.ts',
    'if (why) throw forbidden(subjectOf(resource), call.name, why);',
    '',
  ),
  slip(
    'the namespace that everybody may read may be deleted',
    ['namespace', 'deletion'],
    namespaceLifecycle,
    "new Set(['default', 'kube-system', 'kube-public']);",
    "new Set(['default', 'kube-system']);",
  ),
  slip(
    'a namespace that is going takes new objects',
    ['namespace', 'admission'],
    namespaceLifecycle,
    'if (namespace.metadata.deletionTimestamp) throw terminating(attributes);',
    '',
  ),
  slip(
    'the default namespace may be deleted',
    ['namespace', 'admission'],
    namespaceLifecycle,
    'if (immortal.has(name))',
    "if (immortal.has(name) && name !== 'default')",
  ),
  slip(
    'a namespace that is going takes Events',
    ['namespace', 'event'],
    namespaceLifecycle,
    "except: ['namespaces', 'localsubjectaccessreviews.authorization.k8s.io'],",
    "except: ['namespaces', 'events', 'events.events.k8s.io', 'localsubjectaccessreviews.authorization.k8s.io'],",
  ),
  slip(
    'what is in a namespace that is going cannot be changed',
    ['namespace', 'deletion'],
    namespaceLifecycle,
    "      operations: ['CREATE'],\n",
    "      operations: ['CREATE', 'UPDATE'],\n",
  ),
  slip(
    'custom objects are made in a namespace that is going',
    ['namespace', 'dryrun'],
    'admission/plugins/namespace-lifecycle.ts',
    'if (namespace.metadata.deletionTimestamp) throw',
    "if (namespace.metadata.deletionTimestamp && !attributes.resource.group.includes('example')) throw",
  ),
  slips(
    'a namespace that was made anew is still going',
    ['namespace', 'admission'],
    [
      {
        file: 'admission/plugins/namespace-lifecycle.ts',
        from: 'const immortal: ReadonlySet<string> =',
        to: 'const gone = new Set();\nconst immortal: ReadonlySet<string> =',
      },
      {
        file: 'admission/plugins/namespace-lifecycle.ts',
        from: 'if (known && !known.metadata.deletionTimestamp) return undefined;',
        to: 'if (known?.metadata.deletionTimestamp) gone.add(namespace);\n    if (known && !gone.has(namespace)) return undefined;',
      },
      {
        file: 'admission/plugins/namespace-lifecycle.ts',
        from: 'if (namespace.metadata.deletionTimestamp) throw',
        to: 'if (gone.has(attributes.namespace)) throw',
      },
    ],
  ),
  slip(
    'a namespace that is being deleted goes on being active',
    ['namespace'],
    namespace,
    "object.status = { ...object.status, phase: 'Terminating' };",
    "object.status = { phase: 'Active', ...object.status };",
  ),
  slip(
    'tokens are made out for accounts of a namespace that is going',
    ['admission', 'namespace'],
    'admission/plugins/namespace-lifecycle.ts',
    "subresources: ['*'],",
    "subresources: [''],",
  ),
  slip(
    'finalize removes a namespace that others hold like any object',
    ['deletion', 'namespace'],
    'registry/steps/commit.ts',
    'const held = (metadata.finalizers?.length ?? 0) > 0 ||',
    "const held = ((metadata.finalizers?.length ?? 0) > 0 && call.subresource !== 'finalize') ||",
  ),
  slip(
    'a namespace that its spec does not hold goes though its metadata holds it',
    ['deletion', 'namespace'],
    'registry/steps/commit.ts',
    '(metadata.finalizers?.length ?? 0) > 0 || call.resource.rules.isHeld?.(next) === true;',
    'call.resource.rules.isHeld ? call.resource.rules.isHeld(next) : (metadata.finalizers?.length ?? 0) > 0;',
  ),
  slip(
    'what a namespace tells of its end has no reasons',
    ['namespace', 'component'],
    '../controllers/namespace/plan.ts',
    'return { type, status, lastTransitionTime, reason, message };',
    'return { type, status, lastTransitionTime, message };',
  ),
  slip(
    'a namespace that begins to go loses what is told of it',
    'namespace',
    'kinds/core/namespace.ts',
    "object.status = { ...object.status, phase: 'Terminating' };",
    "object.status = { phase: 'Terminating' };",
  ),
];
