import { defineRule } from '../../rule.ts';
import { answerStatus, ignoreQuery } from '../../sabotage/transforms.ts';
import { versionOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';

const lists = { method: 'GET', path: /\/secrets$/ };

export default [
  // `resourceVersionMatch` is `Exact` or `NotOlderThan`, and nothing else.
  defineRule('rv.match.values', {
    sabotage: [
      ignoreQuery('resourceVersionMatch', lists),
      answerStatus(400, { ...lists, query: { resourceVersionMatch: 'NotOlderThan' } }),
    ],
    matrix: { kind: generalKinds, limit: ['without', 'with'] },
    async check({ objects, expect }, { limit }) {
      const object = await objects.create();
      const query = { resourceVersion: versionOf(object), ...(limit === 'with' ? { limit: 5 } : {}) };
      for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
        expect((await objects.getAll({ ...query, resourceVersionMatch })).status, resourceVersionMatch).toBe(200);
      }
      for (const resourceVersionMatch of ['Newest', 'exact']) {
        expect([400, 422], resourceVersionMatch).toContain(
          (await objects.getAll({ ...query, resourceVersionMatch })).status,
        );
      }
    },
  }),

  // `resourceVersionMatch` makes no sense without a version and is refused.
  defineRule('rv.match.needs-version', {
    sabotage: ignoreQuery('resourceVersionMatch', lists),
    matrix: { kind: generalKinds },
    async check({ objects, expect }) {
      expect((await objects.getAll()).status, 'without both').toBe(200);
      for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
        expect([400, 422], resourceVersionMatch).toContain((await objects.getAll({ resourceVersionMatch })).status);
      }
    },
  }),
];
