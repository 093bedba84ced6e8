import { defineRule } from '../../rule.ts';
import { answerStatus, ignoreQuery, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const lists = { method: 'GET', path: /\/secrets$/ };
const names = (list: Json): string[] => list.items.map((one: Json) => one.metadata.name);

export default [
  defineRule('params.list.allow-watch-bookmarks', {
    sabotage: answerStatus(400, { ...lists, query: { allowWatchBookmarks: true } }),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      for (const value of ['true', 'false']) {
        const answer = await secrets.getAll({ allowWatchBookmarks: value });
        expect(answer.status, value).toBe(200);
        expect(answer.body.items, value).toHaveLength(2);
      }
    },
  }),

  defineRule('params.list.continue', {
    sabotage: ignoreQuery('continue', lists),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const first = await secrets.list({ limit: 2 });
      const second = await secrets.getAll({ limit: 2, continue: first.metadata.continue });
      expect(second.status).toBe(200);
      expect(names(second.body)).toEqual(['item-2']);
    },
  }),

  defineRule('params.list.field-selector', {
    sabotage: ignoreQuery('fieldSelector', lists),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const answer = await secrets.getAll({ fieldSelector: 'metadata.name=item-1' });
      expect(answer.status).toBe(200);
      expect(names(answer.body)).toEqual(['item-1']);
    },
  }),

  defineRule('params.list.label-selector', {
    sabotage: ignoreQuery('labelSelector', lists),
    async check({ secrets, expect }) {
      await secrets.createMany(2, { metadata: { labels: { colour: 'red' } } }, 'red');
      await secrets.createMany(2, { metadata: { labels: { colour: 'blue' } } }, 'blue');
      const answer = await secrets.getAll({ labelSelector: 'colour=red' });
      expect(answer.status).toBe(200);
      expect(names(answer.body).sort()).toEqual(['red-0', 'red-1']);
    },
  }),

  defineRule('params.list.limit', {
    sabotage: [ignoreQuery('limit', lists), answerStatus(200, { ...lists, query: { limit: 'some' }, instead: 400 })],
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const answer = await secrets.getAll({ limit: 1 });
      expect(answer.status).toBe(200);
      expect(answer.body.items).toHaveLength(1);
      expect((await secrets.getAll({ limit: 'some' })).status, 'no integer').toBe(400);
    },
  }),

  defineRule('params.list.pretty', {
    sabotage: answerStatus(400, { ...lists, query: { pretty: true } }),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      const plain = await secrets.list();
      for (const pretty of ['true', 'false']) {
        const answer = await secrets.getAll({ pretty });
        expect(answer.status, pretty).toBe(200);
        expect(answer.body.items, pretty).toEqual(plain.items);
      }
    },
  }),

  defineRule('params.list.resource-version', {
    sabotage: [
      answerStatus(400, { ...lists, query: { resourceVersion: true } }),
      replaceIn('items', { ...lists, query: { resourceVersion: true } }),
    ],
    async check({ secrets, expect }) {
      const [, last] = await secrets.createMany(2);
      const answer = await secrets.getAll({ resourceVersion: last.metadata.resourceVersion });
      expect(answer.status).toBe(200);
      expect(names(answer.body).sort()).toEqual(['item-0', 'item-1']);
    },
  }),

  defineRule('params.list.resource-version-match', {
    sabotage: ignoreQuery('resourceVersionMatch', lists),
    async check({ secrets, expect }) {
      await secrets.create();
      const { metadata } = await secrets.list();
      await secrets.create();
      const query = { resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' };
      const answer = await secrets.getAll(query);
      expect(answer.status).toBe(200);
      expect(answer.body.items).toHaveLength(1);
    },
  }),

  defineRule('params.list.timeout-seconds', {
    sabotage: [
      ignoreQuery('timeoutSeconds', lists),
      answerStatus(200, { ...lists, query: { timeoutSeconds: 'soon' }, instead: 400 }),
    ],
    async check({ secrets, patience, expect }) {
      expect((await secrets.getAll({ timeoutSeconds: 'soon' })).status, 'no integer').toBe(400);
      const watch = await secrets.watch({ timeoutSeconds: 1 });
      expect(watch.status).toBe(200);
      await watch.ended(1_000 + patience);
    },
  }),

  defineRule('params.list.watch', {
    sabotage: [
      answerStatus(400, { ...lists, query: { watch: 'false' } }),
      ignoreQuery('watch', { ...lists, query: { watch: 'true' } }),
    ],
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      const list = await secrets.getAll({ watch: 'false' });
      expect(list.status, 'watch=false').toBe(200);
      expect(list.body?.items).toHaveLength(2);
      const watch = await secrets.watch({ watch: 'true' });
      expect(await watch.next('the first event')).toMatchObject({ type: 'ADDED' });
    },
  }),
];
