import { defineRule } from '../rule.ts';
import { loseWrite, notFound, redirectPath } from '../sabotage/transforms.ts';
import { groupVersionRule } from './group-version-rule.ts';

export default [
  groupVersionRule('namespace', 'namespaces'),

  // In different namespaces the same name means different objects.
  defineRule('namespace.scope-for-names', {
    sabotage: redirectPath(/\/namespaces\/[^/]+\/secrets\/shared$/, '/namespaces/default/secrets/shared', {
      method: 'GET',
    }),
    async check({ secrets, extraNamespace, expect }) {
      const name = 'shared';
      const one = await secrets.create({ metadata: { name } });
      const elsewhere = secrets.in(await extraNamespace());
      const other = await elsewhere.create({ metadata: { name } });
      expect((await secrets.get(name)).body?.metadata?.uid).toBe(one.metadata.uid);
      expect((await elsewhere.get(name)).body?.metadata?.uid).toBe(other.metadata.uid);
      expect(one.metadata.uid).not.toBe(other.metadata.uid);
    },
  }),

  // Nobody has to use more than one namespace.
  defineRule('namespace.optional', {
    sabotage: [
      notFound({ path: /\/namespaces\/default(?:\/|$)/ }),
      loseWrite({ method: 'DELETE', path: /\/namespaces\/default\/secrets\// }),
    ],
    async check({ secrets, unique, expect }) {
      // Somebody who never makes a namespace.
      const alone = secrets.in('default');
      const name = unique();
      const made = await alone.post(alone.sample({ metadata: { name } }));
      expect(made.status, 'a create in the namespace that is always there').toBe(201);
      expect((await alone.read(name)).metadata.uid).toBe(made.body.metadata.uid);
      await alone.remove(name);
      expect((await alone.get(name)).status, 'after the delete').toBe(404);
    },
  }),
];
