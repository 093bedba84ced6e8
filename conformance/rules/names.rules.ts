import { nodeAgents } from '../checks/access/node-rights.ts';
import { allowInNamespace } from '../checks/access/permissions.ts';
import { tellsOfPaths, tellsRights } from '../checks/access/told-rights.ts';
import { uidsOf } from '../checks/lists/selected.ts';
import { sparesBudget, spendsBudget } from '../checks/pods/evicted-pods.ts';
import { evictionOf } from '../checks/pods/pod-requests.ts';
import { postsWhatBelongs } from '../checks/requests/astray.ts';
import { oneMakesIt } from '../checks/requests/at-once.ts';
import { tellsLettersApart } from '../checks/requests/other-letters.ts';
import { refusesUnfit } from '../checks/unfit/reviews.ts';
import { defineRule } from '../rule.ts';
import { overwriting } from '../sabotage/overwriting.ts';
import { answerStatus, changeRequest, loseWrite, redirectPath, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { preparePods } from '../verbs/pods.ts';
import { lasting, nameOf } from '../verbs/states.ts';
import { changeOf, generalKinds, marking, removableKinds } from '../verbs/subjects.ts';

const background = { query: { propagationPolicy: 'Background' } };
const managerOf = ({ manager }: Json): string => manager;

const accessReviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

const review = (user: string, namespace: string) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user, resourceAttributes: { namespace, verb: 'get', resource: 'secrets' } },
});

/** Preconditions that a pod does not meet any more, or never did. */
const notMet = ({ uid, resourceVersion }: Json): Readonly<Record<string, Json>> => ({
  'another pod of the name': { uid: '00000000-0000-0000-0000-000000000000' },
  'what it was before': { uid, resourceVersion },
});

