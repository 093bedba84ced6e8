import { defineRule } from '../rule.ts';
import { loseWrite, requestHeader } from '../sabotage/transforms.ts';
import type { RuleContext, Verbs } from '../verbs/context.ts';
import type { Json } from '../verbs/json.ts';
import { nameOf } from '../verbs/states.ts';
import { groupVersionRule } from './group-version-rule.ts';

const rbac = 'rbac.authorization.k8s.io';

export default [
  groupVersionRule('role', 'roles'),

  // A binding names a Role and so grants the whole of it.
  defineRule('role.referenced-as-unit', {
    needs: ['second-user', 'rights'],
    matrix: { subject: ['User', 'Group', 'ServiceAccount'], role: ['Role', 'ClusterRole'] },
    sabotage: [
      requestHeader('impersonate-user', 'nobody-at-all', { method: 'GET', path: /\/roles$/ }),
      loseWrite({ method: 'PUT', path: /\/(cluster)?roles\/[^/]+$/ }),
      loseWrite({ method: 'DELETE', path: /\/rolebindings\/[^/]+$/ }),
    ],
    async check(context, { subject, role: kind }) {
      const { roles, clusterRoles, roleBindings, secrets, expect } = context;
      const [holders, others] = kind === 'Role' ? [roles, clusterRoles] : [clusterRoles, roles];
      const { theirs, subjects, namesake } = await somebody(context, subject, kind === 'ClusterRole');
      const mayListNow = (...resources: readonly string[]) => mayList(context, theirs, resources);
      const role = await holders.create({ rules: [listing('', 'secrets'), listing(rbac, 'roles'), limited] });
      const { name } = role.metadata;
      // One of the other kind that is called so is none of the binding's.
      await others.create({ metadata: { name }, rules: [listing('coordination.k8s.io', 'leases')] });
      const nobody = { kind: 'User', apiGroup: rbac, name: 'touchstone-nobody' };
      const binding = await roleBindings.create({ subjects: [nobody, ...subjects], roleRef: { kind, name } });
      await mayListNow('secrets', 'roles');
      expect((await namesake.secrets.getAll()).status, 'to who is called so otherwise').toBe(403);
      await isTold(context, theirs, role.rules);
      expect((await theirs.secrets.post(secrets.sample())).status, 'what no rule grants').toBe(403);
      await holders.replace({ ...role, rules: [listing('coordination.k8s.io', 'leases')] });
      await mayListNow('leases');
      await holders.merge(name, { rules: [listing('', 'secrets')] });
      await mayListNow('secrets');
      await roleBindings.merge(nameOf(binding), { subjects: [nobody] });
      await mayListNow();
      await roleBindings.merge(nameOf(binding), { subjects: [...subjects, nobody] });
      await mayListNow('secrets');
      await holders.remove(name);
      await mayListNow();
      await holders.create({ metadata: { name }, rules: [listing(rbac, 'roles')] });
      await mayListNow('roles');
      await roleBindings.remove(nameOf(binding));
      await mayListNow();
    },
  }),
];

/** A rule with all that one about resources may have. */
const limited: Json = {
  apiGroups: ['networking.k8s.io', 'extensions'],
  resources: ['ingresses', 'ingresses/status'],
  resourceNames: ['mine', 'yours'],
  verbs: ['get', 'patch'],
};

const listing = (group: string, resource: string): Json => ({
  apiGroups: [group],
  resources: [resource],
  verbs: ['list'],
});

/**
 * Somebody new with what a binding calls them by; a service account of the rule's namespace, or of one far away. Beside
 * them who has the same name as an account of another namespace, as a group or as a user.
 */
async function somebody(
  { as, unique, namespace }: RuleContext,
  kind: string,
  isFar: boolean,
): Promise<{ theirs: Verbs; subjects: Json[]; namesake: Verbs }> {
  const name = unique('somebody');
  const place = isFar ? 'touchstone-far-away' : await namespace();
  if (kind === 'ServiceAccount')
    return {
      theirs: as({ name: `system:serviceaccount:${place}:${name}` }),
      subjects: [{ kind, name, namespace: place }],
      namesake: as({ name: `system:serviceaccount:touchstone-nearby:${name}` }),
    };
  const [user, member] = [as({ name }), as({ name: 'nobody-at-all', groups: [name] })];
  const [theirs, namesake] = kind === 'Group' ? [member, user] : [user, member];
  return { theirs, subjects: [{ kind, apiGroup: rbac, name }], namesake };
}

/** Whoever asks what he may do in the namespace is told of these rules. */
async function isTold(
  { namespace, waitUntil, expect }: RuleContext,
  { send }: Verbs,
  rules: readonly Json[],
): Promise<void> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: await namespace() },
  };
  const ask = () => send('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { body });
  const own = (told: Json): Json[] =>
    (told?.status?.resourceRules ?? []).filter(({ apiGroups }: Json) => !apiGroups?.includes('authorization.k8s.io'));
  // Of several servers another may be asked than the one that let them list.
  const { status, body: told } = await waitUntil(
    'they are told of a right',
    ask,
    ({ body: seen }) => own(seen).length > 0,
  );
  expect(status, told?.message ?? 'what they may do').toBe(201);
  for (const rule of rules) expect(told.status.resourceRules, 'what they may do').toContainEqual(rule);
}

/** Waits until they may list these and no others. */
async function mayList({ waitUntil }: RuleContext, theirs: Verbs, resources: readonly string[]): Promise<void> {
  const look = async (): Promise<string> => {
    const allowed: string[] = [];
    for (const resource of ['leases', 'roles', 'secrets'] as const)
      if ((await theirs[resource].getAll()).status === 200) allowed.push(resource);
    return allowed.join();
  };
  const wanted = [...resources].sort().join();
  await waitUntil(`they may list ${wanted || 'nothing'}`, look, (allowed) => allowed === wanted);
}
