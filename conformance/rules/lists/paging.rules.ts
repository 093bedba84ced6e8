import { forgottenVersion } from '../../checks/lists/history.ts';
import { crowd, isOfOneVersion, own, pages, showsWhatIsApart } from '../../checks/lists/list-pages.ts';
import { inTime } from '../../checks/lists/moved-time.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeAnswer, ignoreQuery, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { markedAs } from '../../verbs/collection.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, named, removableKinds, seen, views } from '../../verbs/subjects.ts';

const lists = { method: 'GET', path: /\/secrets$/ };
const background = { query: { propagationPolicy: 'Background' } };

const sortedWithoutHyphens = (items: readonly Json[]): Json[] => {
  const letters = (item: Json): string => nameOf(item).replaceAll('-', '');
  return [...items].sort((one, other) => (letters(one) < letters(other) ? -1 : 1));
};

/** As it stands in a list of a built-in kind. */
const bare = ({ kind: _, apiVersion: __, ...object }: Json): Json => object;

export default [
  // A list with `limit=n` holds no more than n items.
  defineRule('lists.paging.limit', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: ignoreQuery('limit', lists),
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      await objects.createMany(5);
      for (const limit of [1, 2, 4]) expect((await viewed.list({ limit })).items, `limit=${limit}`).toHaveLength(limit);
      expect((await viewed.list({ limit: 5 })).items, 'limit=5').toHaveLength(5);
    },
  }),

  // A list that is not the whole gives a token in `metadata.continue`.
  defineRule('lists.paging.continue-token', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [removeIn('metadata.continue', lists), replaceIn('metadata.continue', { ...lists, with: '' })],
    async check({ objects, expect }, { view }) {
      await objects.createMany(3);
      const { metadata } = await objects.viewed(view).list({ limit: 2 });
      expect(metadata.continue).toBeTypeOf('string');
      expect(metadata.continue).not.toBe('');
    },
  }),

  // Following the tokens shows every item, and each only once.
  defineRule('lists.paging.next-chunk', {
    matrix: { kind: generalKinds, view: views, limit: ['1', '2', '3', '4'] },
    where: ({ kind, view, limit }) => seen({ kind, view }) && (limit === '2' || kind.name === 'secrets'),
    sabotage: [
      ignoreQuery('continue', lists),
      replaceIn('items', { ...lists, onPage: 2 }),
      ignoreQuery('labelSelector', { ...lists, query: { continue: true, labelSelector: true } }),
      changeAnswer(
        'sorts without hyphens',
        (body) => ({ ...body, items: sortedWithoutHyphens(body.items ?? []) }),
        lists,
      ),
      changeAnswer('loses a short last page', (body) => (body.metadata?.continue ? body : { ...body, items: [] }), {
        ...lists,
        query: { continue: true },
      }),
    ],
    async check(context, { kind, view, limit }) {
      const { objects, expect } = context;
      const made = await crowd(objects, view);
      const all = await pages(objects.viewed(view), Number(limit));
      expect(all.flatMap(namesOf)).toEqual(made);
      for (const page of all) expect(page.items.length).toBeLessThanOrEqual(Number(limit));
      const again = await objects.viewed(view).list({ limit: 2, continue: all[0].metadata.continue });
      expect(own(made, again), 'a token that is used again').toEqual(made.slice(Number(limit), Number(limit) + 2));
      await showsWhatIsApart(context, objects, { kind, view, limit: Number(limit) });
    },
  }),

  // A list without a token, or with an empty one, was the last.
  defineRule('lists.paging.end', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [
      changeAnswer(
        'gives a token at the end',
        (body) => ({ ...body, metadata: { ...body.metadata, continue: body.metadata?.continue || 'more' } }),
        lists,
      ),
      replaceIn('items', { ...lists, onPage: 2 }),
    ],
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      const made = (await objects.createMany(4)).map(nameOf);
      expect((await viewed.list({ limit: 10 })).metadata.continue || '', 'a list that is complete').toBe('');
      const first = await viewed.list({ limit: 3 });
      const last = await viewed.list({ limit: 3, continue: first.metadata.continue });
      expect(namesOf(last), 'a last chunk that is short').toEqual(made.slice(3));
      expect(last.metadata.continue || '', 'the last chunk').toBe('');
      const half = await viewed.list({ limit: 2 });
      const full = await viewed.list({ limit: 2, continue: half.metadata.continue });
      expect(namesOf(full), 'a last chunk that is full').toEqual(made.slice(2));
      // With a selector a server may have to look on to see that nothing more fits.
      if (view === 'namespace') expect(full.metadata.continue || '', 'a last chunk that is full').toBe('');
      const rest = await viewed.list({ continue: half.metadata.continue });
      expect(namesOf(rest), 'all the rest, without a limit').toEqual(made.slice(2));
    },
  }),

  // Every chunk of a list bears the same collection version.
  defineRule('lists.paging.same-version', {
    matrix: { kind: generalKinds, view: views },
    where: seen,
    sabotage: [
      replaceIn('metadata.resourceVersion', { ...lists, onPage: 2 }),
      replaceIn('metadata.resourceVersion', { ...lists, onPage: 3 }),
    ],
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      await objects.createMany(6);
      const first = await viewed.list({ limit: 2 });
      await objects.create();
      const second = await viewed.list({ limit: 2, continue: first.metadata.continue });
      await objects.create();
      const third = await viewed.list({ limit: 2, continue: second.metadata.continue });
      expect(versionOf(second)).toBe(versionOf(first));
      expect(versionOf(third)).toBe(versionOf(first));
      await isOfOneVersion({ objects, expect }, view, versionOf(first));
    },
  }),

  // What happens after the first chunk is not seen in the later ones.
  defineRule('lists.paging.snapshot', {
    matrix: { kind: removableKinds, view: views },
    where: seen,
    sabotage: [
      changeAnswer(
        'shows later objects',
        (body) => ({ ...body, items: [...body.items, { metadata: { name: 'item-9' } }] }),
        { ...lists, query: { continue: true } },
      ),
      replaceIn('items.*.data', { ...lists, with: { round: 'new1' }, query: { continue: true } }),
      replaceIn('items', { ...lists, onPage: 3 }),
    ],
    async check({ objects, expect }, { kind, view }) {
      const viewed = objects.viewed(view);
      const made = await objects.createMany(5);
      const [[, , third, fourth, last], first] = [made, await viewed.list({ limit: 1 })];
      const second = await viewed.list({ limit: 1, continue: first.metadata.continue });
      await objects.createMany(1, {}, 'item-9');
      await objects.merge(nameOf(third), changeOf(kind, 1));
      if (view === 'labels' || view === 'everywhere') await objects.merge(nameOf(fourth), markedAs('another'));
      await objects.remove(nameOf(last), background);
      if (view === 'labels') await objects.create({ metadata: { name: nameOf(last) } });
      const page = await viewed.list({ limit: 1, continue: second.metadata.continue });
      const rest = await viewed.list({ limit: 10, continue: page.metadata.continue });
      const shown = [second, page, rest].flatMap(({ items }) => items);
      expect(shown.map(nameOf), 'what came and went since').toEqual(made.slice(1).map(nameOf));
      if (!kind.busy) expect(shown.map(bare), 'what changed since').toEqual(made.slice(1).map(bare));
      expect(rest.metadata.continue || '', 'the last chunk').toBe('');
    },
  }),

  // `metadata.remainingItemCount` tells how many items follow this chunk.
  defineRule('lists.paging.remaining.count', {
    matrix: { kind: generalKinds.filter(({ crowded }) => !crowded) },
    sabotage: [
      replaceIn('metadata.remainingItemCount', lists),
      removeIn('metadata.remainingItemCount', lists),
      replaceIn('metadata.remainingItemCount', { ...lists, onPage: 2 }),
    ],
    async check({ objects, expect }) {
      await objects.createMany(7);
      const counts: unknown[] = [];
      for (const page of await pages(objects, 2)) counts.push(page.metadata.remainingItemCount);
      expect(counts).toEqual([5, 3, 1, undefined]);
      const { metadata } = await objects.list({ limit: 2 });
      await objects.createMany(1, {}, 'later');
      const second = await objects.list({ limit: 2, continue: metadata.continue });
      expect(second.metadata.remainingItemCount, 'whatever came since').toBe(3);
    },
  }),

  // With a label selector `remainingItemCount` is not given.
  defineRule('lists.paging.remaining.label-selector', {
    matrix: { kind: generalKinds, place: ['one namespace', 'all namespaces'] },
    where: ({ kind, place }) => place === 'one namespace' || kind.namespaced,
    sabotage: replaceIn('metadata.remainingItemCount', { ...lists, with: 1 }),
    async check({ objects, expect }, { place }) {
      await objects.createMany(3, { metadata: { labels: { colour: 'red' } } });
      const viewed = objects.viewed(place === 'one namespace' ? 'namespace' : 'everywhere');
      const { metadata, items } = await viewed.list({ limit: 2, labelSelector: 'colour=red' });
      expect(items).toHaveLength(2);
      expect(metadata.remainingItemCount).toBeUndefined();
      const next = await viewed.list({ limit: 1, labelSelector: 'colour=red', continue: metadata.continue });
      expect(next.metadata.remainingItemCount, 'of a later chunk').toBeUndefined();
    },
  }),

  // With a field selector `remainingItemCount` is not given.
  defineRule('lists.paging.remaining.field-selector', {
    matrix: { kind: generalKinds },
    sabotage: replaceIn('metadata.remainingItemCount', { ...lists, with: 1 }),
    async check({ objects, expect }) {
      await objects.createMany(3);
      const fieldSelector = 'metadata.name!=other';
      const { metadata, items } = await objects.list({ limit: 1, fieldSelector });
      expect(items).toHaveLength(1);
      expect(metadata.remainingItemCount).toBeUndefined();
      const next = await objects.list({ limit: 1, fieldSelector, continue: metadata.continue });
      expect(next.metadata.remainingItemCount, 'of a later chunk').toBeUndefined();
    },
  }),

  // A list that is the whole gives no `remainingItemCount`.
  defineRule('lists.paging.remaining.complete', {
    matrix: { kind: generalKinds.filter(({ crowded }) => !crowded) },
    sabotage: replaceIn('metadata.remainingItemCount', { ...lists, with: 0 }),
    async check({ objects, expect }) {
      await objects.createMany(3);
      for (const query of ['', 'limit=10', 'limit=3']) {
        const { metadata, items } = await objects.list(query);
        expect(items).toHaveLength(3);
        expect(metadata.remainingItemCount, query || 'no limit').toBeUndefined();
      }
    },
  }),

  // A token is good for a short time, five minutes unless set otherwise.
  defineRule('lists.paging.token.lifetime', {
    needs: ['flags'],
    sabotage: [
      answerStatus(410, { method: 'GET', query: { continue: true } }),
      ignoreQuery('continue', { method: 'GET', path: /\/secrets$/ }),
    ],
    async check(context) {
      const { server, pass } = await inTime(context);
      const { secrets, expect } = server;
      await secrets.createMany(3);
      const next = { limit: 1, continue: (await secrets.list({ limit: 1 })).metadata.continue };
      // What is the newest of all is never dropped.
      await secrets.create();
      await pass(4);
      const young = await secrets.getAll(next);
      expect(young.status, 'a token of four minutes').toBe(200);
      expect(young.body.items.map(({ metadata }: Json) => metadata.name)).toEqual(['item-1']);
      // What is dropped after five minutes is looked for every five.
      await pass(6);
      await pass(6);
      expect((await secrets.getAll(next)).status, 'a token of a quarter of an hour').toBe(410);
    },
  }),

  // A token that is too old is answered 410 Gone.
  defineRule('lists.paging.token.expired', {
    needs: ['short-history'],
    matrix: { kind: named('secrets', 'roles', 'widgets', 'gadgets') },
    sabotage: [
      changeAnswer('goes on with an expired token', () => ({ kind: 'SecretList', items: [] }), {
        ...lists,
        query: { continue: true },
      }),
      ignoreQuery('continue', { ...lists, query: { continue: true }, nth: 2 }),
    ],
    async check(context) {
      const { objects, expect } = context;
      const [, second = '', third] = (await objects.createMany(3)).map(nameOf);
      const first = await objects.list({ limit: 1 });
      await forgottenVersion(context);
      const answer = await objects.getAll({ limit: 1, continue: first.metadata.continue });
      expect(answer.body).toMatchObject({ kind: 'Status', code: 410 });
      expect(answer.status).toBe(410);
      // With it may come a token that goes on where the old one would have, in the state of by then.
      const fresh = answer.body.metadata?.continue;
      if (!fresh) return;
      await objects.remove(second, background);
      expect((await objects.list({ limit: 1, continue: fresh })).items.map(nameOf), 'the rest').toEqual([third]);
    },
  }),

  // Chunks are given unless the feature gate APIListChunking has been turned off.
  defineRule('lists.paging.feature-gate', {
    flags: ['--feature-gates=APIListChunking=false'],
    sabotage: changeAnswer(
      'gives a chunk',
      (body) => ({ ...body, items: body.items?.slice(0, 1), metadata: { ...body.metadata, continue: 'more' } }),
      { ...lists, query: { limit: true } },
    ),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const { status, body } = await secrets.getAll({ limit: 1 });
      expect(status).toBe(200);
      expect(body.items, 'the whole list').toHaveLength(3);
      expect(body.metadata.continue || '').toBe('');
    },
  }),
];
