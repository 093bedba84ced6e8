import { defineRule } from '../../rule.ts';
import { answerStatus, changeMethod, notFound, replaceIn } from '../../sabotage/transforms.ts';
import { endpointRules } from '../endpoint-rules.ts';

const status = {
  conditions: [{ type: 'NamespaceContentRemaining', status: 'True', reason: 'Tried', message: 'tried' }],
};

export default [
  ...endpointRules({ chapter: 'namespace', kind: 'namespaces', subresources: ['status'], status }),

  // PUT of its `finalize`: 200 or 201.
  defineRule('namespace.endpoint.replace-finalize', {
    sabotage: [
      notFound({ method: 'PUT', path: /\/finalize$/ }),
      answerStatus(203, { method: 'PUT', path: /\/finalize$/ }),
      replaceIn('metadata.uid', { method: 'PUT', path: /\/finalize$/ }),
    ],
    async check({ namespaces, namespace, expect }) {
      const object = await namespaces.read(await namespace());
      const { status, body } = await namespaces.put(object, '', { sub: 'finalize' });
      expect([200, 201]).toContain(status);
      expect(body).toMatchObject({ kind: 'Namespace', metadata: { uid: object.metadata.uid } });
    },
  }),

  // Namespaces cannot all be deleted at once.
  defineRule('namespace.endpoint.no-deletecollection', {
    sabotage: [
      answerStatus(200, { method: 'DELETE', path: /^\/api\/v1\/namespaces$/ }),
      changeMethod('GET', { method: 'DELETE', path: /^\/api\/v1\/namespaces$/ }),
    ],
    async check({ send, namespaces, namespace, expect }) {
      const name = await namespace();
      // A selector and a dry run, lest a server that does have it deletes all it holds.
      const query = { labelSelector: 'touchstone/none=such', dryRun: 'All' };
      expect((await send('DELETE', '/api/v1/namespaces', { query })).status).toBe(405);
      expect((await namespaces.get(name)).body?.metadata?.deletionTimestamp).toBeUndefined();
    },
  }),
];
