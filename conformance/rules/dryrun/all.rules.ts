import { defineRule } from '../../rule.ts';
import { answerStatus, changeEvent, ignoreQuery, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import { customType } from '../../verbs/custom-types.ts';

const dry = { dryRun: 'All' };
const dryRequests = { query: { dryRun: true } };

export default [
  defineRule('dryrun.all.admission', {
    sabotage: [removeIn('metadata.finalizers', dryRequests), answerStatus(201, { ...dryRequests, instead: 403 })],
    async check({ persistentVolumeClaims, namespaces, secrets, extraNamespace, expect }) {
      const claim = await persistentVolumeClaims.post(persistentVolumeClaims.sample(), dry);
      expect(claim.status).toBe(201);
      expect(claim.body.metadata.finalizers, 'what admission adds').toContain('kubernetes.io/pvc-protection');
      const going = await extraNamespace();
      await namespaces.delete(going);
      const refused = await secrets.in(going).post(secrets.sample(), dry);
      expect([403, 404], 'what admission refuses').toContain(refused.status);
    },
  }),

  defineRule('dryrun.all.validation', {
    sabotage: answerStatus(201, { ...dryRequests, instead: 422 }),
    async check({ jobs, secrets, expect }) {
      const bad = jobs.sample({ spec: { backoffLimit: -1 } });
      expect((await jobs.post(bad, dry)).status, 'an invalid object').toBe((await jobs.post(bad)).status);
      expect((await jobs.post(bad, dry)).status).toBe(422);
      const { metadata } = await secrets.create();
      expect(
        (await secrets.post(secrets.sample({ metadata: { name: metadata.name } }), dry)).status,
        'a taken name',
      ).toBe(409);
    },
  }),

  defineRule('dryrun.all.patch-merge', {
    sabotage: [
      replaceIn('data', { with: { b: 'bbbb' }, method: 'PATCH', ...dryRequests }),
      answerStatus(404, { method: 'PATCH', ...dryRequests }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create({ data: { a: 'aaaa' } });
      const { status, body } = await secrets.patch(metadata.name, { data: { b: 'bbbb' } }, { query: dry });
      expect(status).toBe(200);
      expect(body.data).toEqual({ a: 'aaaa', b: 'bbbb' });
    },
  }),

  defineRule('dryrun.all.defaulting', {
    sabotage: removeIn('spec.backoffLimit', dryRequests),
    async check({ jobs, expect }) {
      const { status, body } = await jobs.post(jobs.sample(), dry);
      expect(status).toBe(201);
      expect(body.spec).toMatchObject({ backoffLimit: 6, completionMode: 'NonIndexed', suspend: false });
    },
  }),

  defineRule('dryrun.all.schema-validation', {
    needs: ['crd'],
    sabotage: loseWrite({ method: 'POST', ...dryRequests }),
    async check(context) {
      const { expect } = context;
      const things = await customType(context, {
        spec: { type: 'object', required: ['size'], properties: { size: { type: 'integer', maximum: 9 } } },
      });
      expect((await things.post(things.sample({ spec: { size: 9 } }), dry)).status, 'a fitting object').toBe(201);
      expect((await things.post(things.sample({ spec: { size: 10 } }), dry)).status, 'too large a number').toBe(422);
      expect((await things.post(things.sample({ spec: {} }), dry)).status, 'a missing field').toBe(422);
    },
  }),

  defineRule('dryrun.all.not-persisted', {
    sabotage: [
      ignoreQuery('dryRun'),
      changeEvent(
        'tells of dry runs',
        (event) => [{ type: 'MODIFIED', object: { metadata: { name: 'dry' } } }, event],
        { query: { watch: true } },
      ),
    ],
    async check({ secrets, expect }) {
      const object = await secrets.create({ data: { a: 'aaaa' } });
      const { name } = object.metadata;
      const watch = await secrets.watch({ resourceVersion: object.metadata.resourceVersion });
      const body = secrets.sample();
      await secrets.post(body, dry);
      await secrets.put({ ...object, data: { a: 'bbbb' } }, dry);
      await secrets.patch(name, { data: { a: 'cccc' } }, { query: dry });
      await secrets.delete(name, { query: dry });
      expect((await secrets.get(name)).body?.metadata?.resourceVersion).toBe(object.metadata.resourceVersion);
      expect((await secrets.get(body.metadata.name)).status).toBe(404);
      const last = await secrets.create();
      const event = await watch.next('the first real change');
      expect(event.object.metadata.name, 'what the watch saw first').toBe(last.metadata.name);
    },
  }),

  defineRule('dryrun.all.object-returned', {
    sabotage: [replaceIn('data', { with: {}, ...dryRequests }), replaceIn('kind', dryRequests)],
    async check({ secrets, expect }) {
      const body = secrets.sample({ data: { a: 'aaaa' }, metadata: { labels: { colour: 'red' } } });
      const tried = (await secrets.post(body, dry)).body;
      const real = (await secrets.post(body)).body;
      const lasting = ({ metadata: { name, labels }, kind, apiVersion, data, type }: typeof real) => ({
        name,
        labels,
        kind,
        apiVersion,
        data,
        type,
      });
      expect(lasting(tried)).toEqual(lasting(real));
      expect(tried.metadata.uid).toBeTypeOf('string');
      expect(tried.metadata.creationTimestamp).toBeTypeOf('string');
    },
  }),

  defineRule('dryrun.all.status-code', {
    sabotage: ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => answerStatus(202, { method, ...dryRequests })),
    async check({ secrets, expect }) {
      const body = secrets.sample();
      const { name } = body.metadata;
      expect((await secrets.post(body, dry)).status, 'create').toBe((await secrets.post(body)).status);
      expect((await secrets.put(body, dry)).status, 'update').toBe((await secrets.put(body)).status);
      expect((await secrets.patch(name, {}, { query: dry })).status, 'patch').toBe(
        (await secrets.patch(name, {})).status,
      );
      const missing = await secrets.delete('missing', { query: dry });
      expect(missing.status, 'delete of what is missing').toBe(404);
      expect((await secrets.delete(name, { query: dry })).status, 'delete').toBe((await secrets.delete(name)).status);
    },
  }),
];
