import { defineRule } from '../../rule.ts';
import { answerStatus, removeIn } from '../../sabotage/transforms.ts';

export default [
  defineRule('component.api-server.validates', {
    sabotage: [answerStatus(201, { method: 'POST', path: /\/(secrets|jobs)$/, instead: 422 })],
    async check({ secrets, jobs, expect }) {
      const badName = await secrets.post(secrets.sample({ metadata: { name: 'Not_A_Name' } }));
      expect(badName.status, 'a bad name').toBe(422);
      expect((await jobs.post(jobs.sample({ spec: { backoffLimit: -1 } }))).status, 'a negative limit').toBe(422);
      expect((await secrets.list()).items, 'nothing is stored').toEqual([]);
    },
  }),

  defineRule('component.api-server.configures', {
    sabotage: [removeIn('spec.backoffLimit'), removeIn('metadata.uid', { path: /\/jobs/ })],
    async check({ jobs, expect }) {
      const { status, body } = await jobs.post(jobs.sample());
      expect(status).toBe(201);
      expect(body.metadata.uid, 'a field of the server').toBeTypeOf('string');
      expect(body.metadata.creationTimestamp, 'a field of the server').toBeTypeOf('string');
      expect(body.spec.backoffLimit, 'a default').toBe(6);
    },
  }),
];
