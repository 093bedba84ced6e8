import { defineRule } from '../../rule.ts';
import { loseWrite, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const patches = { method: 'PATCH', path: /\/status$/ };
const suspended = { spec: { suspend: true } };
const condition = (type: string) => ({ type, status: 'True', reason: 'Judged', message: type });

export default [
  defineRule('job.status.conditions.merge', {
    sabotage: [replaceIn('status.conditions', { method: 'GET', path: /\/jobs\// }), loseWrite(patches)],
    async check({ jobs, expect }) {
      const { metadata } = await jobs.create(suspended);
      for (const type of ['Failed', 'Complete']) {
        const patch = { status: { conditions: [condition(type)] } };
        expect((await jobs.patch(metadata.name, patch, { type: 'strategic', sub: 'status' })).status).toBe(200);
      }
      const types = ((await jobs.read(metadata.name)).status.conditions ?? []).map((one: Json) => one.type);
      expect(types).toEqual(expect.arrayContaining(['Complete', 'Failed']));
    },
  }),

  defineRule('job.status.uncounted.shape', {
    sabotage: [loseWrite(patches), replaceIn('status.uncountedTerminatedPods.failed', { with: 'f1', method: 'GET' })],
    async check({ jobs, expect }) {
      const { metadata } = await jobs.create(suspended);
      const uncountedTerminatedPods = { failed: ['f1', 'f2'], succeeded: ['s1'] };
      expect((await jobs.patch(metadata.name, { status: { uncountedTerminatedPods } }, { sub: 'status' })).status).toBe(
        200,
      );
      expect((await jobs.read(metadata.name)).status.uncountedTerminatedPods).toEqual(uncountedTerminatedPods);
      const wrong = await jobs.patch(
        metadata.name,
        { status: { uncountedTerminatedPods: { failed: 'f1' } } },
        { sub: 'status' },
      );
      expect([400, 422], 'no list').toContain(wrong.status);
    },
  }),
];
