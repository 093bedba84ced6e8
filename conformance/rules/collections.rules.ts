import { parse } from 'yaml';
import { listsWhatIsLong } from '../checks/lists/long-lists.ts';
import { defineRule } from '../rule.ts';
import { changeAnswer, removeIn, replaceIn } from '../sabotage/transforms.ts';
import { apiVersionOf } from '../verbs/kinds.ts';
import { nameOf, namesOf } from '../verbs/states.ts';
import { generalKinds, seen, views } from '../verbs/subjects.ts';

const lists = { method: 'GET', path: /\/(roles|secrets)$/ };
const everyKind = { matrix: { kind: generalKinds, view: views }, where: seen } as const;

export default [
  // The kind of a collection is the kind of its members with `List` appended.
  defineRule('collections.kind', {
    ...everyKind,
    sabotage: [
      replaceIn('kind', { ...lists, with: 'List' }),
      replaceIn('apiVersion', { method: 'GET', path: /\/ingressclasses$/ }),
    ],
    async check({ objects, expect }, { view }) {
      const { body } = await objects.viewed(view).getAll();
      expect(body?.kind).toBe(`${objects.at.kind}List`);
      expect(body.apiVersion).toBe(apiVersionOf(objects.at));
    },
  }),

  // A collection comes with list metadata.
  defineRule('collections.metadata', {
    ...everyKind,
    sabotage: [removeIn('metadata', lists), removeIn('metadata', { method: 'GET', path: /\/events$/ })],
    async check({ objects, expect }, { view }) {
      await objects.create();
      const { metadata } = (await objects.viewed(view).getAll()).body;
      expect(metadata).toBeTypeOf('object');
      expect(metadata.resourceVersion).toBeTypeOf('string');
    },
  }),

  // A collection has an array `items`, even when nothing is in it.
  defineRule('collections.items', {
    ...everyKind,
    sabotage: [undefined, null].map((items) =>
      changeAnswer(
        `has ${items} items when there are none`,
        (body) => (body.items?.length === 0 ? { ...body, items } : body),
        items === null ? { ...lists, query: { pretty: true } } : lists,
      ),
    ),
    async check(context, { kind, view }) {
      const { objects, expect } = context;
      const viewed = objects.viewed(view);
      const empty = await viewed.getAll();
      expect(empty.status).toBe(200);
      expect(empty.body.items, 'of an empty collection').toEqual([]);
      const indented = await viewed.getAll({ pretty: 'true' });
      expect(indented.body.items, 'of an empty collection, indented').toEqual([]);
      const yaml = await viewed.getAll('', { headers: { accept: 'application/yaml' } });
      if (yaml.status !== 406) expect(parse(yaml.text)?.items, 'of an empty collection, in YAML').toEqual([]);
      await objects.create();
      expect((await viewed.getAll()).body.items, 'of one object').toHaveLength(1);
      expect((await viewed.getAll({ limit: 1 })).body.items, 'of one page').toHaveLength(1);
      if (kind.name === 'secrets' && view === 'labels')
        await listsWhatIsLong(context, objects.in(await context.extraNamespace()));
    },
  }),

  // A collection never mixes kinds.
  defineRule('collections.items-of-kind', {
    ...everyKind,
    sabotage: [
      changeAnswer(
        'mixes kinds',
        (body) => ({ ...body, items: [...(body.items ?? []), { kind: 'ConfigMap', metadata: { name: 'alien' } }] }),
        lists,
      ),
      removeIn('items.*.apiVersion', { method: 'GET', path: /\/t[a-z0-9]+s$/ }),
    ],
    async check({ objects, configMaps, serviceAccounts, expect }, { kind, view }) {
      const made = await objects.createMany(2);
      // Others that the same selectors fit.
      const { labels } = made[0].metadata;
      for (const others of [configMaps, serviceAccounts])
        if (others.at.resource !== objects.at.resource) await others.create({ metadata: { labels } });
      const list = await objects.viewed(view).list();
      expect(namesOf(list).sort()).toEqual(made.map(nameOf));
      for (const item of list.items) {
        // Those of built-in kinds are told by the list alone.
        if (kind.custom || item.kind !== undefined) expect(item.kind).toBe(objects.at.kind);
        if (kind.custom) expect(item.apiVersion).toBe(apiVersionOf(objects.at));
      }
    },
  }),
];
