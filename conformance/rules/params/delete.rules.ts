import { defineRule } from '../../rule.ts';
import { answerStatus, loseWrite } from '../../sabotage/transforms.ts';

const deletes = { method: 'DELETE', path: /\/secrets\/[^/]+$/ };

export default [
  defineRule('params.delete.body', {
    sabotage: [
      answerStatus(400, { ...deletes, body: /DeleteOptions/ }),
      loseWrite({ ...deletes, body: /DeleteOptions/ }),
    ],
    async check({ secrets, expect }) {
      const bodies = [undefined, { apiVersion: 'v1', kind: 'DeleteOptions' }, {}];
      for (const [index, body] of bodies.entries()) {
        const { metadata } = await secrets.create();
        const what = `with the body ${index === 0 ? 'left out' : JSON.stringify(body)}`;
        expect((await secrets.delete(metadata.name, { body })).status, what).toBe(200);
        expect((await secrets.get(metadata.name)).status, what).toBe(404);
      }
    },
  }),

  defineRule('params.delete.grace-period-seconds', {
    sabotage: [
      answerStatus(200, { ...deletes, query: { gracePeriodSeconds: 'soon' }, instead: 400 }),
      answerStatus(400, { ...deletes, query: { gracePeriodSeconds: '0' } }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect(
        (await secrets.delete(metadata.name, { query: { gracePeriodSeconds: 'soon' } })).status,
        'no integer',
      ).toBe(400);
      expect((await secrets.delete(metadata.name, { query: { gracePeriodSeconds: 0 } })).status, '0').toBe(200);
      expect((await secrets.get(metadata.name)).status).toBe(404);
    },
  }),

  defineRule('params.delete.propagation-policy', {
    sabotage: [
      answerStatus(400, { ...deletes, query: { propagationPolicy: true } }),
      loseWrite({ ...deletes, query: { propagationPolicy: true } }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.delete(metadata.name, { query: { propagationPolicy: 'Background' } })).status).toBe(200);
      expect((await secrets.get(metadata.name)).status).toBe(404);
    },
  }),
];
