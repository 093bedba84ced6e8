import { defineRule } from '../../rule.ts';
import { answerStatus, ignoreQuery, loseWrite } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const deletes = { method: 'DELETE', path: /\/secrets$/ };
const names = (list: Json): string[] => list.items.map((one: Json) => one.metadata.name);
const coloured = (colour: string) => ({ metadata: { labels: { colour } } });

/** Parameters that only have to be taken: the collection is deleted with them as without. */
const accepted = {
  'params.deletecollection.grace-period-seconds': 'gracePeriodSeconds=0',
  'params.deletecollection.pretty': 'pretty=true',
  'params.deletecollection.propagation-policy': 'propagationPolicy=Background',
  'params.deletecollection.resource-version': 'resourceVersion=0',
  'params.deletecollection.timeout-seconds': 'timeoutSeconds=20',
  'params.deletecollection.no-watch': 'watch=1',
};

const acceptedRules = Object.entries(accepted).map(([id, query]) =>
  defineRule(id, {
    sabotage: [answerStatus(400, { ...deletes, query: { [query.split('=')[0] ?? '']: true } }), loseWrite(deletes)],
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      expect((await secrets.deleteAll({ query })).status).toBe(200);
      expect((await secrets.list()).items).toEqual([]);
    },
  }),
);

export default [
  ...acceptedRules,

  defineRule('params.deletecollection.body', {
    sabotage: answerStatus(400, { ...deletes, body: /DeleteOptions/ }),
    async check({ secrets, expect }) {
      for (const body of [undefined, { apiVersion: 'v1', kind: 'DeleteOptions' }]) {
        await secrets.createMany(2);
        expect((await secrets.deleteAll({ body })).status, body ? 'with options' : 'without').toBe(200);
        expect((await secrets.list()).items).toEqual([]);
      }
    },
  }),

  defineRule('params.deletecollection.continue', {
    sabotage: ignoreQuery('continue', deletes),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const page = await secrets.list({ limit: 1 });
      const answer = await secrets.deleteAll({ query: { limit: 1, continue: page.metadata.continue } });
      expect(answer.status).toBe(200);
      expect(names(await secrets.list())).toEqual(['item-0', 'item-2']);
    },
  }),

  defineRule('params.deletecollection.dry-run', {
    sabotage: ignoreQuery('dryRun', deletes),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      expect((await secrets.deleteAll({ query: { dryRun: 'All' } })).status).toBe(200);
      expect((await secrets.list()).items).toHaveLength(2);
    },
  }),

  defineRule('params.deletecollection.field-selector', {
    sabotage: ignoreQuery('fieldSelector', deletes),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      expect((await secrets.deleteAll({ query: { fieldSelector: 'metadata.name=item-1' } })).status).toBe(200);
      expect(names(await secrets.list())).toEqual(['item-0', 'item-2']);
    },
  }),

  defineRule('params.deletecollection.label-selector', {
    sabotage: ignoreQuery('labelSelector', deletes),
    async check({ secrets, expect }) {
      await secrets.createMany(2, coloured('red'), 'red');
      await secrets.createMany(2, coloured('blue'), 'blue');
      expect((await secrets.deleteAll({ query: { labelSelector: 'colour=red' } })).status).toBe(200);
      expect(names(await secrets.list()).sort()).toEqual(['blue-0', 'blue-1']);
    },
  }),

  defineRule('params.deletecollection.limit', {
    sabotage: ignoreQuery('limit', deletes),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      expect((await secrets.deleteAll({ query: { limit: 1 } })).status).toBe(200);
      expect((await secrets.list()).items).toHaveLength(2);
    },
  }),

  defineRule('params.deletecollection.resource-version-match', {
    sabotage: ignoreQuery('resourceVersionMatch', deletes),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      const refused = await secrets.deleteAll({ query: { resourceVersionMatch: 'Exact' } });
      expect([400, 422], 'without a version').toContain(refused.status);
      expect((await secrets.list()).items).toHaveLength(2);
      const query = { resourceVersionMatch: 'NotOlderThan', resourceVersion: '0' };
      expect((await secrets.deleteAll({ query })).status, 'with a version').toBe(200);
    },
  }),
];
