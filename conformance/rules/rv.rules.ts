import { defineRule } from '../rule.ts';
import { replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';

const item = { method: 'GET', path: /\/secrets\/[^/]+$/ };
const lists = { method: 'GET', path: /\/secrets$/ };

export default [
  defineRule('rv.object', {
    sabotage: [
      replaceIn('metadata.resourceVersion', { ...item, with: '7' }),
      replaceIn('metadata.resourceVersion', { ...item, from: 3 }),
    ],
    async check({ secrets, expect }) {
      const created = await secrets.create();
      const { name, resourceVersion } = created.metadata;
      const versionNow = async (): Promise<string> => (await secrets.read(name)).metadata.resourceVersion;
      expect(await versionNow(), 'after the create').toBe(resourceVersion);
      const changed = await secrets.merge(name, { data: { a: 'aaaa' } });
      expect(changed.metadata.resourceVersion, 'after a change').not.toBe(resourceVersion);
      expect(await versionNow()).toBe(changed.metadata.resourceVersion);
      await secrets.create();
      await secrets.merge(name, { data: { a: 'aaaa' } });
      expect(await versionNow(), 'when nothing has changed').toBe(changed.metadata.resourceVersion);
    },
  }),

  defineRule('rv.list', {
    sabotage: replaceIn('metadata.resourceVersion', { ...lists, with: '1' }),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      const list = await secrets.list();
      await secrets.create();
      const query = { resourceVersion: list.metadata.resourceVersion, resourceVersionMatch: 'Exact' };
      const again = await secrets.getAll(query);
      expect(again.status, 'a list at exactly the version of the first').toBe(200);
      expect(again.body.items.map((one: Json) => one.metadata.name)).toEqual(['item-0', 'item-1']);
      const watch = await secrets.watch({ resourceVersion: list.metadata.resourceVersion });
      expect((await watch.next('the change after the list')).type).toBe('ADDED');
    },
  }),
];
