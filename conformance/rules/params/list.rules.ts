import { endsInTime, lastsIdle } from '../../checks/lists/ended-watches.ts';
import { isIndented, quoted } from '../../checks/lists/indented.ts';
import { selectsByOwnFields } from '../../checks/lists/kind-selections.ts';
import { forWatches, hearTheirOwn, listsSelected, watched, watchesSelected } from '../../checks/lists/selected.ts';
import { selectsComponents } from '../../checks/lists/selected-components.ts';
import { selectsByFieldsOfEvents } from '../../checks/lists/selected-events.ts';
import { inForms, listsInForms, selectsInForms } from '../../checks/lists/selecting-forms.ts';
import {
  fieldSelections,
  labelSelections,
  listed,
  longSelector,
  makeChosen,
  refusesUnfit,
  type Selection,
  selectsUnlabelled,
  takesNothing,
  unfitFields,
  unfitLabels,
} from '../../checks/lists/selections.ts';
import { tellsSelected } from '../../checks/lists/told-changes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeAnswer, forceQuery, ignoreQuery, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';
import { allKinds, furtherKinds, generalKinds } from '../../verbs/subjects.ts';

const lists = { method: 'GET', path: /\/secrets$/ };
const everyKind = { matrix: { kind: generalKinds } } as const;

