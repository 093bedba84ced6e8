import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';

const item = { method: 'GET', path: /\/secrets\/[^/]+$/ };

export default [
  defineRule('get.rv.unset', {
    sabotage: replaceIn('metadata.resourceVersion', { ...item, with: '7' }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      for (const round of ['one1', 'two2', 'tri3']) {
        const changed = await secrets.merge(metadata.name, { data: { round } });
        const answer = await secrets.get(metadata.name);
        expect(answer.status).toBe(200);
        expect(answer.body.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
      }
    },
  }),

  defineRule('get.rv.zero', {
    sabotage: [
      answerStatus(400, { ...item, query: { resourceVersion: '0' } }),
      replaceIn('metadata.uid', { ...item, query: { resourceVersion: '0' } }),
    ],
    async check({ secrets, waitUntil, expect }) {
      const { metadata } = await secrets.create();
      // Any version may also be one from before the create.
      const look = () => secrets.get(metadata.name, { resourceVersion: 0 });
      const answer = await waitUntil('the object shows at any version', look, ({ status }) => status !== 404);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
    },
  }),

  defineRule('get.rv.nonzero', {
    sabotage: [
      answerStatus(400, { ...item, query: { resourceVersion: true } }),
      replaceIn('data', { ...item, with: {} }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      for (const round of ['one1', 'two2', 'tri3']) {
        const changed = await secrets.merge(metadata.name, { data: { round } });
        const answer = await secrets.get(metadata.name, { resourceVersion: changed.metadata.resourceVersion });
        expect(answer.status).toBe(200);
        expect(answer.body.data).toEqual({ round });
      }
    },
  }),
];
