import { defineRule } from '../rule.ts';
import { changeRequest, loseWrite, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { runLabel } from '../verbs/permit.ts';

const items = { path: /\/secrets\/[^/]+$/ };
const reads = { ...items, method: 'GET' };
const secretPaths = { path: /\/secrets(\/[^/]+)?$/ };

/** Without the label that all objects of a run carry. */
const ownOf = ({ [runLabel]: _, ...own }: Json): Json => own;

export default [
  defineRule('meta.type-meta', {
    sabotage: [removeIn('kind', reads), removeIn('apiVersion', reads)],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const { body } = await secrets.get(metadata.name);
      expect(body).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
    },
  }),

  defineRule('meta.metadata', {
    sabotage: removeIn('metadata', reads),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const { body } = await secrets.get(metadata.name);
      expect(body.metadata).toMatchObject({ name: metadata.name, uid: metadata.uid });
    },
  }),

  defineRule('meta.name', {
    sabotage: replaceIn('metadata.name', { ...reads, with: 7 }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.get(metadata.name)).body.metadata.name).toBe(metadata.name);
      expect(metadata.name).toBeTypeOf('string');
      expect((await secrets.post(secrets.sample({ metadata: { name: 7 } }))).status, 'a number for a name').toBe(400);
    },
  }),

  defineRule('meta.generate-name', {
    sabotage: [
      changeRequest(
        'takes the prefix for the name',
        (body) => ({ ...body, metadata: { name: body.metadata.generateName ?? body.metadata.name } }),
        { method: 'POST', ...secretPaths, body: /generateName/ },
      ),
      replaceIn('metadata.name', { method: 'POST', ...secretPaths }),
    ],
    async check({ secrets, expect }) {
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 'made-' } };
      const names: string[] = [];
      for (const _ of [1, 2]) {
        const answer = await secrets.post(body);
        expect(answer.status).toBe(201);
        const { name } = answer.body.metadata;
        expect(name).toMatch(/^made-.+/);
        expect((await secrets.get(name)).status).toBe(200);
        names.push(name);
      }
      expect(names[0]).not.toBe(names[1]);
      const both = await secrets.post({ ...body, metadata: { generateName: 'made-', name: 'given' } });
      expect(both.body?.metadata?.name, 'a name that is set wins').toBe('given');
    },
  }),

  defineRule('meta.namespace', {
    sabotage: [
      removeIn('metadata.namespace', reads),
      replaceIn('metadata.namespace', { path: /\/clusterroles\/[^/]+$/, with: 'default' }),
    ],
    async check({ secrets, clusterRoles, namespace, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.get(metadata.name)).body.metadata.namespace).toBe(await namespace());
      const role = await clusterRoles.create();
      expect(
        (await clusterRoles.get(role.metadata.name)).body.metadata.namespace,
        'of a cluster-scoped object',
      ).toBeUndefined();
    },
  }),

  defineRule('meta.uid', {
    sabotage: [
      replaceIn('metadata.uid', reads),
      replaceIn('metadata.uid', { ...secretPaths, with: '00000000-0000-0000-0000-000000000000' }),
    ],
    async check({ secrets, expect }) {
      const body = secrets.sample({ metadata: { uid: 'my-own' } });
      const first = (await secrets.post(body)).body.metadata;
      expect(first.uid).toBeTypeOf('string');
      expect(first.uid, 'the server sets it').not.toBe('my-own');
      expect((await secrets.merge(first.name, { data: { a: 'aaaa' } })).metadata.uid, 'after a change').toBe(first.uid);
      expect((await secrets.get(first.name)).body.metadata.uid).toBe(first.uid);
      await secrets.remove(first.name);
      const second = (await secrets.post(body)).body.metadata;
      expect(second.uid, 'of a later object of that name').not.toBe(first.uid);
    },
  }),

  defineRule('meta.resource-version', {
    sabotage: [
      replaceIn('metadata.resourceVersion', { ...reads, with: 7 }),
      removeIn('metadata.resourceVersion', reads),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.get(metadata.name)).body.metadata.resourceVersion).toBeTypeOf('string');
    },
  }),

  defineRule('meta.creation-timestamp', {
    sabotage: [
      replaceIn('metadata.creationTimestamp', { ...reads, with: '2001-02-03T04:05:06Z' }),
      replaceIn('metadata.creationTimestamp', { ...items, method: 'PATCH', with: '2001-02-03T04:05:06Z' }),
    ],
    async check({ secrets, expect }) {
      const sent = secrets.sample({ metadata: { creationTimestamp: '2001-02-03T04:05:06Z' } });
      const answer = await secrets.post(sent);
      const { name, creationTimestamp } = answer.body.metadata;
      const now = Date.parse(answer.headers.date ?? new Date().toUTCString());
      expect(Math.abs(Date.parse(creationTimestamp) - now), 'milliseconds from the time of the create').toBeLessThan(
        10_000,
      );
      const changed = await secrets.merge(name, {
        metadata: { creationTimestamp: '2001-02-03T04:05:06Z' },
        data: { a: 'aaaa' },
      });
      expect(changed.metadata.creationTimestamp, 'after a change').toBe(creationTimestamp);
      expect((await secrets.get(name)).body.metadata.creationTimestamp).toBe(creationTimestamp);
    },
  }),

  defineRule('meta.deletion-timestamp', {
    sabotage: replaceIn('metadata.deletionTimestamp', {
      ...secretPaths,
      method: ['POST', 'GET'],
      with: '2001-02-03T04:05:06Z',
    }),
    async check({ secrets, expect }) {
      const { body } = await secrets.post(secrets.sample({ metadata: { deletionTimestamp: '2001-02-03T04:05:06Z' } }));
      expect(body.metadata.deletionTimestamp, 'sent with a create').toBeUndefined();
      await secrets.patch(body.metadata.name, { metadata: { deletionTimestamp: '2001-02-03T04:05:06Z' } });
      expect((await secrets.read(body.metadata.name)).metadata.deletionTimestamp, 'sent with a patch').toBeUndefined();
    },
  }),

  defineRule('meta.finalizers', {
    sabotage: [
      removeIn('metadata.finalizers', reads),
      replaceIn('metadata.finalizers', { ...reads, with: 'example.com/one' }),
    ],
    async check({ secrets, expect }) {
      const finalizers = ['example.com/one', 'example.com/two'];
      const { metadata } = await secrets.create({ metadata: { finalizers } });
      expect((await secrets.get(metadata.name)).body.metadata.finalizers).toEqual(finalizers);
      expect(
        (await secrets.post(secrets.sample({ metadata: { finalizers: 'example.com/one' } }))).status,
        'no list',
      ).toBe(400);
    },
  }),

  ...(['labels', 'annotations'] as const).map((field) =>
    defineRule(`meta.${field}`, {
      sabotage: [removeIn(`metadata.${field}`, reads), loseWrite({ ...items, method: 'PATCH' })],
      async check({ secrets, expect }) {
        const { metadata } = await secrets.create({ metadata: { [field]: { 'example.com/a': 'one', b: 'two' } } });
        expect(ownOf((await secrets.get(metadata.name)).body.metadata[field]), 'as set').toEqual({
          'example.com/a': 'one',
          b: 'two',
        });
        await secrets.patch(metadata.name, { metadata: { [field]: { b: 'three', c: 'four', 'example.com/a': null } } });
        expect(ownOf((await secrets.get(metadata.name)).body.metadata[field]), 'as changed').toEqual({
          b: 'three',
          c: 'four',
        });
      },
    }),
  ),

  defineRule('meta.list', {
    sabotage: [
      removeIn('metadata.resourceVersion', { path: /\/secrets$/ }),
      removeIn('metadata.continue', { path: /\/secrets$/ }),
    ],
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      expect((await secrets.list()).metadata.resourceVersion).toBeTypeOf('string');
      const { metadata } = await secrets.list({ limit: 2 });
      expect(metadata.continue, 'of a part').toBeTypeOf('string');
      expect(metadata.remainingItemCount, 'of a part').toBe(1);
    },
  }),
];
