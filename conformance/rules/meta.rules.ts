import { staysInPlace } from '../checks/requests/astray.ts';
import { allMakeTheirs } from '../checks/requests/at-once.ts';
import { changeMetadata, changers } from '../checks/requests/metadata-changes.ts';
import { unversioned } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { edited } from '../sabotage/edited.ts';
import { answerStatus, changeRequest, loseWrite, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { merged } from '../verbs/merged.ts';
import { expectDuring, timed } from '../verbs/moment.ts';
import { said } from '../verbs/said.ts';
import { changeOf, generalKinds, named, patientKinds, removableKinds, type Subject } from '../verbs/subjects.ts';
import { finalizersRule } from './finalizers-rule.ts';
import { listFormRule } from './list-form-rule.ts';
import { metadataRule } from './metadata-rule.ts';
import { typeMetaRule } from './type-meta-rule.ts';

const items = { path: /\/secrets\/[^/]+$/ };
const reads = { ...items, method: 'GET' };
const secretPaths = { path: /\/secrets(\/[^/]+)?$/ };

/** Keys of labels and annotations that are looked at. */
const known = ['example.com/a', 'b', 'c', 'example.com/empty'];

const everyKind = { matrix: { kind: generalKinds } } as const;
const background = { query: { propagationPolicy: 'Background' } };

/** Kinds whose names may be as long as any, and have dots. */
const freelyNamed: readonly Subject[] = named(
  ...['secrets', 'configmaps', 'leases', 'roles', 'clusterroles', 'endpointslices', 'ingresses'],
  ...['ingressclasses', 'priorityclasses', 'widgets', 'gadgets'],
);

export default [
  typeMetaRule,

  metadataRule,

  // `metadata.name` is text.
  defineRule('meta.name', {
    ...everyKind,
    sabotage: [
      replaceIn('metadata.name', { ...reads, with: 7 }),
      answerStatus(201, { method: 'POST', path: /\/roles$/, instead: 400 }),
      answerStatus(422, { method: 'POST', path: /\/secrets$/, body: /"name":"[^"]{64}/ }),
      answerStatus(422, { method: 'POST', path: /\/leases$/, body: /"name":"[^"]*\./ }),
    ],
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create();
      expect((await objects.get(metadata.name)).body.metadata.name).toBe(metadata.name);
      expect(metadata.name).toBeTypeOf('string');
      expect((await objects.post(await objects.draft({ metadata: { name: 7 } }))).status, 'a number for a name').toBe(
        400,
      );
      if (!freelyNamed.includes(kind)) return;
      const longest = `${metadata.name}.${'9-b.'.repeat(63)}`.slice(0, 252).concat('z');
      for (const name of [`${metadata.name}.9.example`, longest]) {
        const answer = await objects.post(await objects.draft({ metadata: { name } }));
        expect(answer.status, `a name of ${name.length} letters: ${said(answer)}`).toBe(201);
        expect((await objects.read(name)).metadata.uid, `a name of ${name.length} letters`).toBe(
          answer.body.metadata.uid,
        );
      }
    },
  }),

  // Given `metadata.generateName` alone, the server makes a name that begins with it.
  defineRule('meta.generate-name', {
    sabotage: [
      changeRequest(
        'takes the prefix for the name',
        (body) => ({ ...body, metadata: { name: body.metadata.generateName ?? body.metadata.name } }),
        { method: 'POST', ...secretPaths, body: /generateName/ },
      ),
      replaceIn('metadata.name', { method: 'POST', ...secretPaths }),
      changeRequest(
        'cuts prefixes',
        (body) => edited(body, ['metadata', 'generateName'], (prefix) => prefix?.slice(0, 20)),
        { method: 'POST', ...secretPaths },
      ),
      removeIn('metadata.generateName', { method: 'GET', path: /\/roles\/[^/]+$/ }),
      replaceIn('metadata.uid', { method: 'POST', body: /"at-once-"/, with: '00000000-0000-0000-0000-000000000000' }),
    ],
    ...everyKind,
    async check({ objects, expect }, { kind }) {
      const body = await objects.draft({ metadata: { name: undefined, generateName: 'made-' } });
      const names: string[] = [];
      for (const _ of [1, 2]) {
        const answer = await objects.post(body);
        expect(answer.status, said(answer)).toBe(201);
        const { name, generateName } = answer.body.metadata;
        expect(name).toMatch(/^made-.+/);
        expect(generateName, 'what it was made from').toBe('made-');
        const read = await objects.get(name);
        expect(read.status).toBe(200);
        expect(read.body.metadata.generateName, 'what it was made from, as read').toBe('made-');
        names.push(name);
      }
      expect(names[0]).not.toBe(names[1]);
      const long = 'made-with-a-prefix-of-many-letters-';
      const made = await objects.post(await objects.draft({ metadata: { name: undefined, generateName: long } }));
      expect(made.body?.metadata?.name?.slice(0, long.length), 'a long prefix').toBe(long);
      const given = await objects.draft();
      const both = await objects.post(merged(given, { metadata: { generateName: 'made-' } }));
      expect(both.body?.metadata?.name, 'a name that is set wins').toBe(given.metadata.name);
      if (patientKinds.includes(kind)) await allMakeTheirs(objects, expect);
    },
  }),

  // `metadata.namespace` tells where an object is, and is missing where there is no namespace.
  defineRule('meta.namespace', {
    sabotage: [
      removeIn('metadata.namespace', reads),
      replaceIn('metadata.namespace', { path: /\/clusterroles\/[^/]+$/, with: 'default' }),
      answerStatus(200, { method: 'PATCH', path: /\/status$/, instead: 400 }),
    ],
    ...everyKind,
    async check({ objects, expect }, { kind }) {
      const place = await objects.place();
      const { metadata } = await objects.create();
      expect(metadata.namespace, 'create').toBe(place);
      expect((await objects.get(metadata.name)).body.metadata.namespace, 'get').toBe(place);
      for (const item of (await objects.viewed('everywhere').list()).items)
        expect(item.metadata.namespace, 'in a list').toBe(place);
      if (place === undefined) return;
      const astray = await objects.post(await objects.draft({ metadata: { namespace: 'default' } }));
      expect(astray.status, "another namespace than the path's").toBe(400);
      await staysInPlace(objects, expect, kind, place);
    },
  }),

  // The server gives each object a `metadata.uid` that no other has, not even a later one of its name, and keeps it.
  defineRule('meta.uid', {
    matrix: { kind: removableKinds },
    sabotage: [
      replaceIn('metadata.uid', reads),
      replaceIn('metadata.uid', { ...secretPaths, with: '00000000-0000-0000-0000-000000000000' }),
      replaceIn('metadata.uid', { method: ['PUT', 'PATCH'], path: /\/ingresses\/[^/]+$/ }),
      answerStatus(409, { method: 'PATCH', path: /\/roles\/[^/]+$/, instead: 422 }),
    ],
    async check({ objects, expect }, { kind }) {
      const body = await objects.draft({ metadata: { uid: 'my-own' } });
      const { name } = body.metadata;
      const first = (await objects.post(body)).body.metadata;
      expect(first.uid).toBeTypeOf('string');
      expect(first.uid, 'the server sets it').not.toBe('my-own');
      expect((await objects.merge(name, changeOf(kind, 1))).metadata.uid, 'after a change').toBe(first.uid);
      expect((await objects.get(name)).body.metadata.uid).toBe(first.uid);
      const other = await objects.put(
        merged(unversioned(kind, await objects.read(name)), { metadata: { uid: 'my-own' } }),
      );
      // An update says by it which object is meant; a patch would change it.
      expect([other.status, other.body?.reason], 'an update with another').toEqual([409, 'Conflict']);
      const patched = await objects.patch(name, { metadata: { uid: 'my-own' } });
      expect([patched.status, patched.body?.reason], 'a patch of it').toEqual([422, 'Invalid']);
      if (kind.status) {
        const whole = merged(unversioned(kind, await objects.read(name)), { metadata: { uid: 'my-own' } });
        const status = await objects.put(merged(whole, kind.status(1)), '', { sub: 'status' });
        expect(status.status, 'an update of the status with another').toBeGreaterThanOrEqual(400);
      }
      if (['deployments', 'widgets', 'gadgets'].includes(kind.name)) {
        const { body: scale } = await objects.get(name, '', { sub: 'scale' });
        const { resourceVersion: _, ...metadata } = scale.metadata;
        const other = { ...scale, metadata: { ...metadata, uid: 'my-own' }, spec: { replicas: 1 } };
        const scaled = await objects.put(other, '', { sub: 'scale', name });
        expect(scaled.status, 'an update of the scale with another').toBe(409);
      }
      expect((await objects.get(name)).body.metadata.uid, 'after all of them').toBe(first.uid);
      expect((await objects.create()).metadata.uid, 'of another object').not.toBe(first.uid);
      await objects.remove(name, background);
      const second = (await objects.post(body)).body.metadata;
      expect(second.uid, 'of a later object of that name').not.toBe(first.uid);
    },
  }),

  // `metadata.resourceVersion` is text.
  defineRule('meta.resource-version', {
    ...everyKind,
    sabotage: [
      replaceIn('metadata.resourceVersion', { ...reads, with: 7 }),
      removeIn('metadata.resourceVersion', reads),
      removeIn('items.*.metadata.resourceVersion', { method: 'GET', path: /\/services$/ }),
    ],
    async check({ objects, expect }) {
      const { metadata } = await objects.create();
      expect(metadata.resourceVersion, 'create').toBeTypeOf('string');
      expect((await objects.get(metadata.name)).body.metadata.resourceVersion, 'get').toBeTypeOf('string');
      for (const item of (await objects.viewed('labels').list()).items)
        expect(item.metadata.resourceVersion, 'in a list').toBeTypeOf('string');
    },
  }),

  // The server notes when an object was created and keeps that.
  defineRule('meta.creation-timestamp', {
    ...everyKind,
    sabotage: [
      replaceIn('metadata.creationTimestamp', { ...reads, with: '2001-02-03T04:05:06Z' }),
      replaceIn('metadata.creationTimestamp', { ...items, method: 'PATCH', with: '2001-02-03T04:05:06Z' }),
      removeIn('metadata.creationTimestamp', { method: 'PUT', path: /\/roles\/[^/]+$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const old = { metadata: { creationTimestamp: '2001-02-03T04:05:06Z' } };
      const created = await timed(objects.post(await objects.draft(old)));
      const { name, creationTimestamp } = created.answer.body.metadata;
      expectDuring(expect, created, creationTimestamp, 'the time of the create');
      const changed = await objects.merge(name, merged(old, changeOf(kind, 1)));
      expect(changed.metadata.creationTimestamp, 'after a patch').toBe(creationTimestamp);
      const put = await objects.put(merged(unversioned(kind, changed), merged(old, changeOf(kind, 2))));
      expect(put.body?.metadata?.creationTimestamp, `after an update: ${said(put)}`).toBe(creationTimestamp);
      expect((await objects.get(name)).body.metadata.creationTimestamp).toBe(creationTimestamp);
    },
  }),

  // `metadata.deletionTimestamp` comes with a delete and cannot be set by hand.
  defineRule('meta.deletion-timestamp', {
    ...everyKind,
    sabotage: replaceIn('metadata.deletionTimestamp', {
      ...secretPaths,
      method: ['POST', 'GET'],
      with: '2001-02-03T04:05:06Z',
    }),
    async check({ objects, expect }) {
      // How long it may take is of a deletion, too.
      const deleted = ['deletionTimestamp', 'deletionGracePeriodSeconds'];
      const old = [{ deletionTimestamp: '2001-02-03T04:05:06Z' }, { deletionGracePeriodSeconds: 7 }];
      const { body } = await objects.post(await objects.draft({ metadata: { ...old[0], ...old[1] } }));
      const isAlive = async (what: string): Promise<Json> => {
        const stored = await objects.read(body.metadata.name);
        for (const field of deleted) expect(stored.metadata[field], `${field} sent with ${what}`).toBeUndefined();
        return stored;
      };
      await isAlive('a create');
      for (const metadata of old) {
        await objects.patch(body.metadata.name, { metadata });
        await objects.put(merged(await isAlive('a patch'), { metadata }));
        await isAlive('an update');
      }
    },
  }),

  finalizersRule,

  ...(['labels', 'annotations'] as const).map((field) =>
    defineRule(`meta.${field}`, {
      matrix: { kind: generalKinds, write: changers },
      where: ({ kind, write }) => write !== 'strategic' || !kind.custom,
      sabotage: [
        removeIn(`metadata.${field}`, reads),
        removeIn(`items.*.metadata.${field}.b`, { method: 'GET', path: /\/ingresses$/ }),
        loseWrite({ ...items, method: 'PATCH' }),
        loseWrite({ method: 'PATCH', path: /\/leases\/[^/]+$/, header: { 'content-type': /apply/ }, from: 2 }),
      ],
      async check({ objects, expect }, { kind, write }) {
        const object = await objects.create();
        const name = object.metadata.name;
        const all = { 'example.com/a': 'one', b: 'two', 'example.com/empty': '' };
        const set = (values: Json) => ({ metadata: { [field]: values } });
        const shown = async () => {
          const own = ({ metadata }: Json): Json =>
            Object.fromEntries(Object.entries(metadata[field] ?? {}).filter(([key]) => known.includes(key)));
          const values = own(await objects.read(name));
          const { items } = await objects.viewed('labels').list();
          expect(items.map(own), 'as listed').toEqual([values]);
          return values;
        };
        await changeMetadata(objects, kind, { write, name, patch: set(all), whole: set(all) });
        expect(await shown(), 'as set').toEqual(all);
        const next = { b: 'three', c: 'four' };
        const gone = { 'example.com/a': null, 'example.com/empty': null };
        await changeMetadata(objects, kind, { write, name, patch: set({ ...next, ...gone }), whole: set(next) });
        expect(await shown(), 'as changed').toEqual(next);
      },
    }),
  ),

  // List metadata has a resourceVersion, and where they have a meaning a token and the number of remaining items.
  listFormRule,
];
