import { slip } from '../fault.ts';

const escalation = 'authz/escalation.ts';

/** Rights that one may not give to others, or to oneself, without holding them. */
export default [
  slip(
    'whoever may write bindings may bind any role',
    ['role'],
    escalation,
    "if (attributes.resource.resource.endsWith('bindings')) await checkBinding(check, attributes, object);",
    "if (attributes.resource.resource.endsWith('bindings')) return;",
  ),
  slip(
    'an update of a role may grant what its writer does not hold',
    ['role'],
    escalation,
    "operations: ['CREATE', 'UPDATE'], groups: [rbacGroup], resources }",
    "operations: ['CREATE'], groups: [rbacGroup], resources }",
  ),
  slip(
    'whoever may write ClusterRoles may grant in them what he likes',
    ['role'],
    escalation,
    "const resources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];",
    "const resources = ['roles', 'rolebindings', 'clusterrolebindings'];",
  ),
  slip(
    'who holds a right on one object may grant it on all',
    ['role'],
    'authz/rule-cover.ts',
    '(names.length === 0 || (part.name !== undefined && contains(names, part.name)))',
    '(names.length === 0 || part.name === undefined || contains(names, part.name))',
  ),
  slip(
    'to bind one more subject takes no right',
    ['role'],
    'authz/escalation.ts',
    'await checkBinding(check, attributes, object);',
    "await (attributes.operation === 'UPDATE' ? undefined : checkBinding(check, attributes, object));",
  ),
  slip(
    'to bind one more subject in the whole cluster takes no right',
    ['errors', 'role'],
    'authz/escalation.ts',
    'await checkBinding(check, attributes, object);',
    "await (attributes.operation === 'UPDATE' && attributes.resource.resource === 'clusterrolebindings' ? undefined : checkBinding(check, attributes, object));",
  ),
  slip(
    'an update of a ClusterRole may grant URLs that its writer does not hold',
    ['errors'],
    'authz/rule-cover.ts',
    'for (const url of asked.nonResourceURLs ?? none) {',
    'for (const url of none) {',
  ),
  slip(
    'the right to bind one role alone does not hold',
    ['errors'],
    'authz/escalation.ts',
    "'bind', { resource, namespace, name })",
    "'bind', { resource, namespace, name: '' })",
  ),
  slip(
    'the right to escalate in Roles is one for ClusterRoles',
    ['role', 'errors'],
    'authz/escalation.ts',
    "'escalate', { resource: resource.resource, namespace, name }",
    "'escalate', { resource: 'roles', namespace, name }",
  ),
  slip(
    'who holds rights in a namespace may not give them to others there',
    ['role', 'errors'],
    'authz/escalation.ts',
    'const held = check.rbac.rulesFor(user, namespace);',
    "const held = check.rbac.rulesFor(user, namespace && '');",
  ),
  slip(
    'who only rehearses may grant what he does not hold',
    ['dryrun', 'role', 'errors'],
    'authz/escalation.ts',
    'if (!object || user.groups',
    'if (!object || attributes.dryRun || user.groups',
  ),
  slip(
    'who holds a subresource of every resource may not grant it',
    ['errors'],
    'authz/rule-cover.ts',
    'return slash >= 0 && held !== undefined && contains(held, `*/${asked.slice(slash + 1)}`);',
    'return slash >= 0 && held === undefined;',
  ),
  slip(
    'who lacks the rights may take the aggregation off a cluster role',
    ['errors'],
    'authz/escalation.ts',
    'if ([object, attributes.oldObject].some(gathers))',
    'if (gathers(object))',
  ),
  slip(
    'the labels of a role that grants more than its writer holds may change',
    ['errors', 'role'],
    'authz/escalation.ts',
    'ownerReferences: _owners,',
    'ownerReferences: _owners,\n    labels: _labels,',
  ),
  slip(
    'the right to let one role grant more counts for nothing',
    ['errors', 'role'],
    'authz/escalation.ts',
    "const name = operation === 'CREATE' ? '' : attributes.name;",
    "const name = operation ? '' : attributes.name;",
  ),
  slip(
    'the right to let one role grant more is one to make it',
    ['errors', 'role'],
    'authz/escalation.ts',
    "const name = operation === 'CREATE' ? '' : attributes.name;",
    "const name = operation === 'CREATE' ? object.metadata.name || '' : attributes.name;",
  ),
];
