import { defineRule } from '../rule.ts';
import { loseWrite, removeIn, replaceIn } from '../sabotage/transforms.ts';

const item = { path: /\/secrets\/[^/]+$/ };
const held = { metadata: { finalizers: ['example.com/one'] } };

export default [
  defineRule('deletion.two-phases', {
    sabotage: [
      removeIn('metadata.deletionTimestamp', { ...item, method: 'GET' }),
      loseWrite({ ...item, method: 'PATCH' }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create(held);
      expect((await secrets.delete(metadata.name)).status).toBe(200);
      const marked = await secrets.get(metadata.name);
      expect(marked.status, 'while a finalizer is left').toBe(200);
      expect(marked.body.metadata.deletionTimestamp).toBeTypeOf('string');
      await secrets.patch(metadata.name, { metadata: { finalizers: null } });
      expect((await secrets.get(metadata.name)).status, 'when none is left').toBe(404);
    },
  }),

  defineRule('deletion.timestamp', {
    sabotage: replaceIn('metadata.deletionTimestamp', { with: '2001-02-03T04:05:06Z', ...item }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create(held);
      expect(metadata.deletionTimestamp, 'before').toBeUndefined();
      const answer = await secrets.delete(metadata.name);
      const now = Date.parse(answer.headers.date ?? new Date().toUTCString());
      const { deletionTimestamp } = (await secrets.read(metadata.name)).metadata;
      expect(Math.abs(Date.parse(deletionTimestamp) - now), 'milliseconds from the time of the delete').toBeLessThan(
        10_000,
      );
      await secrets.delete(metadata.name);
      expect((await secrets.read(metadata.name)).metadata.deletionTimestamp, 'after another delete').toBe(
        deletionTimestamp,
      );
    },
  }),

  defineRule('deletion.removal', {
    sabotage: [loseWrite({ ...item, method: 'PATCH' }), loseWrite({ ...item, method: 'PUT' })],
    async check({ secrets, expect }) {
      for (const by of ['patch', 'update']) {
        const object = await secrets.create(held);
        const { name } = object.metadata;
        await secrets.delete(name);
        if (by === 'patch') await secrets.patch(name, { metadata: { finalizers: null } });
        else await secrets.put({ ...object, metadata: { name } });
        expect((await secrets.get(name)).status, `the last finalizer removed by ${by}`).toBe(404);
      }
    },
  }),
];
