import { defineRule } from '../../rule.ts';
import { changeAnswer } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const posts = { method: 'POST', path: /\/certificatesigningrequests$/ };

const tidied = (part: string, tidy: (spec: Json) => Json) =>
  changeAnswer(`tidies ${part} up`, (body) => ({ ...body, spec: { ...body.spec, ...tidy(body.spec) } }), posts);

export default [
  // Authentication itself reads nothing into those values.
  defineRule('authn.attributes.opaque', {
    needs: ['second-user'],
    sabotage: [
      tidied('the uid', ({ uid = '' }) => ({ uid: uid.toLowerCase() })),
      tidied('groups', ({ groups = [] }) => ({ groups: groups.map((one: string) => one.replace(/\W/g, '')) })),
      tidied('extra', ({ extra = {} }) => ({
        extra: Object.fromEntries(
          Object.entries(extra).map(([key, values]) => [key, [String(values).replace(/\W/g, '')]]),
        ),
      })),
    ],
    async check({ as, unique, signingRequests, clusterRoles, clusterRoleBindings, waitUntil, expect }) {
      // None of it looks like anything that it might mean.
      const name = `${unique('odd')}/no:name@all?`;
      const [uid, group] = ['UID-of={nobody}', `${unique('odd')}:*,group|0`];
      const extra = { 'odd.example.com/scopes': '["a", b;c] %41 = cluster-admin' };
      const { metadata } = await clusterRoles.create({
        rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] }],
      });
      const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }];
      await clusterRoleBindings.create({ subjects, roleRef: { name: metadata.name } });
      const theirs = as({ name, uid, groups: [group], extra }).signingRequests;
      const { body } = await waitUntil(
        'the right to create requests is in effect',
        () => theirs.post(signingRequests.sample()),
        ({ status }) => status === 201,
      );
      expect([body.spec.username, body.spec.uid]).toEqual([name, uid]);
      expect(body.spec.groups).toContain(group);
      expect(body.spec.extra).toEqual({ 'odd.example.com/scopes': [extra['odd.example.com/scopes']] });
    },
  }),
];
