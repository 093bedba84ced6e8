import { defineRule } from '../../rule.ts';
import { loseWrite, notFound, replaceIn } from '../../sabotage/transforms.ts';

const reads = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ };
const finalizes = { method: 'PUT', path: /\/finalize$/ };
const ours = 'touchstone.example/hold';

export default [
  // `spec.finalizers` is a list of words nobody reads meaning into.
  defineRule('namespace.spec.finalizers', {
    sabotage: [
      replaceIn('spec.finalizers', { ...reads, with: ours }),
      replaceIn('spec.finalizers', { ...reads, with: ['kubernetes'] }),
    ],
    async check({ namespaces, expect }) {
      const { metadata } = await namespaces.create({ spec: { finalizers: [ours] } });
      const { finalizers } = (await namespaces.get(metadata.name)).body.spec;
      expect(finalizers).toBeInstanceOf(Array);
      expect(finalizers).toContain(ours);
      expect((await namespaces.post(namespaces.sample({ spec: { finalizers: ours } }))).status, 'no list').toBe(400);
      expect(
        (
          await namespaces.put({ ...(await namespaces.read(metadata.name)), spec: { finalizers: [] } }, '', {
            sub: 'finalize',
          })
        ).status,
      ).toBe(200);
    },
  }),

  // A Namespace goes for good only when that list is empty.
  defineRule('namespace.spec.finalizers.empty', {
    sabotage: [notFound({ ...reads, from: 3 }), loseWrite(finalizes)],
    async check({ namespaces, waitUntil, expect }) {
      const { metadata } = await namespaces.create({ spec: { finalizers: [ours] } });
      await namespaces.delete(metadata.name);
      // A controller may take its own finalizer away meanwhile; ours holds the namespace.
      for (const look of [1, 2, 3])
        expect((await namespaces.get(metadata.name)).status, `look ${look} while a finalizer is left`).toBe(200);
      const gone = async () => {
        const { status, body } = await namespaces.get(metadata.name);
        if (status === 200) await namespaces.put({ ...body, spec: { finalizers: [] } }, '', { sub: 'finalize' });
        return status;
      };
      await waitUntil('a namespace without finalizers is gone', gone, (status) => status === 404);
    },
  }),
];
