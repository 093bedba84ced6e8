import { isIndented, quoted } from '../../checks/lists/indented.ts';
import { tellsWhatIsRefused } from '../../checks/requests/told-refusals.ts';
import { fits, mainWrites } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, ignoreQuery, redirectPath, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Answer } from '../../verbs/client.ts';
import { merged } from '../../verbs/merged.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';

const mixUp = (method: string) => redirectPath(/\/secrets\/item-0$/, '/secrets/item-1', { method });

export default [
  // Get, update, patch and delete find the object by the name in the path.
  defineRule('params.item.name', {
    matrix: { kind: generalKinds },
    sabotage: [
      ...['GET', 'PATCH', 'DELETE'].map(mixUp),
      answerStatus(200, { method: 'PUT', instead: 400 }),
      ...['GET', 'PATCH', 'DELETE'].map((method) =>
        replaceIn('details.name', { method, path: /missing$/, with: 'default' }),
      ),
      removeIn('details.group', { method: 'PATCH', path: /\/leases\// }),
      replaceIn('reason', { method: 'POST', path: /\/roles$/, with: 'Conflict' }),
      removeIn('details.causes', { method: 'PATCH', path: /\/jobs\// }),
    ],
    async check({ objects, expect }, { kind }) {
      const [one, other] = await objects.createMany(2);
      expect((await objects.get(nameOf(one))).body?.metadata?.uid, 'get').toBe(one.metadata.uid);
      for (const write of mainWrites.filter(({ shows, verb }) => shows && verb !== 'create')) {
        if (!fits({ kind, write })) continue;
        const { body } = await write.send({ objects, object: await objects.read(nameOf(one)), kind });
        expect(body?.metadata?.uid, write.name).toBe(one.metadata.uid);
      }
      const missing = merged(one, { metadata: { name: 'touchstone-missing' } });
      const asked: Record<string, Answer> = { get: await objects.get('touchstone-missing') };
      for (const write of mainWrites.filter(({ name }) => /patch|^delete$/.test(name)))
        if (fits({ kind, write })) asked[write.name] = await write.send({ objects, object: missing, kind });
      for (const [what, { status, body }] of Object.entries(asked)) {
        expect(status, `${what} of what is missing`).toBe(404);
        const details = { name: 'touchstone-missing', kind: objects.at.resource };
        expect(body, `${what} of what is missing`).toMatchObject({ kind: 'Status', reason: 'NotFound', details });
      }
      await tellsWhatIsRefused(objects, kind, expect);
      const astray = await objects.put(one, '', { name: nameOf(other) });
      expect(astray.status, "update with a name that is not the path's").toBe(400);
      const nameless = await objects.put(merged(one, { metadata: { name: '' } }), '', { name: nameOf(one) });
      expect(nameless.status, 'update without a name').toBe(400);
      if (kind.status) {
        const lost = await objects.put(one, '', { name: nameOf(other), sub: 'status' });
        expect(lost.status, "update of a status with a name that is not the path's").toBe(400);
      }
      await objects.delete(nameOf(one), { query: { propagationPolicy: 'Background' } });
      const left = (await objects.get(nameOf(other))).body?.metadata;
      expect(left?.uid, 'the other one after the delete').toBe(other.metadata.uid);
      expect(left?.deletionTimestamp, 'the other one after the delete').toBeUndefined();
      const gone = await objects.get(nameOf(one));
      if (kind.lingers && gone.status === 200) expect(gone.body.metadata.deletionTimestamp).toBeTypeOf('string');
      else expect(gone.status, 'the deleted one').toBe(404);
    },
  }),

  // Get, create, update, patch and delete take the string `pretty`.
  defineRule('params.item.pretty', {
    matrix: { kind: generalKinds },
    sabotage: [
      ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
        answerStatus(400, { method, query: { pretty: true } }),
      ),
      removeIn('metadata.managedFields', { method: 'GET', query: { pretty: true } }),
      ...['GET', 'PATCH', 'DELETE'].map((method) => ignoreQuery('pretty', { method })),
    ],
    async check({ objects, expect }, { kind }) {
      const query = { pretty: 'true' };
      const object = await objects.create(quoted);
      const name = nameOf(object);
      const read = await objects.get(name, query);
      expect(read.status, 'get').toBe(200);
      expect(isIndented(read), 'get, in lines that are indented').toBe(true);
      expect(isIndented(await objects.get(name, { pretty: 'false' })), 'get with pretty=false').toBe(false);
      expect(read.body, 'get').toMatchObject(quoted);
      if (!kind.busy) expect(read.body).toEqual((await objects.get(name)).body);
      for (const write of mainWrites.filter((one) => fits({ kind, write: one }))) {
        const answer = await write.send({ objects, object: (await objects.get(name)).body, kind, query });
        expect([200, 201, 202], write.name).toContain(answer.status);
        expect(isIndented(answer), `${write.name}, in lines that are indented`).toBe(true);
        if (write.verb === 'delete') return;
      }
    },
  }),
];
