import { defineRule } from '../../rule.ts';
import { answerStatus, answerWith, notFound, redirectPath, removeIn, replaceIn } from '../../sabotage/transforms.ts';

const subresource = { method: 'GET', path: /\/(status|approval)$/ };

export default [
  // For a cluster-scoped object a subresource's path continues the path of the object.
  defineRule('paths.subresource.cluster', {
    sabotage: [
      notFound(subresource),
      replaceIn('metadata.uid', subresource),
      redirectPath(/\/nothing$/, '', { method: 'GET' }),
    ],
    async check({ signingRequests, expect }) {
      const { metadata } = await signingRequests.create();
      for (const sub of ['status', 'approval']) {
        const answer = await signingRequests.get(metadata.name, '', { sub });
        expect(answer.status, sub).toBe(200);
        expect(answer.body.metadata.uid, sub).toBe(metadata.uid);
      }
      const none = await signingRequests.get(metadata.name, '', { sub: 'nothing' });
      expect(none.status, 'one that there is not').toBe(404);
    },
  }),

  // For a namespaced object a subresource's path continues the path of the object.
  defineRule('paths.subresource.namespaced', {
    sabotage: [
      notFound(subresource),
      replaceIn('metadata.uid', subresource),
      redirectPath(/\/scale$/, '', { method: 'GET' }),
    ],
    async check({ ingresses, expect }) {
      const { metadata } = await ingresses.create();
      const answer = await ingresses.get(metadata.name, '', { sub: 'status' });
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
      for (const sub of ['scale', 'nothing'])
        expect((await ingresses.get(metadata.name, '', { sub })).status, `${sub}, which it has not`).toBe(404);
    },
  }),

  // Which methods a subresource takes depends on it: `finalize` of a Namespace knows PUT alone, `approval` of a
  // signing request GET, PUT and PATCH.
  defineRule('paths.subresource.verbs-by-kind', {
    sabotage: [
      answerStatus(200, { method: 'GET', path: /\/finalize$/, instead: 405 }),
      removeIn('reason', { method: 'PATCH', path: /\/finalize$/ }),
      answerStatus(405, { method: 'PATCH', path: /\/approval$/ }),
      redirectPath(/\/finalize$/, '', { method: 'GET' }),
      redirectPath(/\/finalize$/, '', { method: 'PATCH' }),
    ],
    async check({ namespaces, signingRequests, namespace, expect }) {
      const name = await namespace();
      const put = await namespaces.put(await namespaces.read(name), '', { sub: 'finalize' });
      expect(put.status, 'PUT finalize').toBe(200);
      const refusals = {
        'GET finalize': await namespaces.get(name, '', { sub: 'finalize' }),
        'PATCH finalize': await namespaces.patch(name, {}, { sub: 'finalize' }),
      };
      for (const [what, { status, body }] of Object.entries(refusals)) {
        expect(status, what).toBe(405);
        expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'MethodNotAllowed', code: 405 });
      }
      const request = await signingRequests.create();
      const sub = 'approval';
      expect((await signingRequests.get(request.metadata.name, '', { sub })).status, 'GET approval').toBe(200);
      expect((await signingRequests.put(request, '', { sub })).status, 'PUT approval').toBe(200);
      expect((await signingRequests.patch(request.metadata.name, {}, { sub })).status, 'PATCH approval').toBe(200);
    },
  }),

  // A subresource belongs to one named object; collections have none.
  defineRule('paths.subresource.single-only', {
    sabotage: [
      answerWith(200, { kind: 'IngressList', items: [] }, { method: 'GET', path: /\/ingresses\/status$/ }),
      redirectPath(/\/ingresses\/status$/, '/ingresses', { method: 'GET' }),
    ],
    async check({ ingresses, send, expect }) {
      const { metadata } = await ingresses.create();
      expect((await ingresses.get(metadata.name, '', { sub: 'status' })).status, 'of one object').toBe(200);
      expect((await send('GET', `${await ingresses.path()}/status`)).status, 'of the collection').toBe(404);
    },
  }),
];
