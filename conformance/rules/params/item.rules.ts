import { defineRule } from '../../rule.ts';
import { answerStatus, redirectPath } from '../../sabotage/transforms.ts';

const mixUp = (method: string) => redirectPath(/\/secrets\/item-0$/, '/secrets/item-1', { method });

export default [
  defineRule('params.item.name', {
    sabotage: ['GET', 'PATCH', 'DELETE'].map(mixUp),
    async check({ secrets, expect }) {
      const [one, other] = await secrets.createMany(2, { data: { a: 'aaaa' } });
      expect((await secrets.get('item-0')).body?.metadata?.uid, 'get').toBe(one.metadata.uid);
      expect((await secrets.put({ ...one, data: { a: 'bbbb' } })).body?.metadata?.uid, 'update').toBe(one.metadata.uid);
      expect((await secrets.patch('item-0', { data: { a: 'cccc' } })).body?.metadata?.uid, 'patch').toBe(
        one.metadata.uid,
      );
      await secrets.delete('item-0');
      expect((await secrets.get('item-1')).body?.metadata?.uid, 'the other one after the delete').toBe(
        other.metadata.uid,
      );
      expect((await secrets.get('item-0')).status, 'the deleted one').toBe(404);
    },
  }),

  defineRule('params.item.pretty', {
    sabotage: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
      answerStatus(400, { method, query: { pretty: true } }),
    ),
    async check({ secrets, expect }) {
      const pretty = { pretty: 'true' };
      const body = secrets.sample();
      const { name } = body.metadata;
      const created = await secrets.post(body, pretty);
      expect(created.status, 'create').toBe(201);
      const read = await secrets.get(name, pretty);
      expect(read.status, 'get').toBe(200);
      expect(read.body).toEqual((await secrets.get(name)).body);
      expect((await secrets.put(read.body, pretty)).status, 'update').toBe(200);
      expect((await secrets.patch(name, {}, { query: pretty })).status, 'patch').toBe(200);
      expect((await secrets.delete(name, { query: pretty })).status, 'delete').toBe(200);
    },
  }),
];
