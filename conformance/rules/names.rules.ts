import { defineRule } from '../rule.ts';
import { answerStatus, changeRequest, loseWrite, replaceIn } from '../sabotage/transforms.ts';
import { allowInNamespace } from '../verbs/permissions.ts';
import { preparePods } from '../verbs/pods.ts';

const accessReviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

const review = (user: string, namespace: string) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user, resourceAttributes: { namespace, verb: 'get', resource: 'secrets' } },
});

export default [
  defineRule('names.required', {
    sabotage: changeRequest('makes up names', (body) => ({ ...body, metadata: { name: 'made-up' } }), {
      method: 'POST',
      path: /\/secrets$/,
    }),
    async check({ secrets, namespace, expect }) {
      await namespace();
      const refused = await secrets.post({ apiVersion: 'v1', kind: 'Secret', metadata: {} });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.status).toBeLessThan(500);
      expect((await secrets.list()).items).toEqual([]);
    },
  }),

  defineRule('names.unique.in-namespace', {
    sabotage: answerStatus(201, { method: 'POST', instead: 409 }),
    async check({ secrets, configMaps, extraNamespace, expect }) {
      const object = await secrets.create();
      const { name } = object.metadata;
      expect((await secrets.post(secrets.sample({ metadata: { name } }))).status, 'same name again').toBe(409);
      expect(
        (await secrets.in(await extraNamespace()).post(secrets.sample({ metadata: { name } }))).status,
        'elsewhere',
      ).toBe(201);
      expect((await configMaps.post(configMaps.sample({ metadata: { name } }))).status, 'another kind').toBe(201);
    },
  }),

  defineRule('names.reuse-after-delete', {
    sabotage: loseWrite({ method: 'DELETE', path: /\/secrets\// }),
    async check({ secrets, expect }) {
      const first = await secrets.create();
      const { name, uid } = first.metadata;
      await secrets.delete(name);
      const second = await secrets.post(secrets.sample({ metadata: { name } }));
      expect(second.status).toBe(201);
      expect(second.body.metadata.uid).not.toBe(uid);
    },
  }),

  defineRule('names.unique.cluster-scoped', {
    sabotage: answerStatus(201, { method: 'POST', path: /\/clusterroles$/, instead: 409 }),
    async check({ clusterRoles, expect }) {
      const { metadata } = await clusterRoles.create();
      expect((await clusterRoles.post(clusterRoles.sample({ metadata: { name: metadata.name } }))).status).toBe(409);
    },
  }),

  defineRule('names.virtual.none', {
    sabotage: answerStatus(422, { method: 'POST', path: /\/subjectaccessreviews$/ }),
    async check({ send, unique, expect }) {
      const answer = await send('POST', accessReviews, { body: review(unique('nobody'), 'default') });
      expect(answer.status).toBe(201);
      expect(answer.body.status.allowed).toBeTypeOf('boolean');
      expect((await send('GET', accessReviews)).status, 'nothing is stored that could be listed').toBe(405);
    },
  }),

  defineRule('names.virtual.subject-access-review', {
    needs: ['second-user'],
    sabotage: replaceIn('status.allowed', { with: true, method: 'POST', path: /\/subjectaccessreviews$/ }),
    async check(context) {
      const { send, unique, namespace, waitUntil, expect } = context;
      const user = unique('asked');
      const ask = async () =>
        (await send('POST', accessReviews, { body: review(user, await namespace()) })).body?.status?.allowed;
      expect(await ask(), 'without any right').toBe(false);
      await allowInNamespace(context, user, [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]);
      await waitUntil('the review tells of the new right', ask, (allowed) => allowed === true);
    },
  }),

  defineRule('names.virtual.eviction', {
    needs: ['pods'],
    sabotage: loseWrite({ method: 'POST', path: /\/eviction$/ }),
    async check(context) {
      const { pods, send, expect } = context;
      await preparePods(context);
      const { metadata } = await pods.create();
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name } };
      const answer = await send('POST', await pods.path(metadata.name, 'eviction'), { body });
      expect(answer.status).toBe(201);
      const after = await pods.get(metadata.name);
      if (after.status === 200) expect(after.body.metadata.deletionTimestamp).toBeTypeOf('string');
      else expect(after.status).toBe(404);
    },
  }),
];
