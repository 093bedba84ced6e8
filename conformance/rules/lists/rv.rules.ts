import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, changeAnswer, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Json, Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';

const lists = { method: 'GET', path: /\/secrets$/ };
const empty = changeAnswer(
  'shows an empty state',
  (body) => ({ ...body, items: [], metadata: { resourceVersion: body.metadata?.resourceVersion } }),
  { ...lists, from: 2 },
);
const names = (list: Json): string[] => list.items.map((one: Json) => one.metadata.name).sort();

/** Two objects, then the version of a list, then a third object. */
async function twoThenThree(secrets: Collection): Promise<string> {
  await secrets.createMany(2);
  const { metadata } = await secrets.list();
  await secrets.create({ metadata: { name: 'item-2' } });
  return metadata.resourceVersion;
}

const limited = { limit: 10 };
const exact = { resourceVersionMatch: 'Exact' };
const notOlder = { resourceVersionMatch: 'NotOlderThan' };

/** The state must be the newest one. */
const mostRecent = (id: string, query: Query): Rule =>
  defineRule(id, {
    sabotage: empty,
    async check({ secrets, expect }) {
      await twoThenThree(secrets);
      expect(names(await secrets.list(query))).toEqual(['item-0', 'item-1', 'item-2']);
      await secrets.remove('item-1');
      expect(names(await secrets.list(query)), 'after a delete').toEqual(['item-0', 'item-2']);
    },
  });

/** Any state will do, also an old one: there must be an answer, and what it shows must have existed. */
const anyVersion = (id: string, query: Query): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(400, { ...lists, query: { resourceVersion: '0' } }),
      changeAnswer('shows what never was', (body) => ({ ...body, items: [{ metadata: { name: 'ghost' } }] }), {
        ...lists,
        query: { resourceVersion: '0' },
      }),
    ],
    async check({ secrets, expect }) {
      await twoThenThree(secrets);
      const answer = await secrets.getAll({ ...query, resourceVersion: 0 });
      expect(answer.status).toBe(200);
      expect(answer.body.kind).toBe('SecretList');
      for (const name of names(answer.body)) expect(['item-0', 'item-1', 'item-2']).toContain(name);
    },
  });

/** The state must be the asked one or a newer one. */
const notOlderThan = (id: string, query: Query): Rule =>
  defineRule(id, {
    sabotage: [empty, answerStatus(400, { ...lists, query: { resourceVersion: true } })],
    async check({ secrets, expect }) {
      const [, second] = await secrets.createMany(2);
      const answer = await secrets.getAll({ ...query, resourceVersion: second.metadata.resourceVersion });
      expect(answer.status).toBe(200);
      expect(names(answer.body)).toEqual(['item-0', 'item-1']);
      const changed = await secrets.merge('item-0', { data: { a: 'new1' } });
      const later = await secrets.getAll({ ...query, resourceVersion: changed.metadata.resourceVersion });
      const item = later.body.items.find((one: Json) => one.metadata.name === 'item-0');
      expect(item?.metadata?.resourceVersion).toBe(changed.metadata.resourceVersion);
    },
  });

/** The state must be exactly the asked one. */
const exactly = (id: string, query: Query): Rule =>
  defineRule(id, {
    sabotage: [
      ignoreQuery('resourceVersion', lists),
      changeAnswer(
        'shows a newer state',
        (body) => ({ ...body, items: [...(body.items ?? []), { metadata: { name: 'item-2' } }] }),
        { ...lists, query: { resourceVersion: true } },
      ),
    ],
    async check({ secrets, expect }) {
      const resourceVersion = await twoThenThree(secrets);
      const answer = await secrets.getAll({ ...query, resourceVersion });
      expect(answer.status).toBe(200);
      expect(names(answer.body)).toEqual(['item-0', 'item-1']);
      expect(answer.body.metadata.resourceVersion).toBe(resourceVersion);
    },
  });

/** The request must be refused; genuine servers say 422 where 400 might be expected. */
const invalid = (id: string, query: Query): Rule =>
  defineRule(id, {
    sabotage: ignoreQuery('resourceVersionMatch', lists),
    async check({ secrets, expect }) {
      await secrets.create();
      expect((await secrets.getAll()).status, 'without the parameters').toBe(200);
      const answer = await secrets.getAll(query);
      expect([400, 422]).toContain(answer.status);
      expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure' });
    },
  });

export default [
  mostRecent('lists.rv.match-unset.no-limit.unset', {}),
  anyVersion('lists.rv.match-unset.no-limit.zero', {}),
  notOlderThan('lists.rv.match-unset.no-limit.nonzero', {}),
  mostRecent('lists.rv.match-unset.limit.unset', limited),
  anyVersion('lists.rv.match-unset.limit.zero', limited),
  exactly('lists.rv.match-unset.limit.nonzero', limited),
  invalid('lists.rv.exact.no-limit.unset', exact),
  invalid('lists.rv.exact.no-limit.zero', { ...exact, resourceVersion: 0 }),
  exactly('lists.rv.exact.no-limit.nonzero', exact),
  invalid('lists.rv.exact.limit.unset', { ...exact, ...limited }),
  invalid('lists.rv.exact.limit.zero', { ...exact, ...limited, resourceVersion: 0 }),
  exactly('lists.rv.exact.limit.nonzero', { ...exact, ...limited }),
  invalid('lists.rv.not-older.no-limit.unset', notOlder),
  anyVersion('lists.rv.not-older.no-limit.zero', notOlder),
  notOlderThan('lists.rv.not-older.no-limit.nonzero', notOlder),
  invalid('lists.rv.not-older.limit.unset', { ...notOlder, ...limited }),
  anyVersion('lists.rv.not-older.limit.zero', { ...notOlder, ...limited }),
  notOlderThan('lists.rv.not-older.limit.nonzero', { ...notOlder, ...limited }),

  defineRule('lists.rv.continue.unset', {
    sabotage: changeAnswer(
      'shows the newest state',
      (body) => ({ ...body, items: [...body.items, { metadata: { name: 'item-9' } }] }),
      { ...lists, query: { continue: true } },
    ),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const first = await secrets.list({ limit: 1 });
      await secrets.create({ metadata: { name: 'item-9' } });
      const answer = await secrets.getAll({ limit: 10, continue: first.metadata.continue });
      expect(answer.status).toBe(200);
      expect(names(answer.body)).toEqual(['item-1', 'item-2']);
      expect(answer.body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    },
  }),

  defineRule('lists.rv.continue.zero', {
    sabotage: answerStatus(400, { ...lists, query: { continue: true, resourceVersion: '0' } }),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const first = await secrets.list({ limit: 1 });
      await secrets.create({ metadata: { name: 'item-9' } });
      const answer = await secrets.getAll({ limit: 10, continue: first.metadata.continue, resourceVersion: 0 });
      expect(answer.status).toBe(200);
      expect(names(answer.body)).toEqual(['item-1', 'item-2']);
    },
  }),

  defineRule('lists.rv.continue.nonzero', {
    sabotage: ignoreQuery('resourceVersion', { ...lists, query: { continue: true } }),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const { metadata } = await secrets.list({ limit: 1 });
      const answer = await secrets.getAll({
        limit: 1,
        continue: metadata.continue,
        resourceVersion: metadata.resourceVersion,
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure' });
    },
  }),
];