export default [
  // A list takes the boolean `allowWatchBookmarks`.
  defineRule('params.list.allow-watch-bookmarks', {
    ...everyKind,
    sabotage: [
      answerStatus(400, { ...lists, query: { allowWatchBookmarks: true } }),
      changeAnswer(
        'puts a bookmark behind the items',
        ({ items = [], ...list }) => ({ ...list, items: [...items, {}] }),
        {
          ...lists,
          query: { allowWatchBookmarks: 'true' },
        },
      ),
    ],
    async check({ objects, expect }) {
      await objects.createMany(2);
      for (const value of ['true', 'false']) {
        const answer = await objects.getAll({ allowWatchBookmarks: value });
        expect(answer.status, value).toBe(200);
        expect(answer.body.items, value).toHaveLength(2);
      }
    },
  }),

  // A list takes the string `continue`.
  defineRule('params.list.continue', {
    ...everyKind,
    sabotage: [
      ignoreQuery('continue', lists),
      ignoreQuery('continue', { method: 'GET', path: /\/clusterroles$/ }),
      answerStatus(400, { method: 'GET', query: { continue: '' } }),
      ignoreQuery('continue', { method: 'GET', header: { accept: /PartialObjectMetadata/ } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const made = (await objects.createMany(3)).map(nameOf);
      const first = await objects.list({ limit: 2 });
      expect(namesOf(first)).toEqual(made.slice(0, 2));
      const second = await objects.getAll({ limit: 2, continue: first.metadata.continue });
      expect(second.status).toBe(200);
      expect(namesOf(second.body)).toEqual(made.slice(2));
      const rest = { limit: 2, continue: first.metadata.continue };
      if (inForms.includes(kind)) await listsInForms(context, kind, objects, rest, made.slice(2));
      expect((await objects.getAll({ limit: 2, continue: 'none' })).status, 'no token').toBe(400);
      await takesNothing(objects, expect, 'continue', made);
    },
  }),

  // A list takes the string `fieldSelector` and leaves out what does not match.
  defineRule('params.list.field-selector', {
    matrix: { kind: allKinds },
    sabotage: [
      ignoreQuery('fieldSelector', lists),
      ignoreQuery('labelSelector', { method: 'GET', query: { fieldSelector: /=/ } }),
      ignoreQuery('fieldSelector', { method: 'GET', path: /\/leases$/, query: { watch: true } }),
      ignoreQuery('fieldSelector', { method: 'GET', header: { accept: /as=Table/ } }),
      ignoreQuery('fieldSelector', { method: 'GET', header: { accept: /protobuf/ }, query: { watch: true } }),
      ignoreQuery('fieldSelector', { method: 'GET', query: { fieldSelector: /fieldPath=$/ } }),
      ignoreQuery('fieldSelector', { method: 'GET', header: { 'sec-websocket-key': /./ } }),
      ignoreQuery('fieldSelector', { method: 'GET', query: { fieldSelector: /namespace=default$/ } }),
      answerStatus(400, { method: 'GET', query: { fieldSelector: /\\/ } }),
      answerStatus(400, { method: 'GET', path: /\/secrets$/, query: { fieldSelector: '' } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const chosen = await makeChosen(objects);
      const selections = fieldSelections(chosen);
      if (furtherKinds.includes(kind)) return listsSelected(context, kind, selections.slice(0, 2), chosen.names);
      await takesNothing(objects, expect, 'fieldSelector', chosen.names);
      await refusesUnfit(objects, expect, 'fieldSelector', unfitFields);
      await listsSelected(context, kind, selections, chosen.names);
      const both = selections.find(({ query, left }) => Object.keys(query).length > 1 && left[0] === 2) as Selection;
      await watchesSelected(context, kind, [...forWatches(selections), both], chosen.names);
      if (objects.at.namespaced) {
        const everywhere = objects.viewed('everywhere');
        const [one] = selections as [Selection];
        expect(await listed(everywhere, one.query), 'in all namespaces').toEqual([chosen.names[0]]);
        expect(await watched(everywhere, one), 'a watch in all namespaces').toEqual([chosen.names[0]]);
      }
      const inPages = selections.find(({ left }) => left.length === 2) as Selection;
      expect(await listed(objects, inPages.query, 1), 'in pages').toEqual(chosen.names.slice(1));
      if (inForms.includes(kind)) await selectsInForms(context, kind, inPages.query, chosen.names.slice(1));
      if (inForms.includes(kind)) await hearTheirOwn(context, chosen.names);
      await selectsByOwnFields(context, kind);
      if (kind.name === 'events') await selectsByFieldsOfEvents(context);
      if (kind.name === 'clusterroles') await selectsComponents(context);
    },
  }),

  // A list takes the string `labelSelector` and leaves out what does not match.
  defineRule('params.list.label-selector', {
    matrix: { kind: allKinds },
    sabotage: [
      ignoreQuery('labelSelector', lists),
      forceQuery('labelSelector', 'colour', { method: 'GET', query: { labelSelector: /notin|!/ } }),
      forceQuery('labelSelector', 'empty=red', { method: 'GET', query: { labelSelector: /,\)/ } }),
      forceQuery('labelSelector', 'count>90', { method: 'GET', query: { labelSelector: />9/ } }),
      ignoreQuery('labelSelector', { method: 'GET', path: /\/leases$/, query: { watch: true } }),
      ignoreQuery('labelSelector', { method: 'GET', path: /\/statefulsets$/ }),
      answerStatus(400, { method: 'GET', query: { labelSelector: '' } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const { names } = await makeChosen(objects);
      if (furtherKinds.includes(kind)) return listsSelected(context, kind, labelSelections.slice(0, 3), names);
      await listsSelected(context, kind, labelSelections, names);
      await watchesSelected(context, kind, forWatches(labelSelections), names);
      await refusesUnfit(objects, expect, 'labelSelector', unfitLabels);
      expect(await listed(objects, { labelSelector: longSelector }), 'of ten kilobytes').toEqual([names[0]]);
      const labelSelector = 'colour!=red';
      expect(await listed(objects, { labelSelector }, 1), 'in pages').toEqual(names.slice(1));
      if (inForms.includes(kind)) await selectsInForms(context, kind, { labelSelector }, names.slice(1));
      if (objects.at.namespaced && !kind.crowded) await selectsUnlabelled(objects, expect, names);
      if (kind.name === 'secrets') await tellsSelected(context);
    },
  }),

  // A list takes the integer `limit`.
  defineRule('params.list.limit', {
    ...everyKind,
    sabotage: [
      ignoreQuery('limit', lists),
      ignoreQuery('limit', { method: 'GET', path: /\/roles$/ }),
      answerStatus(200, { ...lists, query: { limit: 'some' }, instead: 400 }),
      ignoreQuery('limit', { method: 'GET', header: { accept: /protobuf/ } }),
      forceQuery('limit', '1', { ...lists, query: { limit: /^(-1|\d{10})$/ } }),
      answerStatus(400, { ...lists, query: { unheardOf: true } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const made = (await objects.createMany(3)).map(nameOf);
      for (const limit of [1, 2]) {
        const answer = await objects.getAll({ limit });
        expect(answer.status, `limit=${limit}`).toBe(200);
        expect(answer.body.items, `limit=${limit}`).toHaveLength(limit);
      }
      if (inForms.includes(kind)) await listsInForms(context, kind, objects, { limit: 2 }, made.slice(0, 2));
      // An integer has 64 bits: of this one 32 are a one.
      for (const limit of [0, -1, 2 ** 32 + 1])
        expect((await objects.getAll({ limit })).body?.items, `limit=${limit}`).toHaveLength(3);
      expect((await objects.getAll({ limit: 'some' })).status, 'no integer').toBe(400);
      expect((await objects.getAll({ limit: 2, unheardOf: 1 })).status, 'beside another').toBe(200);
    },
  }),

  // A list takes the string `pretty`.
  defineRule('params.list.pretty', {
    ...everyKind,
    sabotage: [
      answerStatus(400, { ...lists, query: { pretty: true } }),
      ignoreQuery('pretty', lists),
      removeIn('items.*.metadata.managedFields', { ...lists, query: { pretty: 'true' } }),
    ],
    async check({ objects, expect }, { kind }) {
      const made = (await objects.createMany(2, quoted)).map(nameOf);
      const plain = await objects.list();
      for (const pretty of ['true', 'false']) {
        const answer = await objects.getAll({ pretty });
        expect(answer.status, pretty).toBe(200);
        expect(namesOf(answer.body), pretty).toEqual(made);
        for (const item of answer.body.items) expect(item, pretty).toMatchObject(quoted);
        if (!kind.busy) expect(answer.body.items, pretty).toEqual(plain.items);
        expect(isIndented(answer), `pretty=${pretty}: in lines that are indented`).toBe(pretty === 'true');
      }
    },
  }),

  // A list takes the string `resourceVersion`.
  defineRule('params.list.resource-version', {
    ...everyKind,
    sabotage: [
      answerStatus(400, { ...lists, query: { resourceVersion: true } }),
      answerStatus(400, { method: 'GET', query: { resourceVersion: '' } }),
      replaceIn('items', { ...lists, query: { resourceVersion: true } }),
    ],
    async check({ objects, expect }) {
      const made = await objects.createMany(2);
      const answer = await objects.getAll({ resourceVersion: versionOf(made[1]) });
      expect(answer.status).toBe(200);
      // In any order: what is not older may come from a cache.
      expect(namesOf(answer.body).sort()).toEqual(made.map(nameOf));
      await takesNothing(objects, expect, 'resourceVersion', made.map(nameOf));
      for (const query of [{}, { watch: '1', timeoutSeconds: 1 }])
        expect((await objects.getAll({ ...query, resourceVersion: 'none' })).status).toBeGreaterThanOrEqual(400);
    },
  }),

  // A list takes the string `resourceVersionMatch`.
  defineRule('params.list.resource-version-match', {
    ...everyKind,
    sabotage: [
      ignoreQuery('resourceVersionMatch', lists),
      ignoreQuery('resourceVersionMatch', { method: 'GET', path: /\/ingressclasses$/ }),
    ],
    async check({ objects, expect }) {
      const first = nameOf(await objects.create());
      const { metadata } = await objects.list();
      await objects.create();
      const query = { resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' };
      for (const limit of [{}, { limit: 1 }]) {
        const answer = await objects.getAll({ ...query, ...limit });
        expect(answer.status, said(answer)).toBe(200);
        expect(namesOf(answer.body), `Exact ${JSON.stringify(limit)}`).toEqual([first]);
      }
    },
  }),

  // A list takes the integer `timeoutSeconds`, after which a watch is over.
  defineRule('params.list.timeout-seconds', {
    ...everyKind,
    sabotage: [
      ignoreQuery('timeoutSeconds', lists),
      ignoreQuery('timeoutSeconds', { method: 'GET', query: { fieldSelector: true } }),
      ignoreQuery('timeoutSeconds', { method: 'GET', query: { allowWatchBookmarks: true } }),
      ignoreQuery('timeoutSeconds', { method: 'GET', header: { 'sec-websocket-key': /./ } }),
      answerStatus(200, { ...lists, query: { timeoutSeconds: 'soon' }, instead: 400 }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      for (const query of [{}, { watch: '1' }])
        expect((await objects.getAll({ ...query, timeoutSeconds: 'soon' })).status, 'no integer').toBe(400);
      await endsInTime(context);
      if (kind.name === 'secrets') await lastsIdle(context);
    },
  }),

  // A list takes the boolean `watch`, and with false stays a list.
  defineRule('params.list.watch', {
    ...everyKind,
    sabotage: [
      answerStatus(400, { ...lists, query: { watch: 'false' } }),
      ignoreQuery('watch', { ...lists, query: { watch: 'true' } }),
      ignoreQuery('watch', { method: 'GET', path: /\/t[a-z0-9]+s$/, query: { watch: 'true' } }),
      forceQuery('watch', 'true', { ...lists, query: { watch: '0' } }),
    ],
    async check({ objects, expect }) {
      await objects.createMany(2);
      const viewed = objects.viewed('labels');
      for (const no of ['false', 'False', '0']) {
        const list = await viewed.getAll({ watch: no, timeoutSeconds: '1' });
        expect(list.status, `watch=${no}`).toBe(200);
        expect(list.body?.items, `watch=${no}`).toHaveLength(2);
      }
      const watch = await viewed.watch({ watch: 'true' });
      expect(await watch.next('the first event')).toMatchObject({ type: 'ADDED' });
    },
  }),
];
