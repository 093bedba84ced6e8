import { defineRule } from '../../rule.ts';
import { answerStatus } from '../../sabotage/transforms.ts';

export default [
  defineRule('job.active-deadline.positive', {
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/jobs$/, instead: 422 }),
      answerStatus(422, { method: 'POST', path: /\/jobs$/, instead: 201 }),
    ],
    async check({ jobs, looser, expect }) {
      const post = async (activeDeadlineSeconds: number) =>
        (await jobs.post(jobs.sample({ spec: { suspend: true, activeDeadlineSeconds } }))).status;
      expect(await post(1), '1').toBe(201);
      expect([400, 422], '-1').toContain(await post(-1));
      const zero = await post(0);
      await looser(() => expect([400, 422], '0').toContain(zero));
    },
  }),
];
