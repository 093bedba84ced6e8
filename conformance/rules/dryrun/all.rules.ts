import { allWrites, fits, mainWrites, saying, type Write } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { acceptsInvalid, forgetVersion } from '../../sabotage/careless.ts';
import { edited } from '../../sabotage/edited.ts';
import { answerStatus, changeEvent, ignoreQuery, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { lasting, ownConditions, versionOf, wanted } from '../../verbs/states.ts';
import { generalKinds, marking, named, quietKinds, type Subject } from '../../verbs/subjects.ts';

const dry = { dryRun: 'All' };
const dryRequests = { query: { dryRun: true } };

const custom = { size: 0, colour: 'red' };
const defaults: Readonly<Record<string, Json>> = {
  jobs: { backoffLimit: 6, parallelism: 1 },
  deployments: { revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: { type: 'RollingUpdate' } },
  services: { type: 'ClusterIP', sessionAffinity: 'None' },
  widgets: custom,
  gadgets: custom,
};

/** Conditions are given the time when they are set. */
const withoutTimes = (object: Json): Json =>
  edited(object, ['status', 'conditions', '*'], ({ lastTransitionTime: _, lastUpdateTime: __, ...rest }) => rest);

/** What the server keeps count of: who set what, and how often what is wanted has changed. In any order, which is that of time. */
const counted = ({ metadata: { managedFields = [], generation } }: Json): Json => ({
  generation,
  managers: new Set(managedFields.map(({ time: _, ...entry }: Json) => entry)),
});

/** What others hold by now. */
async function isTaken(send: RuleContext['send'], { clusterIP, ports: [port] }: Json): Promise<boolean> {
  const specs: Json[] = (await send('GET', '/api/v1/services')).body.items.map(({ spec }: Json) => spec);
  const hasPort = ({ ports = [] }: Json): boolean => ports.some(({ nodePort }: Json) => nodePort === port.nodePort);
  return specs.some((spec) => spec.clusterIP === clusterIP || hasPort(spec));
}

/** Who only tries to have an address or a port of the nodes does not keep it from those who want it. */
async function keepsNothing(services: Collection, { send, waitUntil }: RuleContext): Promise<void> {
  const gone = await services.create({ spec: { type: 'NodePort' } });
  const beside = await services.create();
  const { clusterIP, ports } = gone.spec;
  const asked = { spec: { type: 'NodePort', clusterIP, ports } };
  await services.remove(gone.metadata.name);
  await services.post(await services.draft(asked), dry);
  // The address of another is its own for good.
  const exposed = { spec: { type: 'NodePort', ports } };
  await services.patch(beside.metadata.name, exposed, { query: dry });
  await services.put(merged(beside, exposed), dry);
  // Meanwhile somebody else may have been given one of them, or had it for a moment.
  const had = async (): Promise<boolean> =>
    (await services.post(await services.draft(asked))).status === 201 || isTaken(send, asked.spec);
  await waitUntil('what was tried can be had', had, (done) => done);
}

/** Who has seen only what was there before is refused, though he only tries. */
async function refusesLate(
  objects: Collection,
  expect: RuleContext['expect'],
  { kind, write, object }: { readonly kind: Subject; readonly write: Write; readonly object: Json },
): Promise<void> {
  if (kind.busy) return;
  await objects.merge(object.metadata.name, marking('changed'));
  const late = saying(kind, { resourceVersion: versionOf(object) });
  const tried = await write.send({ objects, object, kind: late, query: dry });
  expect(tried.status, 'an old version').toBe(409);
}

export default [
  // A trial goes through admission, which may change or refuse it.
  defineRule('dryrun.all.admission', {
    sabotage: [removeIn('metadata.finalizers', dryRequests), answerStatus(201, { ...dryRequests, instead: 403 })],
    matrix: { kind: generalKinds.filter(({ namespaced, name }) => namespaced && name !== 'pods') },
    async check({ objects, persistentVolumeClaims, namespaces, extraNamespace, waitUntil, expect }, { kind }) {
      const going = await extraNamespace();
      await namespaces.delete(going);
      const body = await objects.in(going).draft();
      const refused = await waitUntil(
        'the namespace is known to go',
        () => objects.in(going).post(body, dry),
        ({ status }) => [403, 404].includes(status),
      );
      expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure' });
      // The namespace may be gone by then, and another server of the same address may hear of it a little later.
      const inEarnest = [refused.status, 404];
      const post = async () => (await objects.in(going).post(body)).status;
      await waitUntil('the same is refused in earnest', post, (status) => inEarnest.includes(status));
      if (kind.name !== 'secrets') return;
      const claim = await persistentVolumeClaims.post(persistentVolumeClaims.sample(), dry);
      expect(claim.status).toBe(201);
      expect(claim.body.metadata.finalizers, 'what admission adds').toContain('kubernetes.io/pvc-protection');
    },
  }),

  // A trial is validated and refused like the real thing.
  defineRule('dryrun.all.validation', {
    matrix: { kind: generalKinds, write: mainWrites.filter(({ shows }) => shows) },
    where: fits,
    sabotage: [
      answerStatus(201, { ...dryRequests, instead: 422 }),
      acceptsInvalid(dryRequests),
      forgetVersion({ ...dryRequests, method: ['PUT', 'PATCH'] }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const object = await objects.create();
      const bad = { ...kind, change: () => ({ metadata: { labels: { colour: 'not a value!' } } }) };
      const spoilt = objects.with({ base: { metadata: { labels: { colour: 'not a value!' } } } });
      const parts = { objects: write.verb === 'create' ? spoilt : objects, object, kind: bad };
      const tried = await write.send({ ...parts, query: dry });
      expect(tried.status, 'an invalid object').toBe(422);
      expect(tried.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Invalid' });
      expect((await write.send(parts)).status, 'the same in earnest').toBe(422);
      const { name } = object.metadata;
      if (write.verb === 'create')
        expect((await objects.post(await objects.draft({ metadata: { name } }), dry)).status, 'a taken name').toBe(409);
      else await refusesLate(objects, expect, { kind, write, object });
    },
  }),

  // A tried patch is merged, and the merged object answered.
  defineRule('dryrun.all.patch-merge', {
    matrix: { kind: generalKinds, write: allWrites.filter(({ verb, shows }) => verb === 'patch' && shows) },
    where: fits,
    sabotage: [
      replaceIn('data', { with: { b: 'bbbb' }, method: 'PATCH', ...dryRequests }),
      answerStatus(404, { method: 'PATCH', ...dryRequests }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const over = { metadata: { annotations: { 'example.com/before': 'yes' } } };
      const object = await objects.create(kind.name === 'secrets' ? { ...over, data: { a: 'aaaa' } } : over);
      const answer = await write.send({ objects, object, kind, query: dry });
      expect(answer.status, said(answer)).toBe(200);
      const change = (write.sub === 'status' ? kind.status : kind.change)?.(1) ?? {};
      expect(ownConditions(answer.body), 'the merged object').toMatchObject(change);
      expect(answer.body.metadata.annotations, 'what was there before').toMatchObject({ 'example.com/before': 'yes' });
      if (kind.name === 'secrets') expect(answer.body.data, 'what was there before').toMatchObject({ a: 'aaaa' });
    },
  }),

  // A trial fills in defaults.
  defineRule('dryrun.all.defaulting', {
    matrix: { kind: named('jobs', 'deployments', 'services', 'widgets', 'gadgets'), write: ['create', 'apply'] },
    sabotage: [removeIn('spec.backoffLimit', dryRequests), removeIn('spec.colour', dryRequests)],
    async check({ objects, expect }, { kind, write }) {
      const body = await objects.draft();
      const { name } = body.metadata;
      const { status, body: tried } =
        write === 'create' ? await objects.post(body, dry) : await objects.tryApply(name, body, 'applier', dry);
      expect(status, tried?.message).toBe(201);
      expect(tried.spec).toMatchObject(defaults[kind.name] ?? {});
    },
  }),

  // A trial is held against the schema.
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

  // A trial leaves no trace, neither in the store nor in any watch.
  defineRule('dryrun.all.not-persisted', {
    matrix: { kind: quietKinds, write: allWrites },
    where: fits,
    sabotage: [
      ignoreQuery('dryRun'),
      changeEvent(
        'tells of dry runs',
        (event) => [{ type: 'MODIFIED', object: { metadata: { name: 'dry' } } }, event],
        { query: { watch: true } },
      ),
    ],
    async check(context, { kind, write }) {
      const { objects, expect } = context;
      const object = await objects.create();
      const marked = objects.viewed('labels');
      const { metadata } = await marked.list();
      const watch = await marked.watch({ resourceVersion: metadata.resourceVersion });
      const answer = await write.send({ objects, object, kind, query: dry });
      expect(answer.status, said(answer)).toBeLessThan(300);
      const shown = answer.body?.metadata?.name;
      if (write.verb === 'create' && write.sub === '') expect((await objects.get(shown)).status).toBe(404);
      expect((await objects.get(object.metadata.name)).body?.metadata?.resourceVersion).toBe(versionOf(object));
      const last = await objects.create();
      const event = await watch.next('the first real change');
      expect(event.object.metadata.name, 'what the watch saw first').toBe(last.metadata.name);
      if (write.verb === 'create' && last.spec?.clusterIP) await keepsNothing(objects, context);
    },
  }),

  // A trial answers the object as it would have been stored.
  defineRule('dryrun.all.object-returned', {
    matrix: { kind: generalKinds, write: allWrites.filter(({ shows }) => shows) },
    where: ({ kind, write }) => fits({ kind, write }) && !(kind.busy && write.sub === 'status'),
    sabotage: [
      replaceIn('data', { with: {}, ...dryRequests }),
      replaceIn('kind', dryRequests),
      removeIn('metadata.name', { ...dryRequests, body: /"generateName"/ }),
      removeIn('metadata.managedFields', { ...dryRequests, method: 'PATCH' }),
      replaceIn('metadata.generation', { ...dryRequests, method: 'PUT', with: 1 }),
    ],
    async check({ objects, expect }, { kind, write }) {
      if (write.verb === 'create') {
        const body = await objects.draft({ metadata: { annotations: { colour: 'red' } } });
        const tried = (await objects.post(body, dry)).body;
        const real = (await objects.post(body)).body;
        expect(lasting(tried)).toEqual(lasting(real));
        expect(counted(tried), 'managers and generation').toEqual(counted(real));
        expect(tried.metadata.uid).toBeTypeOf('string');
        expect(tried.metadata.creationTimestamp).toBeTypeOf('string');
        const unnamed = await objects.draft({ metadata: { name: null, generateName: 'made-' } });
        expect((await objects.post(unnamed, dry)).body?.metadata?.name, 'a name that is generated').toMatch(/^made-./);
        return;
      }
      const object = await objects.create();
      const tried = (await write.send({ objects, object, kind, query: dry })).body;
      const real = (await write.send({ objects, object, kind })).body;
      expect(tried?.kind).toBe(objects.at.kind);
      expect(withoutTimes(wanted(lasting(tried), kind))).toEqual(withoutTimes(wanted(lasting(real), kind)));
      expect(tried.metadata.uid).toBe(object.metadata.uid);
      if (!kind.busy) expect(counted(tried), 'managers and generation').toEqual(counted(real));
    },
  }),

  // A trial answers the code of the real request.
  defineRule('dryrun.all.status-code', {
    matrix: { kind: generalKinds, write: allWrites },
    where: fits,
    sabotage: [
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => answerStatus(202, { method, ...dryRequests })),
      ignoreQuery('dryRun', { method: 'DELETE' }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const object = await objects.create();
      const tried = await write.send({ objects, object, kind, query: dry });
      expect(tried.status, said(tried)).toBe((await write.send({ objects, object, kind })).status);
      expect((await objects.delete('touchstone-missing', { query: dry })).status, 'what is missing').toBe(404);
    },
  }),
];
