import { defineRule } from '../../rule.ts';
import { loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';

const reads = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ };
const finalizers = ['touchstone.example/hold'];

export default [
  // A Namespace has a phase and may have conditions.
  defineRule('namespace.state.exist', {
    sabotage: [removeIn('status.phase', reads), loseWrite({ method: 'PATCH', path: /\/status$/ })],
    async check({ namespaces, namespace, expect }) {
      const name = await namespace();
      const conditions = [{ type: 'Judged', status: 'True' }];
      await namespaces.patch(name, { status: { conditions } }, { sub: 'status' });
      const { status } = (await namespaces.get(name)).body;
      expect(status.phase).toBeTypeOf('string');
      expect(status.conditions).toMatchObject(conditions);
    },
  }),

  // A Namespace is first marked, and removed when its finalizers are gone.
  defineRule('namespace.state.deletion', {
    sabotage: [
      removeIn('metadata.deletionTimestamp', reads),
      loseWrite({ method: 'PUT', path: /\/finalize$/ }),
      replaceIn('status.phase', { ...reads, with: 'Active' }),
    ],
    async check({ namespaces, waitUntil, expect }) {
      const { metadata } = await namespaces.create({ spec: { finalizers } });
      expect((await namespaces.delete(metadata.name)).status).toBe(200);
      const marked = (await namespaces.get(metadata.name)).body;
      expect(marked.metadata.deletionTimestamp).toBeTypeOf('string');
      expect(marked.status.phase, 'of one that is going').toBe('Terminating');
      const gone = async () => {
        const { status, body } = await namespaces.get(metadata.name);
        if (status === 200) await namespaces.put({ ...body, spec: { finalizers: [] } }, '', { sub: 'finalize' });
        return status;
      };
      await waitUntil('the namespace is removed', gone, (status) => status === 404);
    },
  }),
];
