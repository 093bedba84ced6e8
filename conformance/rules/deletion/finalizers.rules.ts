import { defineRule } from '../../rule.ts';
import { answerStatus, loseWrite, replaceIn } from '../../sabotage/transforms.ts';
import { allowInNamespace } from '../../verbs/permissions.ts';

const patches = { method: 'PATCH', path: /\/secrets\/[^/]+$/ };
const [one, two, three] = ['example.com/one', 'example.com/two', 'example.com/three'] as const;

export default [
  defineRule('deletion.finalizers.any-order', {
    sabotage: [answerStatus(409, { ...patches, nth: 1 }), loseWrite({ ...patches, nth: 2 })],
    async check({ secrets, expect }) {
      for (const steps of [
        [[one, three], [three], null],
        [[two, three], [two], null],
      ]) {
        const { metadata } = await secrets.create({ metadata: { finalizers: [one, two, three] } });
        await secrets.delete(metadata.name);
        for (const finalizers of steps) {
          const answer = await secrets.patch(metadata.name, { metadata: { finalizers } });
          expect(answer.status, `leaving ${finalizers ?? 'none'}`).toBe(200);
          if (finalizers) expect((await secrets.read(metadata.name)).metadata.finalizers).toEqual(finalizers);
        }
        expect((await secrets.get(metadata.name)).status, 'with all of them removed').toBe(404);
      }
    },
  }),

  defineRule('deletion.finalizers.shared', {
    needs: ['second-user'],
    sabotage: answerStatus(403, patches),
    async check(context) {
      const { secrets, as, unique, waitUntil, expect } = context;
      const name = unique('actor');
      const object = await secrets.create({ metadata: { finalizers: [one, two, three] } });
      await secrets.delete(object.metadata.name);
      await allowInNamespace(context, name, [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'patch'] }]);
      const theirs = as({ name }).secrets;
      await waitUntil(
        'the right is in effect',
        async () => (await theirs.get(object.metadata.name)).status,
        (status) => status === 200,
      );
      const answer = await theirs.patch(object.metadata.name, { metadata: { finalizers: [three, one, two] } });
      expect(answer.status).toBe(200);
      expect((await secrets.read(object.metadata.name)).metadata.finalizers).toEqual([three, one, two]);
    },
  }),

  defineRule('deletion.finalizers.any-time', {
    needs: ['garbage-collector'],
    sabotage: replaceIn('metadata.finalizers', {
      method: 'GET',
      path: patches.path,
      with: [one, 'foregroundDeletion'],
    }),
    async check({ secrets, waitUntil, patience, expect }) {
      const { metadata } = await secrets.create({ metadata: { finalizers: [one] } });
      const marked = await secrets.remove(metadata.name, { query: { propagationPolicy: 'Foreground' } });
      expect(marked.metadata.finalizers, 'when marked').toEqual(expect.arrayContaining([one, 'foregroundDeletion']));
      // The garbage collector does not wait for us, nor do we have to hurry.
      await waitUntil(
        'the garbage collector has removed its finalizer',
        async () => (await secrets.read(metadata.name)).metadata.finalizers,
        (finalizers) => finalizers?.length === 1 && finalizers[0] === one,
        { limit: patience * 3 },
      );
      await secrets.merge(metadata.name, { metadata: { finalizers: null } });
      expect((await secrets.get(metadata.name)).status, 'when none is left').toBe(404);
    },
  }),
];
