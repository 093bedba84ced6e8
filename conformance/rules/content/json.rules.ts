import { defineRule } from '../../rule.ts';
import { answerHeader, answerStatus } from '../../sabotage/transforms.ts';
import { isBuiltIn, pathOf, servedResources, servedVersions } from '../../verbs/discovery.ts';

export default [
  defineRule('content.json.default-response', {
    sabotage: [
      answerHeader('content-type', 'application/yaml', { method: 'GET' }),
      answerHeader('content-type', undefined, { method: 'POST', path: /\/secrets$/ }),
    ],
    async check({ secrets, expect }) {
      const created = await secrets.post(secrets.sample());
      const answers = {
        create: created,
        get: await secrets.get(created.body.metadata.name),
        list: await secrets.getAll(),
        error: await secrets.get('missing'),
      };
      for (const [what, { headers, body }] of Object.entries(answers)) {
        expect(headers['content-type'], what).toMatch(/^application\/json/);
        expect(body, what).toBeTypeOf('object');
      }
    },
  }),

  defineRule('content.json.requests', {
    sabotage: answerStatus(415, { method: 'POST', path: /\/secrets$/ }),
    async check({ secrets, expect }) {
      const type = (value: string) => ({ headers: { 'content-type': value } });
      for (const value of ['application/json', 'application/json; charset=utf-8', '']) {
        const { status, body } = await secrets.post(secrets.sample({ data: { a: 'aaaa' } }), '', type(value));
        expect(status, value || 'no type').toBe(201);
        expect(body.data).toEqual({ a: 'aaaa' });
      }
    },
  }),

  defineRule('content.json.all-kinds', {
    sabotage: answerStatus(406, { method: 'GET', path: /\/runtimeclasses$/ }),
    async check({ send, expect }) {
      const headers = { accept: 'application/json' };
      const versions = (await servedVersions(send)).filter(isBuiltIn);
      expect(versions.length, 'served versions').toBeGreaterThan(1);
      for (const groupVersion of versions) {
        const resources = await servedResources(send, groupVersion);
        for (const { name } of resources.filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))) {
          const answer = await send('GET', `${pathOf(groupVersion)}/${name}`, { headers, query: { limit: 1 } });
          expect(answer.status, `${name} of ${groupVersion}`).toBe(200);
          expect(answer.headers['content-type']).toMatch(/^application\/json/);
          expect(answer.body.kind, `${name} of ${groupVersion}`).toMatch(/List$/);
        }
      }
    },
  }),
];