export default [
  // Nothing is stored without a name: a create must bring `name` or `generateName`.
  defineRule('names.required', {
    matrix: { kind: generalKinds },
    sabotage: [
      changeRequest('makes up names', (body) => ({ ...body, metadata: { ...body.metadata, name: 'made-up' } }), {
        method: 'POST',
        path: /\/secrets$/,
      }),
      changeRequest('makes up names', (body) => ({ ...body, metadata: { ...body.metadata, name: 'made-up' } }), {
        method: 'POST',
        path: /\/pods$/,
      }),
    ],
    async check({ objects, expect }) {
      for (const name of [undefined, '']) {
        const refused = await objects.post(await objects.draft({ metadata: { name } }));
        expect(refused.status, name === '' ? 'an empty name' : 'no name').toBeGreaterThanOrEqual(400);
        expect(refused.status).toBeLessThan(500);
      }
      expect((await objects.viewed('labels').list()).items).toEqual([]);
    },
  }),

  // Two objects of one kind in one namespace never share a name, while other namespaces and other kinds stay free to
  // use it.
  defineRule('names.unique.in-namespace', {
    races: true,
    matrix: { kind: generalKinds.filter(({ namespaced }) => namespaced) },
    sabotage: [
      answerStatus(201, { method: 'POST', instead: 409 }),
      answerStatus(201, { method: 'POST', path: /\/leases$/, instead: 409 }),
      overwriting({ path: /\/secrets$/ }),
      answerStatus(409, { method: 'POST', path: /\/roles$/, body: /"TOUCHSTONE/ }),
    ],
    async check({ objects, configMaps, leases, send, extraNamespace, later, expect }, { kind }) {
      const object = await objects.create();
      const name = nameOf(object);
      const body = await objects.draft({ metadata: { name } });
      const refused = await objects.post(body);
      expect(refused.status, 'same name again').toBe(409);
      expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'AlreadyExists' });
      expect((await objects.read(name)).metadata.uid, 'the one that was there').toBe(object.metadata.uid);
      if (kind.name === 'roles') await tellsLettersApart(objects, expect, object);
      await oneMakesIt(objects, expect);
      const other = kind.name === 'configmaps' ? leases : configMaps;
      expect((await other.post(other.sample({ metadata: { name } }))).status, 'another kind').toBe(201);
      if (kind.name === 'pods') return;
      const elsewhere = objects.in(await extraNamespace());
      const second = await elsewhere.post(await elsewhere.draft({ metadata: { name } }));
      later(() => elsewhere.delete(name));
      expect(second.status, 'elsewhere').toBe(201);
      const uids = [object, await elsewhere.read(name)].map(({ metadata }) => metadata.uid);
      expect(uids[1]).not.toBe(uids[0]);
      expect((await objects.read(name)).metadata.uid, 'here').toBe(uids[0]);
      expect(await uidsOf(send, objects, name), 'of that name in all namespaces').toEqual(uids.sort());
    },
  }),

  // The name of a removed object can be given away anew.
  defineRule('names.reuse-after-delete', {
    matrix: { kind: removableKinds },
    sabotage: [
      loseWrite({ method: 'DELETE', path: /\/secrets\// }),
      answerStatus(409, { method: 'POST', path: /\/clusterroles$/, from: 2 }),
      replaceIn('metadata.managedFields.*.manager', { with: 'former', query: { fieldManager: 'later' } }),
      replaceIn('metadata.generation', { method: 'POST', path: /\/jobs$/, from: 2 }),
      removeIn('spec', { method: 'POST', path: /\/ingresses$/, from: 2 }),
    ],
    async check({ objects, expect }, { kind }) {
      const body = await objects.draft();
      const first = await objects.create(body);
      const name = nameOf(first);
      await objects.apply(name, marking('first'), 'former');
      if (kind.status) await objects.patch(name, kind.status(1), { sub: 'status' });
      await objects.delete(name, background);
      const second = await objects.post(body);
      expect(second.status).toBe(201);
      expect(second.body.metadata.uid).not.toBe(first.metadata.uid);
      // The volume of a pod's token has a name that is made up.
      if (kind.name !== 'pods') expect(lasting(second.body), 'what it is at first').toEqual(lasting(first));
      expect(second.body.metadata.annotations?.['example.com/round'], 'what the first one had').toBeUndefined();
      const changed = await objects.merge(name, changeOf(kind, 1));
      expect(changed.metadata.uid).toBe(second.body.metadata.uid);
      await objects.delete(name, background);
      const third = await objects.apply(name, await objects.draft({ metadata: { name } }), 'later');
      expect(third.metadata.uid).not.toBe(changed.metadata.uid);
      for (const { metadata } of [second.body, third]) {
        expect(metadata.managedFields.map(managerOf), 'who managed the first one').not.toContain('former');
        expect(metadata.generation, 'its generation').toBe(first.metadata.generation);
      }
    },
  }),

  // A cluster-scoped name is taken only once for its kind in the cluster.
  defineRule('names.unique.cluster-scoped', {
    matrix: { kind: generalKinds.filter(({ namespaced }) => !namespaced) },
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/clusterroles$/, instead: 409 }),
      overwriting({ path: /\/clusterroles$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const object = await objects.create();
      const refused = await objects.post(await objects.draft({ metadata: { name: nameOf(object) } }));
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'AlreadyExists' });
      expect((await objects.read(nameOf(object))).metadata.uid).toBe(object.metadata.uid);
      if (kind.name === 'clusterroles') await tellsLettersApart(objects, expect, object);
    },
  }),

  // Types that stand for an operation may do without a name, and store nothing.
  defineRule('names.virtual.none', {
    sabotage: [
      answerStatus(422, { method: 'POST', path: /\/subjectaccessreviews$/ }),
      removeIn('status.allowed', { method: 'POST', path: /\/subjectaccessreviews$/ }),
      redirectPath(/\/authorization.k8s.io\/v1\/subjectaccessreviews$/, '/rbac.authorization.k8s.io/v1/clusterroles', {
        method: 'GET',
      }),
    ],
    async check({ send, unique, expect }) {
      const answer = await send('POST', accessReviews, { body: review(unique('nobody'), 'default') });
      expect(answer.status).toBe(201);
      expect(answer.body.status.allowed).toBeTypeOf('boolean');
      expect((await send('GET', accessReviews)).status, 'nothing is stored that could be listed').toBe(405);
    },
  }),

  // Posting a SubjectAccessReview tells whether a user may do something.
  defineRule('names.virtual.subject-access-review', {
    needs: ['second-user', 'rights'],
    matrix: { of: ['somebody', nodeAgents] },
    sabotage: [
      replaceIn('status.allowed', { with: true, method: 'POST', path: /\/subjectaccessreviews$/ }),
      replaceIn('status.allowed', { with: true, method: 'POST', body: /nonResourceAttributes/ }),
      replaceIn('status.allowed', { with: false, method: 'POST', body: /nonResourceAttributes/ }),
      answerStatus(201, { method: 'POST', path: /\/localsubjectaccessreviews$/, instead: 422 }),
      answerStatus(201, { method: 'POST', path: /\/selfsubjectaccessreviews$/, instead: 400 }),
    ],
    async check(context, { of }) {
      if (typeof of !== 'string') return of.check(context);
      const { send, unique, namespace, waitUntil, expect } = context;
      const user = unique('asked');
      const answered = async () =>
        (await send('POST', accessReviews, { body: review(user, await namespace()) })).body?.status;
      const ask = async () => (await answered())?.allowed;
      expect(await ask(), 'without any right').toBe(false);
      expect(Object.values(await answered()), 'what is told is not empty').not.toContain('');
      await allowInNamespace(context, user, [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]);
      await waitUntil('the review tells of the new right', ask, (allowed) => allowed === true);
      await tellsRights(context, user);
      await tellsOfPaths(context);
      await refusesUnfit(context);
    },
  }),

  // A pod is evicted by posting to its `eviction` subresource, which stores no object.
  defineRule('names.virtual.eviction', {
    needs: ['pods'],
    sabotage: [
      loseWrite({ method: 'POST', path: /\/eviction$/ }),
      changeRequest('forgets the options', ({ deleteOptions: _, ...rest }) => rest, { path: /\/eviction$/ }),
      answerStatus(201, { method: 'POST', path: /\/eviction$/, instead: 400 }),
    ],
    async check(context) {
      const { pods, send, expect } = context;
      await preparePods(context);
      await sparesBudget(context);
      await spendsBudget(context);
      const { metadata } = await pods.create();
      const body = evictionOf(metadata.name);
      const evict = async (more: Json) =>
        send('POST', await pods.path(metadata.name, 'eviction'), { body: { ...body, ...more } });
      await pods.merge(metadata.name, marking('later'));
      for (const [what, preconditions] of Object.entries(notMet(metadata)))
        expect((await evict({ deleteOptions: { preconditions } })).status, `of ${what}`).toBe(409);
      await postsWhatBelongs(expect, 'an eviction', evict);
      expect((await evict({ deleteOptions: { dryRun: ['All'] } })).status, 'a dry run').toBe(201);
      const { uid, deletionTimestamp } = (await pods.read(metadata.name)).metadata;
      expect([uid, deletionTimestamp], 'after both').toEqual([metadata.uid, undefined]);
      const answer = await evict({ deleteOptions: { preconditions: { uid: metadata.uid } } });
      expect(answer.status).toBe(201);
      const after = await pods.get(metadata.name);
      if (after.status === 200) expect(after.body.metadata.deletionTimestamp).toBeTypeOf('string');
      else expect(after.status).toBe(404);
    },
  }),
];
