import { defineRule } from '../../rule.ts';
import { answerStatus, removeIn, replaceIn } from '../../sabotage/transforms.ts';

const dry = { dryRun: 'All' };

export default [
  // Generated name, uid, version and timestamps of a trial may differ from those of the real request.
  defineRule('dryrun.values.may-differ', {
    sabotage: [
      answerStatus(400, { method: 'POST', query: { dryRun: true } }),
      replaceIn('metadata.name', { with: 'other', method: 'POST', query: { dryRun: true } }),
    ],
    async check({ secrets, expect }) {
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 'made-' } };
      const tried = await secrets.post(body, dry);
      expect(tried.status).toBe(201);
      expect(tried.body.metadata.name, 'a name is made').toMatch(/^made-.+/);
      expect((await secrets.get(tried.body.metadata.name)).status, 'and given to nobody').toBe(404);
      expect((await secrets.post(body)).body.metadata.name).toMatch(/^made-.+/);
    },
  }),

  // What admission or a Service's allocators assign in a trial may differ from what the real request gets.
  defineRule('dryrun.values.assigned-may-differ', {
    sabotage: [
      answerStatus(400, { method: 'POST', query: { dryRun: true } }),
      removeIn('spec.clusterIP', { method: 'POST', query: { dryRun: true } }),
      removeIn('spec.ports.*.nodePort', { method: 'POST', query: { dryRun: true } }),
    ],
    async check({ services, expect }) {
      const body = services.sample({ spec: { type: 'NodePort' } });
      const tried = await services.post(body, dry);
      expect(tried.status).toBe(201);
      const real = await services.post(body);
      expect(real.status, 'what the dry run showed is not taken').toBe(201);
      for (const { spec } of [tried.body, real.body]) {
        expect(spec.clusterIP).toMatch(/^[0-9a-f.:]+$/);
        expect(spec.ports[0].nodePort).toBeTypeOf('number');
      }
    },
  }),
];
