import { defineRule } from '../rule.ts';
import { answerStatus, answerWith, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';

const secretPaths = /\/secrets(\/[^/]+)?$/;

export default [
  defineRule('params.create.body', {
    sabotage: answerStatus(201, { method: 'POST', path: secretPaths, instead: 400 }),
    async check({ secrets, configMaps, expect }) {
      const missing = await secrets.post('');
      expect(missing.status, 'no body').toBeGreaterThanOrEqual(400);
      expect((await secrets.post(configMaps.sample())).status, 'a body of another kind').toBe(400);
      expect((await secrets.list()).items).toEqual([]);
    },
  }),

  defineRule('params.update.body', {
    sabotage: answerStatus(200, { method: 'PUT', path: secretPaths, instead: 400 }),
    async check({ secrets, configMaps, expect }) {
      const { metadata } = await secrets.create();
      const { name } = metadata;
      expect((await secrets.put('', '', { name })).status, 'no body').toBeGreaterThanOrEqual(400);
      expect((await secrets.put(configMaps.sample({ metadata: { name } }))).status, 'a body of another kind').toBe(400);
      expect((await secrets.read(name)).metadata.resourceVersion, 'unchanged').toBe(metadata.resourceVersion);
    },
  }),

  defineRule('params.patch.body', {
    sabotage: answerStatus(200, { method: 'PATCH', path: secretPaths, instead: 400 }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      for (const body of ['', 'no patch', '[1, 2']) {
        expect((await secrets.patch(metadata.name, body)).status, JSON.stringify(body)).toBe(400);
      }
      expect((await secrets.patch(metadata.name, { data: { z: 'aaaa' } })).status, 'a patch').toBe(200);
    },
  }),

  defineRule('params.namespace.required', {
    sabotage: [
      answerWith(201, (request: { body: Buffer }) => JSON.parse(request.body.toString()), {
        method: 'POST',
        path: /^\/api\/v1\/secrets$/,
      }),
      answerWith(200, { kind: 'Secret' }, { method: 'GET', path: /^\/api\/v1\/secrets\/[^/]+$/ }),
    ],
    async check({ secrets, send, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.get(metadata.name)).status, 'with a namespace').toBe(200);
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
        const answer = await send(method, `/api/v1/secrets/${metadata.name}`, {
          headers,
          ...(method === 'GET' ? {} : { body: {} }),
        });
        expect([404, 405], `${method} without a namespace`).toContain(answer.status);
      }
      expect([404, 405], 'POST without a namespace').toContain(
        (await send('POST', '/api/v1/secrets', { body: secrets.sample() })).status,
      );
    },
  }),

  defineRule('params.namespace.not-for-cross-list', {
    sabotage: replaceIn('items', { method: 'GET', path: /^\/api\/v1\/secrets$/ }),
    async check({ secrets, send, extraNamespace, unique, expect }) {
      const mark = unique();
      const labels = { 'touchstone/test': mark };
      await secrets.create({ metadata: { labels } });
      await secrets.in(await extraNamespace()).create({ metadata: { labels } });
      const answer = await send('GET', '/api/v1/secrets', { query: { labelSelector: `touchstone/test=${mark}` } });
      expect(answer.status).toBe(200);
      expect(new Set(answer.body.items.map((one: Json) => one.metadata.namespace)).size).toBe(2);
    },
  }),
];
