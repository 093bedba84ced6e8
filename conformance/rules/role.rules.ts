import { defineRule } from '../rule.ts';
import { requestHeader } from '../sabotage/transforms.ts';
import { groupVersionRule } from './group-version-rule.ts';

export default [
  groupVersionRule('role', 'roles'),

  defineRule('role.referenced-as-unit', {
    needs: ['second-user'],
    sabotage: requestHeader('impersonate-user', 'nobody-at-all', { method: 'GET', path: /\/roles$/ }),
    async check({ roles, roleBindings, secrets, as, unique, waitUntil, expect }) {
      const name = unique('user');
      const rules = [
        { apiGroups: [''], resources: ['secrets'], verbs: ['list'] },
        { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['list'] },
      ];
      const role = await roles.create({ rules });
      const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }];
      await roleBindings.create({ subjects, roleRef: { name: role.metadata.name } });
      const theirs = as({ name });
      await waitUntil(
        'the first rule is in effect',
        async () => (await theirs.secrets.getAll()).status,
        (status) => status === 200,
      );
      expect((await theirs.roles.getAll()).status, 'what the second rule grants').toBe(200);
      expect((await theirs.secrets.post(secrets.sample())).status, 'what no rule grants').toBe(403);
    },
  }),
];
