import { defineRule } from '../../rule.ts';
import { answerStatus, ignoreQuery } from '../../sabotage/transforms.ts';

const lists = { method: 'GET', path: /\/secrets$/ };

export default [
  defineRule('rv.match.values', {
    sabotage: [
      ignoreQuery('resourceVersionMatch', lists),
      answerStatus(400, { ...lists, query: { resourceVersionMatch: 'NotOlderThan' } }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const { resourceVersion } = metadata;
      for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
        expect((await secrets.getAll({ resourceVersion, resourceVersionMatch })).status, resourceVersionMatch).toBe(
          200,
        );
      }
      for (const resourceVersionMatch of ['Newest', 'exact']) {
        expect([400, 422], resourceVersionMatch).toContain(
          (await secrets.getAll({ resourceVersion, resourceVersionMatch })).status,
        );
      }
    },
  }),

  defineRule('rv.match.needs-version', {
    sabotage: ignoreQuery('resourceVersionMatch', lists),
    async check({ secrets, expect }) {
      expect((await secrets.getAll()).status, 'without both').toBe(200);
      for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
        expect([400, 422], resourceVersionMatch).toContain((await secrets.getAll({ resourceVersionMatch })).status);
      }
    },
  }),
];
