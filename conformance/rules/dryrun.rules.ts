import { defineRule } from '../rule.ts';
import { answerStatus, ignoreQuery, loseWrite, requestHeader } from '../sabotage/transforms.ts';
import { allowInNamespace } from '../verbs/permissions.ts';

const dry = { dryRun: 'All' };

export default [
  defineRule('dryrun.post', {
    sabotage: [
      ignoreQuery('dryRun', { method: 'POST' }),
      answerStatus(400, { method: 'POST', query: { dryRun: true } }),
    ],
    async check({ secrets, expect }) {
      const body = secrets.sample();
      expect((await secrets.post(body, dry)).status).toBe(201);
      expect((await secrets.get(body.metadata.name)).status, 'the object').toBe(404);
    },
  }),

  defineRule('dryrun.put', {
    sabotage: [ignoreQuery('dryRun', { method: 'PUT' }), answerStatus(400, { method: 'PUT', query: { dryRun: true } })],
    async check({ secrets, expect }) {
      const object = await secrets.create({ data: { a: 'aaaa' } });
      expect((await secrets.put({ ...object, data: { a: 'bbbb' } }, dry)).status).toBe(200);
      expect((await secrets.read(object.metadata.name)).data).toEqual({ a: 'aaaa' });
    },
  }),

  defineRule('dryrun.patch', {
    sabotage: [
      ignoreQuery('dryRun', { method: 'PATCH' }),
      ignoreQuery('dryRun', { method: 'PATCH', header: { 'content-type': /apply/ } }),
    ],
    async check({ secrets, unique, expect }) {
      const object = await secrets.create({ data: { a: 'aaaa' } });
      expect(
        (await secrets.patch(object.metadata.name, { data: { a: 'bbbb' } }, { query: dry })).status,
        'merge patch',
      ).toBe(200);
      expect((await secrets.read(object.metadata.name)).data).toEqual({ a: 'aaaa' });
      const name = unique();
      expect((await secrets.tryApply(name, { data: { a: 'aaaa' } }, 'applier', dry)).status, 'apply').toBe(201);
      expect((await secrets.get(name)).status, 'the applied object').toBe(404);
    },
  }),

  defineRule('dryrun.delete', {
    sabotage: [
      ignoreQuery('dryRun', { method: 'DELETE' }),
      answerStatus(400, { method: 'DELETE', query: { dryRun: true } }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.delete(metadata.name, { query: dry })).status).toBe(200);
      const after = await secrets.get(metadata.name);
      expect(after.status).toBe(200);
      expect(after.body.metadata.deletionTimestamp).toBeUndefined();
    },
  }),

  defineRule('dryrun.unset', {
    sabotage: loseWrite({ method: 'POST', path: /\/secrets$/, query: { dryRun: false } }),
    async check({ secrets, expect }) {
      const body = secrets.sample();
      expect((await secrets.post(body)).status).toBe(201);
      expect((await secrets.get(body.metadata.name)).status).toBe(200);
    },
  }),

  defineRule('dryrun.empty', {
    sabotage: [
      loseWrite({ method: 'POST', path: /\/secrets$/, query: { dryRun: '' } }),
      answerStatus(200, { method: 'POST', query: { dryRun: '' } }),
    ],
    async check({ secrets, looser, expect }) {
      for (const query of ['dryRun=', 'dryRun']) {
        const body = secrets.sample();
        const answer = await secrets.post(body, query);
        // A genuine server refuses both; but it must not take them for a dry run.
        await looser(() => expect(answer.status, `?${query}`).toBe(201));
        expect([201, 422], `?${query}`).toContain(answer.status);
        expect((await secrets.get(body.metadata.name)).status, `the object after ?${query}`).toBe(
          answer.status === 201 ? 200 : 404,
        );
      }
    },
  }),

  defineRule('dryrun.other-values', {
    sabotage: [
      answerStatus(201, { method: 'POST', query: { dryRun: true }, instead: 422 }),
      ignoreQuery('dryRun', { method: 'POST' }),
    ],
    async check({ secrets, expect }) {
      expect((await secrets.post(secrets.sample(), dry)).status, 'All').toBe(201);
      for (const dryRun of ['all', 'true', 'None']) {
        const { status } = await secrets.post(secrets.sample(), { dryRun });
        expect(status, dryRun).toBeGreaterThanOrEqual(400);
        expect(status, dryRun).toBeLessThan(500);
      }
      expect((await secrets.list()).items, 'nothing is stored').toEqual([]);
    },
  }),

  defineRule('dryrun.authorization', {
    needs: ['second-user'],
    sabotage: requestHeader('impersonate-user', undefined, { query: { dryRun: true } }),
    async check(context) {
      const { secrets, as, unique, waitUntil, expect } = context;
      const name = unique('user');
      const theirs = as({ name }).secrets;
      expect((await theirs.post(secrets.sample(), dry)).status, 'without the right').toBe(403);
      await allowInNamespace(context, name, [{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }]);
      const attempt = async () => (await theirs.post(secrets.sample(), dry)).status;
      await waitUntil('a dry run is allowed with the right', attempt, (status) => status === 201);
      expect((await theirs.post(secrets.sample())).status, 'the real request with it').toBe(201);
      const { metadata } = await secrets.create();
      expect((await theirs.delete(metadata.name, { query: dry })).status, 'another verb').toBe(403);
    },
  }),
];
