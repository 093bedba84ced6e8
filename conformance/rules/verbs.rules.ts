import { defineRule } from '../rule.ts';
import {
  answerStatus,
  ignoreQuery,
  loseWrite,
  notFound,
  redirectPath,
  replaceIn,
  requestHeader,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { changeOf, generalKinds } from '../verbs/subjects.ts';

const item = /\/secrets\/[^/]+$/;
const collection = /\/secrets$/;

export default [
  defineRule('verbs.get', {
    matrix: { kind: generalKinds },
    sabotage: [notFound({ method: 'GET', path: item }), replaceIn('data', { with: {}, method: 'GET', path: item })],
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create();
      const changed = await objects.merge(metadata.name, changeOf(kind, 1));
      const answer = await objects.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: objects.at.kind, metadata: { uid: metadata.uid } });
      expect(answer.body, 'what was stored last').toMatchObject(changeOf(kind, 1));
      if (!kind.busy) expect(answer.body).toEqual(changed);
    },
  }),

  defineRule('verbs.list', {
    sabotage: replaceIn('items', { method: 'GET', path: collection }),
    async check({ secrets, expect }) {
      const objects = await secrets.createMany(3);
      const answer = await secrets.getAll();
      expect(answer.status).toBe(200);
      expect(answer.body.items.map((one: Json) => one.metadata.name)).toEqual(objects.map((one) => one.metadata.name));
    },
  }),

  defineRule('verbs.watch', {
    sabotage: [ignoreQuery('watch'), answerStatus(400, { query: { watch: '1' } })],
    async check({ secrets, expect }) {
      const watch = await secrets.watch();
      expect(watch.status).toBe(200);
      const { metadata } = await secrets.create();
      const event = await watch.next('the event of the new object');
      expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: metadata.name } } });
    },
  }),

  defineRule('verbs.create', {
    sabotage: [
      loseWrite({ method: 'POST', path: collection }),
      answerStatus(405, { method: 'POST', path: collection }),
    ],
    async check({ secrets, expect }) {
      const body = secrets.sample({ data: { a: 'aaaa' } });
      expect([200, 201, 202]).toContain((await secrets.post(body)).status);
      const stored = await secrets.get(body.metadata.name);
      expect(stored.status, 'GET of the new object').toBe(200);
      expect(stored.body.data).toEqual({ a: 'aaaa' });
    },
  }),

  defineRule('verbs.update', {
    sabotage: loseWrite({ method: 'PUT', path: item }),
    async check({ secrets, expect }) {
      const object = await secrets.create({ data: { a: 'aaaa', b: 'aaaa' } });
      expect((await secrets.put({ ...object, data: { a: 'bbbb' } })).status).toBe(200);
      const stored = await secrets.read(object.metadata.name);
      expect(stored.data, 'the body is put in the place of what was there').toEqual({ a: 'bbbb' });
      expect(stored.metadata.uid).toBe(object.metadata.uid);
    },
  }),

  defineRule('verbs.update.classified', {
    sabotage: [
      answerStatus(200, { method: 'PUT', path: /\/roles\//, instead: 201 }),
      answerStatus(201, { method: 'PUT', path: /\/secrets\//, instead: 404 }),
    ],
    async check({ roles, secrets, expect }) {
      const role = roles.sample();
      const created = await roles.put(role);
      expect(created.status, 'PUT of a missing Role').toBe(201);
      const updated = await roles.put({ ...role, rules: [] });
      expect(updated.status, 'PUT of a present Role').toBe(200);
      expect(updated.body.metadata.uid).toBe(created.body.metadata.uid);
      const unknown = await secrets.put(secrets.sample());
      expect(unknown.status, 'PUT of a missing Secret, which PUT does not create').toBe(404);
    },
  }),

  defineRule('verbs.patch', {
    sabotage: loseWrite({ method: 'PATCH', path: item }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create({ data: { a: 'aaaa', b: 'aaaa' } });
      expect((await secrets.patch(metadata.name, { data: { a: 'bbbb' } })).status).toBe(200);
      expect((await secrets.read(metadata.name)).data).toEqual({ a: 'bbbb', b: 'aaaa' });
    },
  }),

  defineRule('verbs.apply.content-type', {
    sabotage: requestHeader('content-type', 'application/merge-patch+json', { method: 'PATCH' }),
    async check({ secrets, unique, expect }) {
      const name = unique();
      const answer = await secrets.tryApply(name, { data: { a: 'aaaa' } }, 'applier');
      expect(answer.status, 'apply of a missing object').toBe(201);
      const entry = answer.body.metadata.managedFields?.[0];
      expect(entry).toMatchObject({ manager: 'applier', operation: 'Apply' });
    },
  }),

  defineRule('verbs.apply.body', {
    sabotage: answerStatus(400, { method: 'PATCH', body: /^apiVersion:/ }),
    async check({ secrets, unique, expect }) {
      const names = [unique(), unique()] as const;
      const query = { fieldManager: 'applier' };
      const yaml = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${names[0]}\ndata:\n  a: aaaa\n`;
      const json = { apiVersion: 'v1', kind: 'Secret', metadata: { name: names[1] }, data: { a: 'aaaa' } };
      for (const [index, body] of [yaml, json].entries()) {
        const answer = await secrets.patch(names[index] ?? '', body, { type: 'apply', query });
        expect(answer.status, index === 0 ? 'YAML' : 'JSON').toBe(201);
        expect(answer.body.data).toEqual({ a: 'aaaa' });
      }
    },
  }),

  defineRule('verbs.delete', {
    sabotage: loseWrite({ method: 'DELETE', path: item }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect([200, 202]).toContain((await secrets.delete(metadata.name)).status);
      expect((await secrets.get(metadata.name)).status).toBe(404);
    },
  }),

  defineRule('verbs.deletecollection', {
    sabotage: loseWrite({ method: 'DELETE', path: collection }),
    async check({ secrets, configMaps, expect }) {
      await secrets.createMany(3);
      const bystander = await configMaps.create();
      expect((await secrets.deleteAll()).status).toBe(200);
      expect((await secrets.list()).items).toEqual([]);
      expect((await configMaps.get(bystander.metadata.name)).status, 'another kind').toBe(200);
    },
  }),

  defineRule('verbs.single-resource', {
    sabotage: redirectPath(/\/secrets\/[^/]+$/, '/secrets', { method: 'DELETE' }),
    async check({ secrets, expect }) {
      const [one, bystander] = await secrets.createMany(2, { data: { a: 'aaaa' } });
      const untouched = async (what: string) => {
        const answer = await secrets.get(bystander.metadata.name);
        expect(answer.body?.metadata?.resourceVersion, `the other object after ${what}`).toBe(
          bystander.metadata.resourceVersion,
        );
      };
      await secrets.replace({ ...one, data: { a: 'bbbb' } });
      await untouched('an update');
      await secrets.merge(one.metadata.name, { data: { a: 'cccc' } });
      await untouched('a patch');
      await secrets.apply(one.metadata.name, { data: { b: 'aaaa' } }, 'applier');
      await untouched('an apply');
      await secrets.delete(one.metadata.name);
      await untouched('a delete');
    },
  }),

  defineRule('verbs.no-transaction', {
    sabotage: loseWrite({ method: 'POST', path: collection, nth: 1 }),
    async check({ secrets, expect }) {
      const before = secrets.sample();
      await secrets.post(before);
      const refused = await secrets.post(secrets.sample({ metadata: { name: 'Not A Name' } }));
      const after = secrets.sample();
      await secrets.post(after);
      expect(refused.status, 'the one in the middle').toBeGreaterThanOrEqual(400);
      expect((await secrets.get(before.metadata.name)).status, 'the one before').toBe(200);
      expect((await secrets.get(after.metadata.name)).status, 'the one after').toBe(200);
    },
  }),
];
