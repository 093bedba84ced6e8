import { besideRight, grant, rightFor } from '../../checks/access/permissions.ts';
import { keepsOwnParts } from '../../checks/custom/borrowed-names.ts';
import { fits, mainWrites, subresourceWrites, type Write } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, notFound, removeIn, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, named } from '../../verbs/subjects.ts';

/** An answer that tells of this object. */
const showing = ({ uid }: Json) => ({ status: 200, body: { metadata: { uid } } });

/** A label that no pod of the rule has. */
const absent = 'example.com/absent';

export default [
  // There are resource types with subresources, `status` and `finalize` among them.
  defineRule('service.subresources.exist', {
    sabotage: ['status', 'approval', 'finalize'].flatMap((sub) => [
      notFound({ path: new RegExp(`/${sub}$`) }),
      replaceIn('metadata.uid', { path: new RegExp(`/${sub}$`) }),
    ]),
    async check({ signingRequests, namespaces, namespace, expect }) {
      const { metadata } = await signingRequests.create();
      for (const sub of ['status', 'approval'])
        expect(await signingRequests.get(metadata.name, '', { sub }), sub).toMatchObject(showing(metadata));
      const object = await namespaces.read(await namespace());
      const put = await namespaces.put(object, '', { sub: 'finalize' });
      expect(put, 'finalize').toMatchObject(showing(object.metadata));
    },
  }),

  // Permission on a resource and permission on its subresource are given apart from each other.
  defineRule('service.subresources.finer-authorization', {
    needs: ['second-user', 'rights'],
    sabotage: requestHeader('impersonate-user', undefined),
    matrix: { kind: generalKinds, write: subresourceWrites },
    // Binding takes more than the right on the subresource.
    where: ({ kind, write }) => fits({ kind, write }) && write.sub !== 'binding',
    async check(context, { kind, write }) {
      const { objects, as, unique, waitUntil, expect } = context;
      const object = await objects.create();
      const [parent, sub] = [unique('parent'), unique('sub')];
      const main = mainWrites.find(({ verb }) => verb === (write.verb === 'create' ? 'create' : write.verb)) ?? write;
      const more = besideRight(objects.at, write);
      await grant(context, parent, [rightFor(objects.at, { verb: write.verb, sub: '' }), ...more], kind.namespaced);
      await grant(context, sub, [rightFor(objects.at, write), ...more], kind.namespaced);
      const tries = (user: string, tried: Write) => async () => {
        const current = await objects.read(nameOf(object));
        const theirs = objects.by(as({ name: user }));
        return (await tried.send({ objects: theirs, object: current, kind, query: { dryRun: 'All' } })).status;
      };
      const done = (status: number): boolean => status >= 200 && status < 300;
      await waitUntil('the right on the resource is in effect', tries(parent, main), done);
      await waitUntil('the right on the subresource is in effect', tries(sub, write), done);
      expect(await tries(parent, write)(), 'the subresource with a right on the resource').toBe(403);
      expect(await tries(sub, main)(), 'the resource with a right on the subresource').toBe(403);
    },
  }),

  // What a subresource answers may be an object of another kind than its parent, as `scale` does.
  defineRule('service.subresources.other-representation', {
    sabotage: [
      replaceIn('kind', { with: 'Deployment', path: /\/scale$/ }),
      answerStatus(200, { method: 'PATCH', path: /\/scale$/, instead: 422 }),
      removeIn('status.selector', { method: 'GET', path: /\/scale$/ }),
      replaceIn('status.replicas', { method: 'GET', path: /\/scale$/ }),
      answerStatus(404, { path: /^\/apis\/[^/]+\.touchstone\.example\/.*\/scale$/ }),
    ],
    matrix: { kind: named('deployments', 'widgets', 'gadgets') },
    async check(context, { kind }) {
      const { objects, expect } = context;
      if (kind.name === 'widgets') await keepsOwnParts(context);
      const field = kind.custom ? 'size' : 'replicas';
      const selector = { matchExpressions: [{ key: absent, operator: 'DoesNotExist' }] };
      const { metadata } = await objects.create({ spec: { [field]: 2, ...(!kind.custom && { selector }) } });
      const scale = () => objects.get(metadata.name, '', { sub: 'scale' });
      const answer = await scale();
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 2 } });
      const { name, namespace, uid } = metadata;
      expect(answer.body.metadata).toMatchObject({ name, uid, ...(namespace && { namespace }) });
      const patched = await objects.patch(metadata.name, { spec: { replicas: 3 } }, { sub: 'scale' });
      expect(patched.status, 'patch').toBe(200);
      expect(patched.body).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
      expect((await objects.read(metadata.name)).spec[field], 'of the object').toBe(3);
      const stale = await objects.put({ ...answer.body, spec: { replicas: 5 } }, '', { sub: 'scale' });
      expect(stale.status, 'by what it was before').toBe(409);
      const put = await objects.put({ ...(await scale()).body, spec: { replicas: 4 } }, '', { sub: 'scale' });
      expect([200, ...(kind.busy ? [409] : [])], 'update').toContain(put.status);
      if (put.status === 200) expect((await objects.read(metadata.name)).spec[field], 'of the object').toBe(4);
      const { spec } = await objects.read(metadata.name);
      const negative = await objects.patch(metadata.name, { spec: { replicas: -1 } }, { sub: 'scale' });
      expect(negative.status, 'fewer than none').toBe(422);
      expect((await objects.read(metadata.name)).spec[field], 'after that').toBe(spec[field]);
      if (kind.custom) {
        await objects.patch(metadata.name, { status: { ready: 1, chosen: 'a=b' } }, { sub: 'status' });
        expect((await scale()).body.status, 'how many there are, and whom it selects').toMatchObject({
          ...{ replicas: 1, selector: 'a=b' },
        });
        return;
      }
      const selected = Object.entries(spec.selector.matchLabels).map(([key, value]) => `${key}=${value}`);
      expect(answer.body.status?.selector?.split(',').sort(), 'whom it selects').toEqual([`!${absent}`, ...selected]);
    },
  }),
];
