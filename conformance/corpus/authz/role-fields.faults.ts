import { edited } from '../../sabotage/edited.ts';
import { changeRequest } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { itemsOf } from '../matches.ts';
import { lenient } from '../meddling.ts';

const policyRules = 'kinds/rbac/policy-rules.ts';

/** What Roles and bindings may hold, and what they keep of it. */
export default [
  fault('a Role may lack its verbs', 'role', lenient({ method: 'POST', path: /\/roles$/ })),
  fault(
    'a Role that is replaced holds for every name',
    ['role', 'verbs'],
    changeRequest('', (body) => edited(body, ['rules', '*', 'resourceNames'], () => undefined), {
      method: 'PUT',
      path: itemsOf('roles'),
    }),
  ),
  slip(
    'a Role that is updated without rules keeps them',
    ['role', 'verbs'],
    'kinds/rbac/role-rules.ts',
    "  withEmptyLists: (role: KubeObject) => emptyListsAreNull(role, ['rules']),\n",
    "  withEmptyLists: (role: KubeObject) => emptyListsAreNull(role, ['rules']),\n  prepareUpdate: (next: T, previous: T) => {\n    next['rules'] ??= previous['rules'];\n  },\n",
  ),
  slip(
    'the role of a binding may change to another kind of role',
    ['role'],
    'kinds/rbac/binding-rules.ts',
    '  sameValue(next.roleRef, previous.roleRef)\n',
    '  next.roleRef?.name === previous.roleRef?.name\n',
  ),
  slip(
    'a rule of a role is checked for what it does not speak of',
    ['role'],
    policyRules,
    'some(rule.nonResourceURLs)',
    '!(some(rule.nonResourceURLs))',
  ),
  slip(
    'a Role may name URLs',
    ['role'],
    policyRules,
    '...(namespaced ? [invalidValue(urls',
    '...(namespaced && mixed ? [invalidValue(urls',
  ),
  slip(
    'a rule may grant resources and URLs',
    ['role'],
    policyRules,
    '...(mixed ? [invalidValue(',
    '...(mixed && namespaced ? [invalidValue(',
  ),
  slip(
    'a group in a binding has to say of which API it is',
    ['role', 'component'],
    'kinds/rbac/binding-rules.ts',
    "(subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = rbacGroup;",
    "subject.kind === 'User') subject.apiGroup = rbacGroup;",
  ),
  slips(
    'what a role becomes by an update is not looked at',
    ['role'],
    [
      { file: 'kinds/rbac/role-rules.ts', from: '  validate,\n', to: '  validateCreate: validate,\n' },
      { file: 'kinds/rbac/role-rules.ts', from: '=> validate(next, context),', to: '=> [],' },
    ],
  ),
  slip(
    'a ClusterRole may gather others by nothing',
    ['component'],
    'kinds/rbac/cluster-role.ts',
    "  if (selectors.length === 0) return [required(selectorsAt, 'an aggregation rule needs at least one selector')];\n",
    '',
  ),
  slip(
    'a rule of a role needs no group',
    ['role', 'component'],
    'kinds/rbac/policy-rules.ts',
    '  ...(some(rule.apiGroups)\n    ? []',
    '  ...(some(rule.apiGroups) || some(rule.resources)\n    ? []',
  ),
  slip(
    'a rule may grant paths beside names',
    ['role', 'component'],
    'kinds/rbac/policy-rules.ts',
    'some(rule.apiGroups) || some(rule.resources) || some(rule.resourceNames)',
    'some(rule.apiGroups) || some(rule.resources)',
  ),
  slip(
    'an account in a binding may be of any name',
    ['component'],
    'kinds/rbac/binding-rules.ts',
    "        ...named(name, dnsSubdomain, at.child('name')),\n",
    '',
  ),
  slip(
    'an account in a binding may be of a group',
    ['component'],
    'kinds/rbac/binding-rules.ts',
    "        ...oneOf(apiGroup, [''], at.child('apiGroup')),\n",
    '',
  ),
  slip(
    'the role of a binding may be of any group',
    ['component'],
    'kinds/rbac/binding-rules.ts',
    "    ...oneOf(apiGroup, [rbacGroup], ref.child('apiGroup')),\n",
    '',
  ),
  slip(
    'a rule may grant paths beside groups',
    ['role', 'component'],
    'kinds/rbac/policy-rules.ts',
    'some(rule.apiGroups) || some(rule.resources) ||',
    'some(rule.resources) ||',
  ),
];
