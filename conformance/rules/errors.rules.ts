import { defineRule } from '../rule.ts';
import { answerStatus, removeIn, requestHeader } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';

export default [
  defineRule('errors.403', {
    needs: ['second-user'],
    sabotage: [requestHeader('impersonate-user', undefined), answerStatus(404, { instead: 403 })],
    async check({ secrets, as, unique, expect }) {
      const { metadata } = await secrets.create();
      const theirs = as({ name: unique('nobody') }).secrets;
      const answers = {
        get: await theirs.get(metadata.name),
        list: await theirs.getAll(),
        create: await theirs.post(secrets.sample()),
        delete: await theirs.delete(metadata.name),
      };
      for (const [verb, { status, body }] of Object.entries(answers)) {
        expect(status, verb).toBe(403);
        expect(body, verb).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
      }
    },
  }),

  defineRule('errors.apply-conflict', {
    sabotage: [answerStatus(200, { method: 'PATCH', instead: 409 }), removeIn('details', { method: 'PATCH' })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa', b: 'aaaa' } }, 'first');
      const { status, body } = await secrets.tryApply(name, { data: { a: 'bbbb', b: 'bbbb' } }, 'second');
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).toMatchObject({ kind: 'Status', status: 'Failure' });
      const causes = (body.details?.causes ?? []).map((cause: Json) => `${cause.field} ${cause.message}`).sort();
      expect(causes, 'one cause a field').toHaveLength(2);
      expect(causes[0]).toMatch(/\.data\.a .*first/);
      expect(causes[1]).toMatch(/\.data\.b .*first/);
    },
  }),
];
