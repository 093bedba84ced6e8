import { defineRule } from '../rule.ts';
import { answerStatus, removeIn, requestHeader } from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import { nameOf, stateOf } from '../verbs/states.ts';
import { generalKinds } from '../verbs/subjects.ts';
import { allWrites, fits } from '../verbs/writes.ts';

export default [
  defineRule('errors.403', {
    needs: ['second-user'],
    sabotage: [
      requestHeader('impersonate-user', undefined),
      answerStatus(404, { instead: 403 }),
      ...['status', 'scale', 'eviction', 'approval'].map((sub) =>
        requestHeader('impersonate-user', undefined, { path: new RegExp(`/${sub}$`) }),
      ),
    ],
    matrix: { kind: generalKinds, write: allWrites },
    where: fits,
    async check({ objects, as, unique, expect }, { kind, write }) {
      const object = await objects.create();
      const before = await stateOf(objects, kind);
      const theirs = objects.by(as({ name: unique('nobody') }));
      const answers: Record<string, Answer> = { [write.name]: await write.send({ objects: theirs, object, kind }) };
      if (write.name === 'create') {
        answers['get'] = await theirs.get(nameOf(object));
        answers['list'] = await theirs.getAll();
        answers['watch'] = await theirs.getAll({ watch: 1, timeoutSeconds: 1 });
        answers['missing'] = await theirs.get('touchstone-missing');
        answers['everywhere'] = await theirs.viewed('everywhere').getAll();
      }
      for (const [what, { status, body }] of Object.entries(answers)) {
        expect(status, what).toBe(403);
        expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
      }
      expect(await stateOf(objects, kind), 'what is stored').toEqual(before);
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
