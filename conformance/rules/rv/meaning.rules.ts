import type { Expect } from '../../assertions.ts';
import { forgottenVersion } from '../../checks/lists/history.ts';
import { inForms, listsInForms } from '../../checks/lists/selecting-forms.ts';
import { subresourceWrites } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeAnswer, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { marking, named, quietKinds, removableKinds, type Subject, seen, views } from '../../verbs/subjects.ts';

const background = { query: { propagationPolicy: 'Background' } };

/** What was written through a subresource is in the next list, where nobody else writes. */
async function showsBelow(objects: Collection, expect: Expect, kind: Subject): Promise<void> {
  const writes = subresourceWrites.filter(({ fits, name }) => name.startsWith('merge ') && fits(kind));
  for (const write of kind.busy ? [] : writes) {
    const [object] = (await objects.list()).items;
    const answer = await write.send({ objects, object, kind, round: 2 });
    expect(answer.status, `${write.name}: ${said(answer)}`).toBe(200);
    expect((await objects.list()).items.map(versionOf), `list after ${write.name}`).toContain(versionOf(answer.body));
  }
}

const lists = { method: 'GET', path: /\/secrets$/ };

export default [
  // Most recent: whatever was answered before the request is in the data.
  defineRule('rv.meaning.most-recent', {
    matrix: { kind: removableKinds, view: views },
    where: seen,
    sabotage: [
      replaceIn('items', { ...lists, from: 4 }),
      replaceIn('metadata.annotations', { with: {}, method: 'GET', path: /\/secrets\/[^/]+$/ }),
      replaceIn('items', { method: 'GET', path: /^\/apis\/batch\/v1\/jobs$/, from: 2 }),
      replaceIn('items.*.metadata.resourceVersion', { method: 'GET', path: /\/ingresses$/ }),
    ],
    async check(context, { kind, view }) {
      const { objects, expect } = context;
      const viewed = objects.viewed(view);
      for (let round = 1; round <= 3; round++) {
        const annotations = { 'example.com/round': `${round}` };
        const object = await objects.create({ metadata: { annotations } });
        expect((await objects.read(nameOf(object))).metadata.annotations, 'read after write').toMatchObject(
          annotations,
        );
        const { items } = await viewed.list();
        expect(items.map(nameOf)).toContain(nameOf(object));
        expect(items, 'list after write').toHaveLength(round);
        await objects.merge(nameOf(object), marking('changed'));
        const shown = (await viewed.list()).items.find((one: Json) => nameOf(one) === nameOf(object));
        expect(shown?.metadata.annotations, 'list after change').toMatchObject({ 'example.com/round': 'changed' });
      }
      const { items } = await viewed.list();
      const inAll = (names: readonly string[]) =>
        inForms.includes(kind) ? listsInForms(context, kind, viewed, {}, names) : undefined;
      await inAll(items.map(nameOf));
      await objects.remove(nameOf(items[0]), background);
      await inAll(items.slice(1).map(nameOf));
      expect((await objects.get(nameOf(items[0]))).status, 'read after delete').toBe(404);
      expect((await viewed.list()).items, 'list after delete').toHaveLength(2);
      // The last, as an approval may be forbidden to who is a guest.
      await showsBelow(viewed, expect, kind);
    },
  }),

  // Not older than: the items themselves may have older versions.
  defineRule('rv.meaning.not-older-items', {
    matrix: { kind: quietKinds, view: views },
    where: seen,
    sabotage: changeAnswer('leaves out items that are older', (body) => ({ ...body, items: [] }), {
      ...lists,
      query: { resourceVersion: true },
    }),
    async check({ objects, expect }, { view }) {
      const [first] = await objects.createMany(2);
      const last = await objects.create();
      const query = { resourceVersion: versionOf(last), resourceVersionMatch: 'NotOlderThan' };
      const answer = await objects.viewed(view).getAll(query);
      expect(answer.status).toBe(200);
      const old = answer.body.items.find((one: Json) => nameOf(one) === nameOf(first));
      expect(old?.metadata?.resourceVersion, 'an item older than the version asked for').toBe(versionOf(first));
    },
  }),

  // Exact: a version that has been forgotten is answered 410.
  defineRule('rv.meaning.exact-gone', {
    needs: ['short-history'],
    matrix: { kind: named('secrets', 'roles', 'clusterroles', 'widgets'), limit: ['without', 'with'] },
    sabotage: changeAnswer('shows an empty list', () => ({ kind: 'SecretList', items: [] }), {
      ...lists,
      query: { resourceVersionMatch: 'Exact' },
    }),
    async check(context, { limit }) {
      const { objects, expect } = context;
      await objects.create();
      const resourceVersion = await forgottenVersion(context);
      const paged = limit === 'with' ? { limit: 5 } : {};
      const answer = await objects.getAll({ resourceVersion, resourceVersionMatch: 'Exact', ...paged });
      expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code: 410 });
      expect(answer.status).toBe(410);
    },
  }),

  // Any version: what is shown may be older than what was seen before.
  defineRule('rv.meaning.any', {
    sabotage: [
      answerStatus(400, { method: 'GET', query: { resourceVersion: '0' } }),
      replaceIn('items', { ...lists, query: { resourceVersion: '0' }, with: [{}] }),
    ],
    async check({ secrets, waitUntil, expect }) {
      const made = await secrets.create();
      await secrets.merge(nameOf(made), marking('changed'));
      // It may be old, but it is something that was true once; a cache comes to know of it in the end.
      const look = () => secrets.getAll({ resourceVersion: '0' });
      const { body } = await waitUntil('a list of any version has the object', look, ({ status, body: list }) => {
        expect(status, 'a list of any version').toBe(200);
        return list.items?.length > 0;
      });
      expect(body.items.map(({ metadata }: Json) => metadata?.uid)).toEqual([made.metadata.uid]);
      // Another server of the same address may come to know of it a little later.
      const get = () => secrets.get(nameOf(made), { resourceVersion: '0' });
      const one = await waitUntil('an object of any version is there', get, ({ status }) => status !== 404);
      expect([one.status, one.body.metadata?.uid], 'an object of any version').toEqual([200, made.metadata.uid]);
    },
  }),
];
