import { defineRule } from '../../rule.ts';
import { changeAnswer, ignoreQuery, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import { forgottenVersion } from '../../verbs/history.ts';

const lists = { method: 'GET', path: /\/secrets$/ };
const names = (list: Json): string[] => list.items.map((one: Json) => one.metadata.name);

/** All pages of a list, at most ten. */
async function pages(secrets: Collection, limit: number): Promise<Json[]> {
  const all = [await secrets.list({ limit })];
  while (all.at(-1).metadata.continue && all.length < 10)
    all.push(await secrets.list({ limit, continue: all.at(-1).metadata.continue }));
  return all;
}

export default [
  defineRule('lists.paging.limit', {
    sabotage: ignoreQuery('limit', lists),
    async check({ secrets, expect }) {
      await secrets.createMany(5);
      for (const limit of [1, 2, 4])
        expect((await secrets.list({ limit })).items.length, `limit=${limit}`).toBeLessThanOrEqual(limit);
    },
  }),

  defineRule('lists.paging.continue-token', {
    sabotage: [removeIn('metadata.continue', lists), replaceIn('metadata.continue', { ...lists, with: '' })],
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const { metadata } = await secrets.list({ limit: 2 });
      expect(metadata.continue).toBeTypeOf('string');
      expect(metadata.continue).not.toBe('');
    },
  }),

  defineRule('lists.paging.next-chunk', {
    sabotage: [ignoreQuery('continue', lists), replaceIn('items', { ...lists, onPage: 2 })],
    async check({ secrets, expect }) {
      await secrets.createMany(5);
      const all = await pages(secrets, 2);
      expect(all.flatMap(names)).toEqual(['item-0', 'item-1', 'item-2', 'item-3', 'item-4']);
    },
  }),

  defineRule('lists.paging.end', {
    sabotage: changeAnswer(
      'gives a token at the end',
      (body) => ({ ...body, metadata: { ...body.metadata, continue: body.metadata?.continue || 'more' } }),
      lists,
    ),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      expect((await secrets.list({ limit: 10 })).metadata.continue || '', 'a list that is complete').toBe('');
      const first = await secrets.list({ limit: 2 });
      const last = await secrets.list({ limit: 2, continue: first.metadata.continue });
      expect(names(last)).toEqual(['item-2']);
      expect(last.metadata.continue || '', 'the last chunk').toBe('');
    },
  }),

  defineRule('lists.paging.same-version', {
    sabotage: replaceIn('metadata.resourceVersion', { ...lists, onPage: 2 }),
    async check({ secrets, expect }) {
      await secrets.createMany(5);
      const first = await secrets.list({ limit: 2 });
      await secrets.create();
      const second = await secrets.list({ limit: 2, continue: first.metadata.continue });
      const third = await secrets.list({ limit: 2, continue: second.metadata.continue });
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    },
  }),

  defineRule('lists.paging.snapshot', {
    sabotage: [
      changeAnswer(
        'shows later objects',
        (body) => ({ ...body, items: [...body.items, { metadata: { name: 'item-9' } }] }),
        { ...lists, query: { continue: true } },
      ),
      replaceIn('items.*.data', { ...lists, with: { round: 'new1' }, query: { continue: true } }),
    ],
    async check({ secrets, expect }) {
      await secrets.createMany(4, { data: { round: 'old1' } });
      const first = await secrets.list({ limit: 1 });
      await secrets.create({ metadata: { name: 'item-9' } });
      await secrets.merge('item-2', { data: { round: 'new1' } });
      await secrets.remove('item-3');
      const rest = await secrets.list({ limit: 10, continue: first.metadata.continue });
      expect(names(rest)).toEqual(['item-1', 'item-2', 'item-3']);
      expect(rest.items.map((one: Json) => one.data.round)).toEqual(['old1', 'old1', 'old1']);
    },
  }),

  defineRule('lists.paging.remaining.count', {
    sabotage: [replaceIn('metadata.remainingItemCount', lists), removeIn('metadata.remainingItemCount', lists)],
    async check({ secrets, expect }) {
      await secrets.createMany(5);
      const first = await secrets.list({ limit: 2 });
      expect(first.metadata.remainingItemCount).toBe(3);
      const second = await secrets.list({ limit: 2, continue: first.metadata.continue });
      expect(second.metadata.remainingItemCount).toBe(1);
    },
  }),

  defineRule('lists.paging.remaining.label-selector', {
    sabotage: replaceIn('metadata.remainingItemCount', { ...lists, with: 1 }),
    async check({ secrets, expect }) {
      await secrets.createMany(3, { metadata: { labels: { colour: 'red' } } });
      const { metadata, items } = await secrets.list({ limit: 2, labelSelector: 'colour=red' });
      expect(items).toHaveLength(2);
      expect(metadata.remainingItemCount).toBeUndefined();
    },
  }),

  defineRule('lists.paging.remaining.field-selector', {
    sabotage: replaceIn('metadata.remainingItemCount', { ...lists, with: 1 }),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const { metadata, items } = await secrets.list({ limit: 1, fieldSelector: 'metadata.name!=other' });
      expect(items).toHaveLength(1);
      expect(metadata.remainingItemCount).toBeUndefined();
    },
  }),

  defineRule('lists.paging.remaining.complete', {
    sabotage: replaceIn('metadata.remainingItemCount', { ...lists, with: 0 }),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      for (const query of ['', 'limit=10']) {
        const { metadata, items } = await secrets.list(query);
        expect(items).toHaveLength(3);
        expect(metadata.remainingItemCount, query || 'no limit').toBeUndefined();
      }
    },
  }),

  defineRule('lists.paging.token.expired', {
    needs: ['short-history'],
    sabotage: changeAnswer('goes on with an expired token', () => ({ kind: 'SecretList', items: [] }), {
      ...lists,
      query: { continue: true },
    }),
    async check(context) {
      const { secrets, expect } = context;
      await secrets.createMany(3);
      const first = await secrets.list({ limit: 1 });
      await forgottenVersion(context);
      const answer = await secrets.getAll({ limit: 1, continue: first.metadata.continue });
      expect(answer.body).toMatchObject({ kind: 'Status', code: 410 });
      expect(answer.status).toBe(410);
    },
  }),

  defineRule('lists.paging.feature-gate', {
    flags: ['--feature-gates=APIListChunking=false'],
    sabotage: changeAnswer(
      'gives a chunk',
      (body) => ({ ...body, items: body.items?.slice(0, 1), metadata: { ...body.metadata, continue: 'more' } }),
      { ...lists, query: { limit: true } },
    ),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const { status, body } = await secrets.getAll({ limit: 1 });
      expect(status).toBe(200);
      expect(body.items, 'the whole list').toHaveLength(3);
      expect(body.metadata.continue || '').toBe('');
    },
  }),
];
