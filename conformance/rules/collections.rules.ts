import { defineRule } from '../rule.ts';
import { changeAnswer, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';

const lists = { method: 'GET', path: /\/(roles|secrets)$/ };

export default [
  defineRule('collections.kind', {
    sabotage: replaceIn('kind', { ...lists, with: 'List' }),
    async check({ roles, secrets, expect }) {
      expect((await roles.getAll()).body?.kind).toBe('RoleList');
      expect((await secrets.getAll()).body?.kind).toBe('SecretList');
    },
  }),

  defineRule('collections.metadata', {
    sabotage: removeIn('metadata', lists),
    async check({ roles, expect }) {
      await roles.create();
      const { metadata } = (await roles.getAll()).body;
      expect(metadata).toBeTypeOf('object');
      expect(metadata.resourceVersion).toBeTypeOf('string');
    },
  }),

  defineRule('collections.items', {
    sabotage: changeAnswer(
      'has no items when there are none',
      (body) => (body.items?.length === 0 ? { ...body, items: undefined } : body),
      lists,
    ),
    async check({ roles, expect }) {
      const empty = await roles.getAll();
      expect(empty.status).toBe(200);
      expect(empty.body.items, 'of an empty collection').toEqual([]);
      await roles.create();
      expect((await roles.getAll()).body.items, 'of one object').toHaveLength(1);
    },
  }),

  defineRule('collections.items-of-kind', {
    sabotage: changeAnswer(
      'mixes kinds',
      (body) => ({ ...body, items: [...(body.items ?? []), { kind: 'ConfigMap', metadata: { name: 'alien' } }] }),
      lists,
    ),
    async check({ roles, secrets, expect }) {
      const [first, second] = await roles.createMany(2);
      await secrets.create();
      const { items } = await roles.list();
      expect(items.map((item: Json) => item.metadata.name).sort()).toEqual([first.metadata.name, second.metadata.name]);
      for (const item of items) expect([undefined, 'Role']).toContain(item.kind);
    },
  }),
];
