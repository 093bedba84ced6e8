import { unversioned } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { acceptsInvalid, takesAnyKind } from '../sabotage/careless.ts';
import { answerStatus, answerWith, redirectPath, replaceIn, requestHeader } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { merged } from '../verbs/merged.ts';
import { nameOf, versionOf } from '../verbs/states.ts';
import { generalKinds, marking } from '../verbs/subjects.ts';

const secretPaths = /\/secrets(\/[^/]+)?$/;
/** A type in which there are no objects. */
const asText = { headers: { 'content-type': 'text/plain' } };

export default [
  // A create without a body, or with one of another kind, is turned down.
  defineRule('params.create.body', {
    matrix: { kind: generalKinds },
    sabotage: [
      acceptsInvalid({ method: 'POST', path: secretPaths }),
      takesAnyKind('Secret', { method: 'POST', path: secretPaths }),
      takesAnyKind('Lease', { method: 'POST', path: /\/leases$/ }),
      requestHeader('content-type', 'application/json', { method: 'POST', header: { 'content-type': /plain/ } }),
    ],
    async check({ objects, expect }) {
      const missing = await objects.post('');
      expect(missing.status, 'no body').toBeGreaterThanOrEqual(400);
      expect(missing.status, 'no body').toBeLessThan(500);
      const other = await objects.post({ ...(await objects.draft()), kind: 'Alien' });
      // Of a custom kind a genuine server says 422.
      expect([400, 422], 'a body of another kind').toContain(other.status);
      const plain = await objects.post(await objects.draft(), '', asText);
      expect(plain.status, 'a body of another type').toBe(415);
      expect((await objects.viewed('labels').list()).items, 'what is stored').toEqual([]);
    },
  }),

  // An update without a body of the kind is turned down.
  defineRule('params.update.body', {
    matrix: { kind: generalKinds },
    sabotage: [
      acceptsInvalid({ method: 'PUT', path: secretPaths }),
      takesAnyKind('Secret', { method: 'PUT', path: secretPaths }),
      requestHeader('content-type', 'application/json', { method: 'PUT', header: { 'content-type': /plain/ } }),
    ],
    async check({ objects, expect }, { kind }) {
      const object = await objects.create();
      const name = nameOf(object);
      const missing = await objects.put('', '', { name });
      expect(missing.status, 'no body').toBeGreaterThanOrEqual(400);
      expect(missing.status, 'no body').toBeLessThan(500);
      const other = await objects.put({ ...unversioned(kind, object), kind: 'Alien' });
      expect([400, 422], 'a body of another kind').toContain(other.status);
      const plain = await objects.put(merged(unversioned(kind, object), marking('text')), '', asText);
      expect(plain.status, 'a body of another type').toBe(415);
      if (!kind.busy) expect(versionOf(await objects.read(name)), 'unchanged').toBe(versionOf(object));
    },
  }),

  // A patch without a patch as its body is turned down.
  defineRule('params.patch.body', {
    matrix: { kind: generalKinds },
    sabotage: [
      acceptsInvalid({ method: 'PATCH', path: secretPaths }),
      answerStatus(200, { method: 'PATCH', path: /\/jobs\//, instead: 400 }),
    ],
    async check({ objects, expect }, { kind }) {
      const object = await objects.create();
      const name = nameOf(object);
      for (const body of ['', 'no patch', '[1, 2'])
        expect((await objects.patch(name, body)).status, JSON.stringify(body)).toBe(400);
      expect((await objects.patch(name, '{}', { type: 'json' })).status, 'an object for a JSON patch').toBe(400);
      if (!kind.busy) expect(versionOf(await objects.read(name)), 'unchanged').toBe(versionOf(object));
      expect((await objects.patch(name, marking('new'))).status, 'a patch').toBe(200);
    },
  }),

  // The namespace has to be in the path for anything but the list over all of them.
  defineRule('params.namespace.required', {
    sabotage: [
      answerWith(201, (request: { body: Buffer }) => JSON.parse(request.body.toString()), {
        method: 'POST',
        path: /^\/api\/v1\/secrets$/,
      }),
      answerWith(200, { kind: 'Secret' }, { method: 'GET', path: /^\/api\/v1\/secrets\/[^/]+$/ }),
      redirectPath(/^\/api\/v1\/secrets$/, '/api/v1/namespaces/default/secrets', { method: 'POST' }),
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

  // The list over all namespaces has no namespace in its path.
  defineRule('params.namespace.not-for-cross-list', {
    matrix: { kind: generalKinds.filter(({ namespaced, name }) => namespaced && name !== 'pods') },
    sabotage: [
      replaceIn('items', { method: 'GET', path: /^\/api\/v1\/secrets$/ }),
      replaceIn('items', { method: 'GET', path: /^\/apis\/[^/]+\/v1\/ingresses$/ }),
    ],
    async check({ objects, extraNamespace, later, expect }) {
      const other = await extraNamespace();
      const elsewhere = objects.in(other);
      await objects.create();
      await elsewhere.create();
      later(() => elsewhere.deleteAll());
      const answer = await objects.viewed('everywhere').getAll();
      expect(answer.status).toBe(200);
      const places = answer.body.items.map((one: Json) => one.metadata.namespace).sort();
      expect(places).toEqual([await objects.place(), other].sort());
    },
  }),
];
