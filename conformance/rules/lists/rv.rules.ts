import { pages } from '../../checks/lists/list-pages.ts';
import { inForms, listsInForms } from '../../checks/lists/selecting-forms.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, changeAnswer, ignoreQuery } from '../../sabotage/transforms.ts';
import type { Json, Query } from '../../verbs/client.ts';
import { type Collection, markedAs, markLabel, type View } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, removableKinds, type Subject, seen, views } from '../../verbs/subjects.ts';

const lists = { method: 'GET', path: /\/secrets$/ };
const empty = changeAnswer(
  'shows an empty state',
  (body) => ({ ...body, items: [], metadata: { resourceVersion: body.metadata?.resourceVersion } }),
  { ...lists, from: 2 },
);
const cut = changeAnswer(
  'cuts a list without a token',
  (body, { query }) => ({ ...body, items: body.items?.slice(0, Number(query.get('limit'))) }),
  { ...lists, query: { limit: true, resourceVersion: '0' } },
);
const sorted = (list: Json): string[] => namesOf(list).sort();
const background = { query: { propagationPolicy: 'Background' } };
const everyKind = { matrix: { kind: generalKinds, view: views }, where: seen } as const;

interface Story {
  readonly made: readonly string[];
  /** Of the list that shows the first two. */
  readonly version: string;
  readonly items: readonly Json[];
}

/** Two objects, then the version of a list, then a third object. */
async function twoThenThree(objects: Collection, viewed: Collection): Promise<Story> {
  const first = await objects.createMany(2);
  const { metadata, items } = await viewed.list();
  const third = await objects.createMany(1, {}, 'item-2');
  return { made: [...first, ...third].map(nameOf), version: metadata.resourceVersion, items };
}

const limited = { limit: 10 };
const exact = { resourceVersionMatch: 'Exact' };
const notOlder = { resourceVersionMatch: 'NotOlderThan' };

/** Lists that show the state after each of several changes: no two of them have one version. */
function lister(viewed: Collection, query: Query, expect: RuleContext['expect']): () => Promise<Json> {
  const versions = new Set<string>();
  return async () => {
    const list = await viewed.list(query);
    expect(versions, 'the versions of the states before').not.toContain(versionOf(list));
    versions.add(versionOf(list));
    return list;
  };
}

/** The state must be the newest one. */
const mostRecent = (id: string, query: Query): Rule =>
  defineRule(id, {
    matrix: { kind: removableKinds, view: views },
    where: seen,
    sabotage: empty,
    async check({ objects, expect }, { kind, view }) {
      const viewed = objects.viewed(view);
      const { made } = await twoThenThree(objects, viewed);
      const [first, second, third] = made as [string, string, string];
      const look = lister(viewed, query, expect);
      expect(sorted(await look())).toEqual(made);
      await objects.remove(second, background);
      expect(sorted(await look()), 'after a delete').toEqual([first, third]);
      const changed = await objects.merge(first, changeOf(kind, 1));
      const [shown] = (await look()).items;
      if (!kind.busy) expect(versionOf(shown), 'after a change').toBe(versionOf(changed));
      await objects.createMany(1, {}, 'item-1');
      expect(sorted(await look()), 'after another create').toHaveLength(3);
    },
  });

/** Any state will do, also an old one: there must be an answer, and what it shows must have existed. */
const anyVersion = (id: string, query: Query): Rule =>
  defineRule(id, {
    ...everyKind,
    sabotage: [
      answerStatus(400, { ...lists, query: { resourceVersion: '0' } }),
      changeAnswer('shows what never was', (body) => ({ ...body, items: [{ metadata: { name: 'ghost' } }] }), {
        ...lists,
        query: { resourceVersion: '0' },
      }),
      ...(query.limit === undefined ? [] : [cut]),
    ],
    async check({ objects, expect, waitUntil }, { view }) {
      const viewed = objects.viewed(view);
      const { made } = await twoThenThree(objects, viewed);
      const asked = { ...query, resourceVersion: 0 };
      const answer = await viewed.getAll(asked);
      expect(answer.status).toBe(200);
      expect(answer.body.kind).toBe(`${objects.at.kind}List`);
      for (const name of namesOf(answer.body)) expect(made).toContain(name);
      // Any age is no age for ever: sooner or later the three are seen, page by page as well.
      const look = async () => sorted(await viewed.list(asked));
      await waitUntil('all objects show', look, (names) => names.length === 3);
      if (query.limit === undefined) return;
      const inPages = async () => (await pages(viewed, 1, {}, asked)).flatMap(namesOf).sort();
      await waitUntil('all objects show, page by page', inPages, (names) => names.join() === made.join());
    },
  });

