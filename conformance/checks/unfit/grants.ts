import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged } from './judged-kind.ts';

const { roles, clusterRoles, roleBindings, clusterRoleBindings } = kindPaths;

const rule = (more: Json): Json => ({
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], ...more }],
});
const none = { apiGroups: undefined, resources: undefined };
const rbac = 'rbac.authorization.k8s.io';
const subject = (more: Json): Json => ({
  subjects: [
    { kind: 'Group', apiGroup: rbac, name: 'some' },
    { kind: 'User', apiGroup: rbac, name: 'a', ...more },
  ],
});

/** Rules that grant nothing that there could be. */
const unfitRules = {
  'no verbs': rule({ verbs: [] }),
  'no resources': rule({ resources: [] }),
  'no groups': rule({ apiGroups: [] }),
  'a path and resources': rule({ nonResourceURLs: ['/a'] }),
  'a path and groups': rule({ resources: undefined, nonResourceURLs: ['/a'] }),
  'a path and names': rule({ ...none, resourceNames: ['a'], nonResourceURLs: ['/a'] }),
  'a path in no way': rule({ ...none, verbs: [], nonResourceURLs: ['/a'] }),
};

/** Bindings of nobody who there could be, or to nothing. */
const unfitBindings = {
  'a subject without a name': subject({ name: '' }),
  'an unknown subject': subject({ kind: 'Other' }),
  'a subject whose kind is written small': subject({ kind: 'user' }),
  'a user of another group': subject({ apiGroup: 'example.com' }),
  'an account of a group': subject({ kind: 'ServiceAccount', namespace: 'default' }),
  'an account of a bad name': subject({
    kind: 'ServiceAccount',
    apiGroup: '',
    name: 'Not_A_Name',
    namespace: 'default',
  }),
};
const unfitRefs = {
  'a role of another group': { roleRef: { apiGroup: 'example.com' } },
  'a role without a name': { roleRef: { name: '' } },
};
const givenRefs = { 'an unknown sort of role': { roleRef: { kind: 'User' } } };

/** What gives rights, and to whom. */
export const unfitGrants: readonly JudgedKind[] = [
  judged(roles, { refused: { ...unfitRules, 'a path': rule({ ...none, nonResourceURLs: ['/a'] }) } }),
  judged(clusterRoles, {
    refused: {
      ...unfitRules,
      'others by nothing': { aggregationRule: { clusterRoleSelectors: [] } },
      'others by no selector': { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'Not A Key': 'a' } }] } },
    },
    fitting: { 'a path': rule({ ...none, nonResourceURLs: ['/a', '/b/*', '*'] }) },
  }),
  judged(roleBindings, {
    refused: unfitBindings,
    fresh: unfitRefs,
    given: givenRefs,
    fixed: {
      'another role': { roleRef: { name: 'touchstone-other' } },
      'a role of another kind': { roleRef: { kind: 'ClusterRole' } },
    },
    fitting: { 'an account of its own namespace': { subjects: [{ kind: 'ServiceAccount', name: 'a' }] } },
  }),
  judged(clusterRoleBindings, {
    refused: {
      ...unfitBindings,
      'an account in no namespace': subject({ kind: 'ServiceAccount', apiGroup: '' }),
      'a role of a namespace': { roleRef: { kind: 'Role' } },
    },
    fresh: unfitRefs,
    given: givenRefs,
    fixed: { 'another role': { roleRef: { name: 'touchstone-other' } } },
  }),
];
