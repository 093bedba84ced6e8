import { describe, expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import type { KindRules } from '../strategy.ts';
import { clusterRole } from './cluster-role.ts';
import { clusterRoleBinding } from './cluster-role-binding.ts';
import { role } from './role.ts';
import { roleBinding } from './role-binding.ts';

const group = 'rbac.authorization.k8s.io';
const ref = { apiGroup: group, kind: 'ClusterRole', name: 'view' };

const table: readonly [string, KindRules, object, readonly string[]][] = [
  ['a role may be empty', role, { rules: [] }, []],
  [
    'an empty rule lacks everything',
    role,
    { rules: [{}] },
    ['rules[0].verbs Required', 'rules[0].apiGroups Required', 'rules[0].resources Required'],
  ],
  ['what exists is not asked', role, { rules: [{ verbs: [''], apiGroups: ['*'], resources: ['x', '*/scale'] }] }, []],
  [
    'a role grants no URLs',
    role,
    { rules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }] },
    ['rules[0].nonResourceURLs Invalid'],
  ],
  [
    'nor both in one rule',
    role,
    { rules: [{ verbs: ['get'], nonResourceURLs: ['/a'], resourceNames: ['x'] }] },
    ['rules[0].nonResourceURLs Invalid', 'rules[0].nonResourceURLs Invalid'],
  ],
  ['a cluster role grants URLs', clusterRole, { rules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }] }, []],
  [
    'but not in one rule with resources',
    clusterRole,
    { rules: [{ nonResourceURLs: ['/a'], resources: ['x'] }] },
    ['rules[0].verbs Required', 'rules[0].nonResourceURLs Invalid'],
  ],
  [
    'aggregation needs selectors',
    clusterRole,
    { aggregationRule: {} },
    ['aggregationRule.clusterRoleSelectors Required'],
  ],
  [
    'that are valid',
    clusterRole,
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] } },
    ['aggregationRule.clusterRoleSelectors[0].matchLabels Invalid', 'aggregationRule.clusterRoleSelectors[0] Invalid'],
  ],
  [
    'a cluster role gathers by a value that no label has',
    clusterRole,
    {
      aggregationRule: {
        clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] }],
      },
    },
    ['aggregationRule.clusterRoleSelectors[0] Invalid'],
  ],
  ['a binding without a role', roleBinding, {}, ['roleRef.kind NotSupported', 'roleRef.name Required']],
  [
    'of another group and a bad name',
    roleBinding,
    { roleRef: { apiGroup: 'apps', kind: 'Role', name: 'a/b' } },
    ['roleRef.apiGroup NotSupported', 'roleRef.name Invalid'],
  ],
  [
    'a cluster-wide binding of a role',
    clusterRoleBinding,
    { roleRef: { ...ref, kind: 'Role' } },
    ['roleRef.kind NotSupported'],
  ],
  [
    'unknown subjects',
    roleBinding,
    { roleRef: ref, subjects: [{ kind: 'user', name: 'a' }, { kind: 'User' }] },
    ['subjects[0].kind NotSupported', 'subjects[1].name Required'],
  ],
  [
    'subjects of other groups',
    roleBinding,
    {
      roleRef: ref,
      subjects: [
        { kind: 'Group', name: 'a', apiGroup: 'x' },
        { kind: 'ServiceAccount', name: 'a', apiGroup: group },
      ],
    },
    ['subjects[0].apiGroup NotSupported', 'subjects[1].apiGroup NotSupported'],
  ],
  [
    'a service account with a bad name',
    roleBinding,
    { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 'S A' }] },
    ['subjects[0].name Invalid'],
  ],
  [
    'and cluster-wide without a namespace',
    clusterRoleBinding,
    { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
    ['subjects[0].namespace Required'],
  ],
];

describe('creating', () => {
  test.each(table)('%s', async (_, rules, fields, causes) => {
    expect((await tryCreate(rules, sample(rules, fields))).causes).toEqual(causes);
  });

  test('fills in the group of roles, users and groups', async () => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', name: 's', apiGroup: '' },
    ];
    const { object } = await tryCreate(
      roleBinding,
      sample(roleBinding, { roleRef: { kind: 'Role', name: 'r' }, subjects }),
    );
    expect(object).toMatchObject({
      roleRef: { apiGroup: group },
      subjects: [
        { kind: 'User', apiGroup: group },
        { kind: 'ServiceAccount', name: 's' },
      ],
    });
  });
});

describe('updating', () => {
  test('a role tells each cause twice', async () => {
    const { causes } = await tryUpdate(role, sample(role), (next) => {
      next.rules = [{ apiGroups: [''], resources: ['pods'] }];
    });
    expect(causes).toEqual(['rules[0].verbs Required', 'rules[0].verbs Required']);
  });

  test('a binding keeps its role', async () => {
    const stored = sample(roleBinding, { roleRef: ref });
    const { causes } = await tryUpdate(roleBinding, stored, (next) => {
      next.roleRef.name = 'edit';
    });
    expect(causes).toEqual(['roleRef Invalid']);
  });
});

test('a table of bindings names roles and subjects', () => {
  const subjects = [
    { kind: 'User', name: 'u' },
    { kind: 'User', name: 'v' },
    { kind: 'ServiceAccount', name: 's', namespace: 'n' },
  ];
  const cells = roleBinding.table?.cells(sample(roleBinding, { roleRef: ref, subjects }), 0);
  expect(cells).toEqual(['x', 'ClusterRole/view', '<unknown>', 'u, v', '', 'n/s']);
});