/** The state must be the asked one or a newer one. */
const notOlderThan = (id: string, query: Query): Rule =>
  defineRule(id, {
    ...everyKind,
    sabotage: [empty, answerStatus(400, { ...lists, query: { resourceVersion: true } })],
    async check({ objects, expect }, { kind, view }) {
      const viewed = objects.viewed(view);
      const [first, second] = await objects.createMany(2);
      const answer = await viewed.getAll({ ...query, resourceVersion: versionOf(second) });
      expect(answer.status).toBe(200);
      expect(sorted(answer.body)).toEqual([nameOf(first), nameOf(second)]);
      if (query.limit !== undefined) {
        // Nothing is lost: what a page leaves out its token leads to.
        const all = await pages(viewed, 1, {}, { ...query, resourceVersion: versionOf(second) });
        expect(all.flatMap(namesOf).sort(), 'page by page').toEqual(sorted(answer.body));
        for (const { items } of all) expect(items.length, 'items of a page').toBeLessThanOrEqual(1);
      }
      const changed = await objects.merge(nameOf(first), changeOf(kind, 1));
      const later = await viewed.getAll({ ...query, resourceVersion: versionOf(changed) });
      const item = later.body.items.find((one: Json) => nameOf(one) === nameOf(first));
      if (kind.busy) expect(item).toMatchObject(changeOf(kind, 1));
      else expect(item?.metadata?.resourceVersion).toBe(versionOf(changed));
    },
  });

/** Then the first changes, and what is selected by labels is the third alone, and one that was there without them. */
async function twoThenOthers(objects: Collection, view: View, kind: Subject): Promise<Story> {
  const byLabels = view === 'labels' || view === 'everywhere';
  const [beside] = byLabels ? await objects.createMany(1, markedAs('another'), 'item-7') : [];
  const story = await twoThenThree(objects, objects.viewed(view));
  const [first, second] = story.items as [Json, Json];
  await objects.merge(nameOf(first), changeOf(kind, 1));
  if (!beside) return story;
  await objects.merge(nameOf(beside), markedAs(second.metadata.labels[markLabel]));
  await objects.merge(nameOf(second), markedAs('another'));
  return story;
}

/** The state must be exactly the asked one. */
const exactly = (id: string, query: Query): Rule =>
  defineRule(id, {
    ...everyKind,
    sabotage: [
      ignoreQuery('resourceVersion', lists),
      changeAnswer(
        'shows a newer state',
        (body) => ({ ...body, items: [...(body.items ?? []), { metadata: { name: 'item-2' } }] }),
        { ...lists, query: { resourceVersion: true } },
      ),
    ],
    async check(context, { kind, view }) {
      const { objects, expect } = context;
      const viewed = objects.viewed(view);
      const { made, version, items: before } = await twoThenOthers(objects, view, kind);
      const answer = await viewed.getAll({ ...query, resourceVersion: version });
      expect(answer.status).toBe(200);
      expect(namesOf(answer.body)).toEqual(made.slice(0, 2));
      expect(answer.body.metadata.resourceVersion).toBe(version);
      expect(answer.body.items, 'as they were at that version').toEqual(before);
      if (inForms.includes(kind))
        await listsInForms(context, kind, viewed, { ...query, resourceVersion: version }, made.slice(0, 2));
      if (query['resourceVersionMatch'] !== undefined) {
        const named = { fieldSelector: `metadata.name=${made[0]}` };
        const one = await viewed.list({ ...query, ...named, resourceVersion: version });
        expect(one.items, 'one by its name').toEqual(before.slice(0, 1));
      }
      if (query.limit === undefined) return;
      const page = await viewed.list({ ...query, limit: 1, resourceVersion: version });
      const rest = await viewed.list({ limit: 1, continue: page.metadata.continue });
      expect([...namesOf(page), ...namesOf(rest)], 'page by page').toEqual(made.slice(0, 2));
      expect([...page.items, ...rest.items], 'as they were at that version').toEqual(before);
      expect(versionOf(rest), 'the version of the second page').toBe(version);
    },
  });

/** The request must be refused; genuine servers say 422 where 400 might be expected. */
const invalid = (id: string, query: Query): Rule =>
  defineRule(id, {
    ...everyKind,
    sabotage: ignoreQuery('resourceVersionMatch', lists),
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      await objects.create();
      expect((await viewed.getAll()).status, 'without the parameters').toBe(200);
      const answer = await viewed.getAll(query);
      expect([400, 422]).toContain(answer.status);
      expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code: answer.status });
      expect(['BadRequest', 'Invalid']).toContain(answer.body.reason);
    },
  });

