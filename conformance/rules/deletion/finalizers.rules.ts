import { grant } from '../../checks/access/permissions.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, loseWrite, replaceIn } from '../../sabotage/transforms.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, named } from '../../verbs/subjects.ts';
import { onceAllowed } from '../../verbs/until-status.ts';

const background = { query: { propagationPolicy: 'Background' } };
const patches = { method: 'PATCH', path: /\/secrets\/[^/]+$/ };
const [one, two, three] = ['example.com/one', 'example.com/two', 'example.com/three'] as const;

export default [
  // Finalizers may go in whatever order.
  defineRule('deletion.finalizers.any-order', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerStatus(409, { ...patches, nth: 1 }),
      loseWrite({ ...patches, nth: 2 }),
      answerStatus(422, { method: 'PATCH', path: /\/roles\/[^/]+$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      for (const steps of [
        [[three, two, one], [three, one], [three], null],
        [[two, three], [two], null],
      ]) {
        const { metadata } = await objects.create({ metadata: { finalizers: [one, two, three] } });
        await objects.delete(metadata.name, background);
        for (const finalizers of steps) {
          const answer = await objects.patch(metadata.name, { metadata: { finalizers } });
          expect(answer.status, `leaving ${finalizers ?? 'none'}`).toBe(200);
          if (finalizers) expect((await objects.read(metadata.name)).metadata.finalizers).toEqual(finalizers);
        }
        if (!kind.lingers) expect((await objects.get(metadata.name)).status, 'with all of them removed').toBe(404);
      }
    },
  }),

  // Everyone who may write an object may reorder its finalizers.
  defineRule('deletion.finalizers.shared', {
    needs: ['second-user'],
    matrix: { kind: named('secrets', 'jobs', 'widgets', 'gadgets', 'namespaces', 'certificatesigningrequests') },
    sabotage: [
      answerStatus(403, patches),
      replaceIn('metadata.finalizers', { method: 'GET', path: /\/jobs\/[^/]+$/, with: [one, two, three] }),
    ],
    async check(context, { kind }) {
      const { objects, as, unique, waitUntil, expect } = context;
      const name = unique('actor');
      const object = await objects.create({ metadata: { finalizers: [one, two, three] } });
      await objects.delete(nameOf(object), background);
      const { group, resource } = objects.at;
      await grant(
        context,
        name,
        [{ apiGroups: [group], resources: [resource], verbs: ['get', 'patch'] }],
        kind.namespaced,
      );
      const theirs = objects.by(as({ name }));
      await waitUntil(
        'the right is in effect',
        async () => (await theirs.get(nameOf(object))).status,
        (status) => status === 200,
      );
      const reorder = () => theirs.patch(nameOf(object), { metadata: { finalizers: [three, one, two] } });
      expect((await onceAllowed('the patch', reorder)).status).toBe(200);
      expect((await objects.read(nameOf(object))).metadata.finalizers).toEqual([three, one, two]);
    },
  }),

  // Once marked, the owner of a finalizer may clean up whenever it likes.
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
