import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { generalKinds } from '../../verbs/subjects.ts';

export default [
  // Of a field that comes twice only one is stored.
  defineRule('fields.duplicate.dropped', {
    sabotage: [
      replaceIn('metadata.annotations', { with: { a: ['aaaa', 'bbbb'] }, method: 'GET', path: /\/secrets\/[^/]+$/ }),
      answerStatus(400, { method: 'POST', body: /bbbb/ }),
    ],
    matrix: { kind: generalKinds },
    async check({ objects, expect }) {
      const { metadata, ...object } = await objects.draft();
      const body = `{"metadata":${JSON.stringify(metadata).slice(0, -1)},"annotations":{"a":"aaaa","a":"bbbb"}},${JSON.stringify(object).slice(1)}`;
      const { status, body: answer } = await objects.post(body);
      expect(status, answer?.message).toBe(201);
      const { annotations } = (await objects.read(metadata.name)).metadata;
      expect(['aaaa', 'bbbb']).toContain(annotations.a);
    },
  }),
];