export default [
  // With neither match, limit nor version a list is up to date.
  mostRecent('lists.rv.match-unset.no-limit.unset', {}),
  // With neither match nor limit a list at `0` may be of any age.
  anyVersion('lists.rv.match-unset.no-limit.zero', {}),
  // With neither match nor limit a list at a version is at least as new as that.
  notOlderThan('lists.rv.match-unset.no-limit.nonzero', {}),
  // With a limit alone a list is up to date.
  mostRecent('lists.rv.match-unset.limit.unset', limited),
  // With a limit and no match a first page at `0` may be of any age.
  anyVersion('lists.rv.match-unset.limit.zero', limited),
  // With a limit and no match a first page at a version shows that very version.
  exactly('lists.rv.match-unset.limit.nonzero', limited),
  // `Exact` alone, without a version, is refused.
  invalid('lists.rv.exact.no-limit.unset', exact),
  // `Exact` at `0` is refused.
  invalid('lists.rv.exact.no-limit.zero', { ...exact, resourceVersion: 0 }),
  // `Exact` at a version shows that very version.
  exactly('lists.rv.exact.no-limit.nonzero', exact),
  // `Exact` with a limit, without a version, is refused.
  invalid('lists.rv.exact.limit.unset', { ...exact, ...limited }),
  // `Exact` with a limit at `0` is refused.
  invalid('lists.rv.exact.limit.zero', { ...exact, ...limited, resourceVersion: 0 }),
  // `Exact` with a limit at a version gives a page of that very version.
  exactly('lists.rv.exact.limit.nonzero', { ...exact, ...limited }),
  // `NotOlderThan` alone, without a version, is refused.
  invalid('lists.rv.not-older.no-limit.unset', notOlder),
  // `NotOlderThan` at `0` may be of any age.
  anyVersion('lists.rv.not-older.no-limit.zero', notOlder),
  // `NotOlderThan` at a version is at least as new as that.
  notOlderThan('lists.rv.not-older.no-limit.nonzero', notOlder),
  // `NotOlderThan` with a limit, without a version, is refused.
  invalid('lists.rv.not-older.limit.unset', { ...notOlder, ...limited }),
  // `NotOlderThan` with a limit at `0` may be of any age.
  anyVersion('lists.rv.not-older.limit.zero', { ...notOlder, ...limited }),
  // `NotOlderThan` with a limit at a version is at least as new as that.
  notOlderThan('lists.rv.not-older.limit.nonzero', { ...notOlder, ...limited }),

  // A page by token shows the version of the first page.
  defineRule('lists.rv.continue.unset', {
    ...everyKind,
    sabotage: changeAnswer(
      'shows the newest state',
      (body) => ({ ...body, items: [...body.items, { metadata: { name: 'item-9' } }] }),
      { ...lists, query: { continue: true } },
    ),
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      const made = (await objects.createMany(3)).map(nameOf);
      const first = await viewed.list({ limit: 1 });
      await objects.createMany(1, {}, 'item-9');
      const answer = await viewed.getAll({ limit: 10, continue: first.metadata.continue });
      expect(answer.status).toBe(200);
      expect(namesOf(answer.body)).toEqual(made.slice(1));
      expect(answer.body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    },
  }),

  // A page by token at `0`, though not allowed, is served as one without a version.
  defineRule('lists.rv.continue.zero', {
    ...everyKind,
    sabotage: [
      answerStatus(400, { ...lists, query: { continue: true, resourceVersion: '0' } }),
      ignoreQuery('continue', { ...lists, query: { resourceVersion: '0' } }),
      ignoreQuery('limit', { ...lists, query: { limit: '1', resourceVersion: '0' } }),
    ],
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      const made = (await objects.createMany(3)).map(nameOf);
      const first = await viewed.list({ limit: 1 });
      await objects.createMany(1, {}, 'item-9');
      const answer = await viewed.getAll({ limit: 10, continue: first.metadata.continue, resourceVersion: 0 });
      expect(answer.status).toBe(200);
      expect(namesOf(answer.body)).toEqual(made.slice(1));
      expect(versionOf(answer.body), 'the version of the first page').toBe(versionOf(first));
      const next = await viewed.list({ limit: 1, continue: first.metadata.continue, resourceVersion: 0 });
      expect(namesOf(next), 'a page of one').toEqual(made.slice(1, 2));
    },
  }),

  // A page by token at a version is answered 400.
  defineRule('lists.rv.continue.nonzero', {
    ...everyKind,
    sabotage: ignoreQuery('resourceVersion', { ...lists, query: { continue: true } }),
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      await objects.createMany(3);
      const { metadata } = await viewed.list({ limit: 1 });
      const { resourceVersion, continue: token } = metadata;
      const answer = await viewed.getAll({ limit: 1, continue: token, resourceVersion });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'BadRequest' });
    },
  }),
];
