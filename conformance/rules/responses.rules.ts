import { defineRule } from '../rule.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';
import type { RuleContext } from '../verbs/context.ts';

const item = /\/secrets\/[^/]+$/;
const collection = /\/secrets$/;

const stranger = { authorization: 'Bearer not-a-token-of-anybody' };

/** The seven verbs as a stranger would try them on `name`. */
async function strangerTries(
  { secrets, send }: RuleContext,
  name: string,
): Promise<readonly (readonly [string, number])[]> {
  const path = await secrets.path(name);
  const all = await secrets.path();
  const merge = { ...stranger, 'content-type': 'application/merge-patch+json' };
  const tries = {
    get: send('GET', path, { headers: stranger }),
    list: send('GET', all, { headers: stranger }),
    create: send('POST', all, { headers: stranger, body: secrets.sample() }),
    update: send('PUT', path, { headers: stranger, body: secrets.sample({ metadata: { name } }) }),
    patch: send('PATCH', path, { headers: merge, body: { data: { stolen: 'yes1' } } }),
    delete: send('DELETE', path, { headers: stranger }),
    deletecollection: send('DELETE', all, { headers: stranger }),
  };
  return Promise.all(Object.entries(tries).map(async ([verb, answer]) => [verb, (await answer).status] as const));
}

export default [
  defineRule('responses.get.200', {
    sabotage: answerStatus(203, { method: 'GET', path: item }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const answer = await secrets.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: 'Secret', metadata: { name: metadata.name } });
    },
  }),

  defineRule('responses.401', {
    sabotage: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
      answerStatus(403, { method, header: { authorization: /not-a-token/ }, instead: 401 }),
    ),
    async check(context) {
      const { secrets, expect } = context;
      const object = await secrets.create();
      for (const [verb, status] of await strangerTries(context, object.metadata.name)) expect(status, verb).toBe(401);
      const { items } = await secrets.list();
      expect(
        items.map(({ metadata }: { metadata: { resourceVersion: string } }) => metadata.resourceVersion),
        'what is stored',
      ).toEqual([object.metadata.resourceVersion]);
    },
  }),

  defineRule('responses.list.200', {
    sabotage: [
      answerStatus(203, { method: 'GET', path: collection }),
      replaceIn('kind', { method: 'GET', path: collection }),
    ],
    async check({ secrets, expect }) {
      await secrets.create();
      const answer = await secrets.getAll();
      expect(answer.status).toBe(200);
      expect(answer.body.kind).toBe('SecretList');
    },
  }),

  defineRule('responses.create.code', {
    sabotage: [
      answerStatus(203, { method: 'POST', path: collection }),
      replaceIn('kind', { method: 'POST', path: collection }),
    ],
    async check({ secrets, expect }) {
      const body = secrets.sample({ data: { a: 'aaaa' } });
      const answer = await secrets.post(body);
      expect([200, 201, 202]).toContain(answer.status);
      expect(answer.body).toMatchObject({ kind: 'Secret', metadata: { name: body.metadata.name }, data: body.data });
    },
  }),

  defineRule('responses.update.code', {
    sabotage: [answerStatus(203, { method: 'PUT' }), replaceIn('data', { with: {}, method: 'PUT' })],
    async check({ secrets, roles, expect }) {
      const object = await secrets.create();
      const answer = await secrets.put({ ...object, data: { a: 'new1' } });
      expect(answer.status, 'of what was there').toBe(200);
      expect(answer.body).toEqual(await secrets.read(object.metadata.name));
      expect((await roles.put(roles.sample())).status, 'of what was not there').toBe(201);
    },
  }),

  defineRule('responses.patch.code', {
    sabotage: [answerStatus(203, { method: 'PATCH' }), replaceIn('data', { with: {}, method: 'PATCH' })],
    async check({ secrets, unique, expect }) {
      const { metadata } = await secrets.create();
      const answer = await secrets.patch(metadata.name, { data: { a: 'new1' } });
      expect(answer.status, 'of what was there').toBe(200);
      expect(answer.body).toEqual(await secrets.read(metadata.name));
      expect((await secrets.tryApply(unique(), {}, 'applier')).status, 'of what was not there').toBe(201);
    },
  }),

  defineRule('responses.delete.code', {
    sabotage: answerStatus(204, { method: 'DELETE', path: item }),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      expect([200, 202]).toContain((await secrets.delete(metadata.name)).status);
      expect((await secrets.get(metadata.name)).status, 'afterwards').toBe(404);
    },
  }),

  defineRule('responses.delete.body', {
    sabotage: [
      replaceIn('kind', { method: 'DELETE', path: item }),
      replaceIn('status', { with: 'Failure', method: 'DELETE', path: item }),
    ],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const { body } = await secrets.delete(metadata.name);
      // Where more than the request is needed to remove it, a server may show the object instead.
      if (body?.kind === 'Secret') expect(body.metadata.uid).toBe(metadata.uid);
      else expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
    },
  }),

  defineRule('responses.deletecollection.code', {
    sabotage: answerStatus(202, { method: 'DELETE', path: collection }),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      expect((await secrets.deleteAll()).status).toBe(200);
    },
  }),

  defineRule('responses.deletecollection.body', {
    sabotage: replaceIn('kind', { method: 'DELETE', path: collection }),
    async check({ secrets, expect }) {
      await secrets.createMany(2);
      const { body } = await secrets.deleteAll();
      expect(['Status', 'SecretList']).toContain(body?.kind);
    },
  }),
];
