import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';

export default [
  defineRule('fields.duplicate.dropped', {
    sabotage: [
      replaceIn('data', { with: { a: ['aaaa', 'bbbb'] }, method: 'GET', path: /\/secrets\/[^/]+$/ }),
      answerStatus(400, { method: 'POST', body: /bbbb/ }),
    ],
    async check({ secrets, unique, expect }) {
      const name = unique();
      const body = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${name}"},"data":{"a":"aaaa","a":"bbbb"}}`;
      expect((await secrets.post(body)).status).toBe(201);
      const { data } = await secrets.read(name);
      expect(Object.keys(data)).toEqual(['a']);
      expect(['aaaa', 'bbbb']).toContain(data.a);
    },
  }),
];
