import { slip, slips } from '../fault.ts';

const rbacIndex = 'authz/rbac-index.ts';

/** Whom a binding binds to which role and where, also after it or the role has changed or gone. */
export default [
  slip(
    'a role that changes grants what it granted',
    ['role'],
    rbacIndex,
    'if (current) this.#roles.set(',
    'if (current && this.#roles.has(key)) return;\n    if (current) this.#roles.set(',
  ),
  slip(
    'a binding that changes binds those it bound',
    ['role'],
    rbacIndex,
    'if (before) this.#detach(key, before);',
    'if (before && !current) this.#detach(key, before);',
  ),
  slip(
    'a ClusterRole that is bound in one namespace holds in all',
    ['role'],
    rbacIndex,
    'getOrMake(namespaces, binding.namespace, () => new Map())',
    "getOrMake(namespaces, binding.roleRef.kind === 'ClusterRole' ? '' : binding.namespace, () => new Map())",
  ),
  slip(
    'of the subjects of a binding the first is bound',
    ['role'],
    rbacIndex,
    'subjects: subjects.map((each) => subjectOf(each, namespace))',
    'subjects: subjects.slice(0, 1).map((each) => subjectOf(each, namespace))',
  ),
  slip(
    'a RoleBinding of a ClusterRole holds in every namespace',
    ['role'],
    rbacIndex,
    'getOrMake(namespaces, binding.namespace, () => new Map()).set(',
    "getOrMake(namespaces, binding.roleRef.kind === 'ClusterRole' ? '' : binding.namespace, () => new Map()).set(",
  ),
  slip('a binding that is gone still binds', ['role'], rbacIndex, 'if (before) this.#detach(key, before);', ''),
  slip(
    'a service account in a binding needs its namespace there',
    ['role'],
    rbacIndex,
    'const home = textOf(subject.namespace) || namespace;',
    'const home = textOf(subject.namespace);',
  ),
  slip(
    'roles that gather others do not follow their changes',
    ['role', 'component'],
    '../controllers/cluster-role-aggregation/reconcile.ts',
    'if (!isSame(role.rules, rules)) await',
    'if (!role.rules?.length && !isSame(role.rules, rules)) await',
  ),
  slip(
    'nobody hears which rights RoleBindings give',
    ['role', 'kinds'],
    'authz/rbac.ts',
    "for (const scope of namespace ? ['', namespace] : ['']) {",
    "for (const scope of ['']) {",
  ),
  slip(
    'a service account of another namespace is bound as its namesake',
    ['role'],
    'authz/rbac-index.ts',
    'textOf(subject.namespace) || namespace;',
    'namespace || textOf(subject.namespace);',
  ),
  slip(
    'of the selectors of an aggregated role the first counts',
    ['component'],
    '../controllers/cluster-role-aggregation/plan.ts',
    'selectors.some((selector)',
    'selectors.slice(0, 1).some((selector)',
  ),
  slip(
    'a role that gathers others keeps those that are labelled otherwise by now',
    ['component'],
    '../controllers/cluster-role-aggregation/plan.ts',
    '  return [...rules.values()];',
    '  for (const rule of role.rules ?? []) if (all.some((each) => nameOf(each) !== nameOf(role) && (each.rules ?? []).some((own) => JSON.stringify(own) === JSON.stringify(rule)))) rules.set(JSON.stringify(rule), rule);\n  return [...rules.values()];',
  ),
  slip(
    'a binding that goes takes the other bindings of its subjects with it',
    ['role', 'authn', 'service', 'paths'],
    'authz/rbac-index.ts',
    'if (namespaces?.size === 0) this.#reach.delete(subject);',
    'this.#reach.delete(subject);',
  ),
  slips(
    'a service account is bound whatever its namespace',
    ['role', 'authn'],
    [
      {
        file: 'authz/rbac-index.ts',
        from: 'const keys = [userSubject(user.name)];',
        to: "const keys = [userSubject(user.name), userSubject(user.name.replace(/^system:serviceaccount:[^:]*:/, 'sa '))];",
      },
      {
        file: 'authz/rbac-index.ts',
        from: 'key: userSubject(`system:serviceaccount:${home}:${name}`),',
        to: 'key: userSubject(`sa ${name}`),',
      },
    ],
  ),
  slip(
    'of several bindings of one subject in a namespace the last counts',
    ['impersonate', 'role'],
    'authz/rbac-index.ts',
    '() => new Map()).set(key, { binding, subject: words });',
    "() => new Map()).set(binding.namespace === '' ? key : 'one', { binding, subject: words });",
  ),
  slip(
    'a cluster-wide binding may be of a role in a namespace',
    ['component', 'role'],
    'kinds/rbac/cluster-role-binding.ts',
    "bindingRules(['ClusterRole'], true)",
    "bindingRules(['ClusterRole', 'Role'], true)",
  ),
  slip(
    'a service account that is bound everywhere need not say where it is',
    ['component', 'role'],
    'kinds/rbac/binding-rules.ts',
    "        ...(clusterWide && !namespace ? [required(at.child('namespace'))] : []),\n",
    '',
  ),
  slip('a role that was deleted goes on granting its rules', ['role'], rbacIndex, 'else this.#roles.delete(key);', ''),
  slips(
    'a ClusterRole bound in a namespace holds for named objects that are in none',
    ['role', 'paths', 'errors'],
    [
      {
        file: 'authz/rbac.ts',
        from: "action.type === 'resource' && action.namespace ? ['', action.namespace] : ['']",
        to: "action.type === 'resource' && (action.namespace || action.name) ? ['', action.namespace || '*'] : ['']",
      },
      {
        file: rbacIndex,
        from: '    return this.#reach.get(subject)?.get(namespace)?.values() ?? [];',
        to: "    if (namespace === '*') return [...(this.#reach.get(subject)?.entries() ?? [])].flatMap(([where, found]) => (where ? [...found.values()] : []));\n    return this.#reach.get(subject)?.get(namespace)?.values() ?? [];",
      },
    ],
  ),
  slip(
    'a user has the rights of the group of that name',
    ['role', 'errors'],
    rbacIndex,
    'const groupSubject = (name: string): SubjectKey => `g ${name}`;',
    'const groupSubject = (name: string): SubjectKey => `u ${name}`;',
  ),
  slip(
    'groups of a binding that name no API group are left without one',
    ['role'],
    'kinds/rbac/binding-rules.ts',
    "(subject.kind === 'User' || subject.kind === 'Group')",
    "subject.kind === 'User'",
  ),
  slip(
    'a binding to a Role is one to the ClusterRole of that name where there is one',
    ['role'],
    'authz/rbac-index.ts',
    'return this.#roles.get(roleKey(ref.kind, namespace, ref.name));',
    "return this.#roles.get(roleKey('ClusterRole', namespace, ref.name)) ?? this.#roles.get(roleKey(ref.kind, namespace, ref.name));",
  ),
  slip(
    'expressions by which a role gathers others are not looked at',
    ['component'],
    '../controllers/cluster-role-aggregation/plan.ts',
    'matches(selector, each.metadata?.labels)',
    'matches({ matchLabels: selector.matchLabels ?? {} }, each.metadata?.labels)',
  ),
];
