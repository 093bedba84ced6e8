import { defineRule } from '../rule.ts';
import { answerStatus } from '../sabotage/transforms.ts';

const jobs = { path: /\/jobs(\/[^/]+)?$/ };
const values = ['Ignore', 'Warn', 'Strict'];

export default [
  defineRule('fields.types-validated', {
    sabotage: [
      answerStatus(201, { method: 'POST', ...jobs, instead: 400 }),
      answerStatus(200, { method: 'PUT', ...jobs, instead: 400 }),
    ],
    async check({ jobs, expect }) {
      const object = await jobs.create();
      for (const fieldValidation of values) {
        const refused = await jobs.post(jobs.sample({ spec: { backoffLimit: 'six' } }), { fieldValidation });
        expect(refused.status, `create with ${fieldValidation}`).toBe(400);
        const next = { ...object, spec: { ...object.spec, suspend: 'no' } };
        expect((await jobs.put(next, { fieldValidation })).status, `update with ${fieldValidation}`).toBe(400);
      }
    },
  }),

  defineRule('fields.required', {
    sabotage: answerStatus(201, { method: 'POST', path: /\/(jobs|endpointslices)$/, instead: 422 }),
    async check({ jobs, endpointSlices, expect }) {
      expect((await jobs.post(jobs.sample())).status, 'with all fields').toBe(201);
      for (const fieldValidation of values) {
        const noTemplate = jobs.sample();
        delete noTemplate.spec.template;
        expect(
          (await jobs.post(noTemplate, { fieldValidation })).status,
          `a Job without a template, ${fieldValidation}`,
        ).toBe(422);
        const noType = endpointSlices.sample({ addressType: undefined });
        expect(
          (await endpointSlices.post(noType, { fieldValidation })).status,
          `a slice without a type, ${fieldValidation}`,
        ).toBe(422);
      }
    },
  }),
];
