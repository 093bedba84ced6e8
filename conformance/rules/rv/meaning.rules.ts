import { defineRule } from '../../rule.ts';
import { changeAnswer, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { forgottenVersion } from '../../verbs/history.ts';

const lists = { method: 'GET', path: /\/secrets$/ };

export default [
  defineRule('rv.meaning.most-recent', {
    sabotage: [
      replaceIn('items', { ...lists, from: 4 }),
      replaceIn('data', { with: {}, method: 'GET', path: /\/secrets\/[^/]+$/ }),
    ],
    async check({ secrets, expect }) {
      for (let round = 1; round <= 5; round++) {
        const { metadata } = await secrets.create({ data: { round: `r00${round}` } });
        expect((await secrets.read(metadata.name)).data, 'read after write').toEqual({ round: `r00${round}` });
        const { items } = await secrets.list();
        expect(items.map((one: Json) => one.metadata.name)).toContain(metadata.name);
        expect(items, 'list after write').toHaveLength(round);
      }
    },
  }),

  defineRule('rv.meaning.not-older-items', {
    sabotage: changeAnswer('leaves out items that are older', (body) => ({ ...body, items: [] }), {
      ...lists,
      query: { resourceVersion: true },
    }),
    async check({ secrets, expect }) {
      const [first] = await secrets.createMany(2);
      const last = await secrets.create({ metadata: { name: 'last' } });
      const answer = await secrets.getAll({
        resourceVersion: last.metadata.resourceVersion,
        resourceVersionMatch: 'NotOlderThan',
      });
      expect(answer.status).toBe(200);
      const old = answer.body.items.find((one: Json) => one.metadata.name === 'item-0');
      expect(old?.metadata?.resourceVersion, 'an item older than the version asked for').toBe(
        first.metadata.resourceVersion,
      );
    },
  }),

  defineRule('rv.meaning.exact-gone', {
    needs: ['short-history'],
    sabotage: changeAnswer('shows an empty list', () => ({ kind: 'SecretList', items: [] }), {
      ...lists,
      query: { resourceVersionMatch: 'Exact' },
    }),
    async check(context) {
      const { secrets, expect } = context;
      const resourceVersion = await forgottenVersion(context);
      const answer = await secrets.getAll({ resourceVersion, resourceVersionMatch: 'Exact' });
      expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code: 410 });
      expect(answer.status).toBe(410);
    },
  }),
];
