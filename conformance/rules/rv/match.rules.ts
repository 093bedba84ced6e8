import { defineRule } from '../../rule.ts';
import { answerStatus, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { versionOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';

const lists = { method: 'GET', path: /\/secrets$/ };

/** Nor beside a token, which has a version of its own, whatever else is said, nor of a watch. */
async function refusesBeside(objects: Collection, expect: RuleContext['expect']): Promise<void> {
  const viewed = objects.viewed('labels');
  await objects.createMany(2);
  const { resourceVersion, continue: token } = (await viewed.list({ limit: 1 })).metadata;
  for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
    const queries = {
      'beside a token': { limit: 1, continue: token },
      'beside a token, at 0': { limit: 1, continue: token, resourceVersion: 0 },
      'beside a token, at its version': { limit: 1, continue: token, resourceVersion },
      'beside a token, for all the rest': { continue: token, resourceVersion: 0 },
      'of a watch': { watch: 1, timeoutSeconds: 1, resourceVersion },
    };
    for (const [where, query] of Object.entries(queries)) {
      const { status, body } = await viewed.getAll({ ...query, resourceVersionMatch });
      expect([400, 422], `${resourceVersionMatch} ${where}: ${status}`).toContain(status);
      expect(body, `${resourceVersionMatch} ${where}`).toMatchObject({ kind: 'Status', status: 'Failure' });
    }
  }
}

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
    sabotage: [
      ignoreQuery('resourceVersionMatch', lists),
      ignoreQuery('resourceVersionMatch', { ...lists, query: { continue: true } }),
      ignoreQuery('resourceVersionMatch', { ...lists, query: { watch: true } }),
    ],
    matrix: { kind: generalKinds },
    async check({ objects, expect }) {
      expect((await objects.getAll()).status, 'without both').toBe(200);
      for (const resourceVersionMatch of ['Exact', 'NotOlderThan']) {
        expect([400, 422], resourceVersionMatch).toContain((await objects.getAll({ resourceVersionMatch })).status);
      }
      await refusesBeside(objects, expect);
    },
  }),
];
