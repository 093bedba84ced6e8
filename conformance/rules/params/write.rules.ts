import { defineRule } from '../../rule.ts';
import { ignoreQuery } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const managers = (object: Json): string[] =>
  (object.metadata?.managedFields ?? []).map((entry: Json) => entry.manager).sort();

export default [
  defineRule('params.write.field-manager', {
    sabotage: ['POST', 'PUT', 'PATCH'].map((method) => ignoreQuery('fieldManager', { method })),
    async check({ secrets, expect }) {
      const created = await secrets.post(secrets.sample({ data: { a: 'aaaa' } }), { fieldManager: 'creator' });
      expect(managers(created.body), 'create').toEqual(['creator']);
      const updated = await secrets.put(
        { ...created.body, data: { a: 'aaaa', b: 'aaaa' } },
        { fieldManager: 'updater' },
      );
      expect(managers(updated.body), 'update').toEqual(['creator', 'updater']);
      const patch = { data: { c: 'aaaa' } };
      const patched = await secrets.patch(created.body.metadata.name, patch, { query: { fieldManager: 'patcher' } });
      expect(managers(patched.body), 'patch').toEqual(['creator', 'patcher', 'updater']);
    },
  }),
];
