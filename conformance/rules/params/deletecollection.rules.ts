import type { Expect } from '../../assertions.ts';
import { otherListForms } from '../../checks/lists/selecting-forms.ts';
import { unfitFields, unfitLabels } from '../../checks/lists/selections.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeRequest, forceQuery, ignoreQuery, loseWrite } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { onNoNode } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';
import { removableKinds } from '../../verbs/subjects.ts';
import type { WatchEvent } from '../../verbs/watch.ts';

const deletes = { method: 'DELETE', path: /\/secrets$/ };
const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
const background = { propagationPolicy: 'Background' };
/** The policies that hold an object back, and by what. */
const holding = { Foreground: 'foregroundDeletion', Orphan: 'orphan' };
/** A label of the colour, and one of the name of the colour. */
const coloured = (colour: string) => ({ metadata: { labels: { colour, [colour]: 'yes' } } });
/** All of these select what is red; of several terms each alone would select what is blue as well, but for one. */
const selectors = [
  ...['colour=red', 'colour in (red,green)', 'colour!=blue', 'colour notin (blue)'],
  ...['red', 'colour,!blue', '!blue,colour', 'colour,red=yes'],
];

/** Where a deletecollection takes nothing but the rule's own objects. */
const own = (objects: Collection): Collection => objects.viewed('labels');

/** What is asked for by nonsense deletes nothing. Where others have objects as well nobody is asked to. */
async function sparesAll(
  objects: Collection,
  expect: Expect,
  name: 'labelSelector' | 'fieldSelector' | 'continue',
  unfit: readonly string[],
): Promise<void> {
  if (!objects.at.namespaced) return;
  const before = namesOf(await own(objects).list());
  for (const text of unfit)
    expect((await own(objects).deleteAll({ query: { ...background, [name]: text } })).status, text).toBe(400);
  expect(namesOf(await own(objects).list()), 'after all that').toEqual(before);
}

/** Parameters that only have to be taken, where they are of their type: the collection is deleted with them as without. */
const accepted: Readonly<Record<string, Json>> = {
  'params.deletecollection.grace-period-seconds': { gracePeriodSeconds: 0 },
  'params.deletecollection.pretty': { pretty: 'true' },
  'params.deletecollection.timeout-seconds': { timeoutSeconds: 20 },
  'params.deletecollection.no-watch': { watch: 1 },
};

const acceptedRules = Object.entries(accepted).map(([id, query]) => {
  const [name = ''] = Object.keys(query);
  const integers = name.endsWith('Seconds');
  return defineRule(id, {
    matrix: { kind: removableKinds },
    sabotage: [
      answerStatus(400, { ...deletes, query: { [name]: true } }),
      loseWrite(deletes),
      ...(integers ? [ignoreQuery(name, { method: 'DELETE', path: /s$/ })] : []),
    ],
    async check({ objects, expect }, { kind }) {
      // A pod with a node would have half a minute otherwise.
      const bound = kind.name === 'pods' && name === 'gracePeriodSeconds';
      await objects.createMany(2, bound ? onNoNode : {});
      if (integers) {
        const refused = await own(objects).deleteAll({ query: { ...background, [name]: 'soon' } });
        expect(refused.status, 'no integer').toBe(400);
        expect((await own(objects).list()).items, 'no integer: what is left').toHaveLength(2);
      }
      const answer = await own(objects).deleteAll({ query: { ...background, ...query } });
      expect(answer.status, said(answer)).toBe(200);
      expect((await own(objects).list()).items).toEqual([]);
    },
  });
});

export default [
  ...acceptedRules,

  // A deletecollection takes `propagationPolicy`.
  defineRule('params.deletecollection.propagation-policy', {
    matrix: { kind: removableKinds, place: ['query', 'body'] },
    sabotage: [
      answerStatus(400, { ...deletes, query: { propagationPolicy: true } }),
      loseWrite(deletes),
      ignoreQuery('propagationPolicy', { method: 'DELETE', path: /s$/ }),
      changeRequest('forgets the policy in the body', ({ propagationPolicy: _, ...rest }) => rest, deletes),
      ignoreQuery('propagationPolicy', { ...deletes, query: { propagationPolicy: 'Sideways' } }),
      ignoreQuery('propagationPolicy', { ...deletes, header: { accept: /as=Table/ } }),
    ],
    async check(context, { kind, place }) {
      const { objects, expect } = context;
      const listed = otherListForms(context, kind);
      const forms = place === 'body' ? listed.toReversed() : listed;
      const send = (propagationPolicy: string, accept = '*/*') =>
        own(objects).deleteAll({
          headers: { accept },
          ...(place === 'query' ? { query: { propagationPolicy } } : { body: { ...options, propagationPolicy } }),
        });
      const removeAll = async (propagationPolicy: string, accept?: string) => {
        const answer = await send(propagationPolicy, accept);
        expect(answer.status, `${propagationPolicy}: ${said(answer)}`).toBe(200);
      };
      await objects.createMany(2);
      const bad = await send('Sideways');
      expect([400, 422], 'no policy').toContain(bad.status);
      expect((await own(objects).list()).items, 'no policy: what is left').toHaveLength(2);
      await removeAll('Background');
      expect((await own(objects).list()).items, 'Background').toEqual([]);
      // A finalizer of our own keeps it; a collector may be quick to take the policy's away again.
      for (const [index, [policy, finalizer]] of kind.owns ? Object.entries(holding).entries() : []) {
        const { metadata } = await objects.create({ metadata: { finalizers: ['example.com/one'] } });
        const watch = await own(objects).watch({ resourceVersion: metadata.resourceVersion });
        await removeAll(policy, forms[index % forms.length]);
        const isMarked = ({ object }: WatchEvent): boolean =>
          nameOf(object) === metadata.name && object.metadata.deletionTimestamp !== undefined;
        const { object } = await watch.next(`it is marked, ${policy}`, isMarked);
        watch.close();
        await objects.patch(metadata.name, { metadata: { finalizers: null } });
        expect(object.metadata.finalizers, policy).toEqual(expect.arrayContaining(['example.com/one', finalizer]));
      }
    },
  }),

  // A deletecollection takes `resourceVersion`.
  defineRule('params.deletecollection.resource-version', {
    matrix: { kind: removableKinds },
    sabotage: [answerStatus(400, { ...deletes, query: { resourceVersion: true } }), loseWrite(deletes)],
    async check({ objects, expect }) {
      const object = await objects.create();
      // A genuine server takes the version for a precondition on each object.
      const query = { ...background, resourceVersion: versionOf(object) };
      const answer = await own(objects).deleteAll({ query });
      expect([200, 409], said(answer)).toContain(answer.status);
      const left = (await own(objects).list()).items;
      expect(left, 'what is left').toHaveLength(answer.status === 200 ? 0 : 1);
    },
  }),

  // DeleteOptions may be sent with a deletecollection or left out.
  defineRule('params.deletecollection.body', {
    matrix: { kind: removableKinds },
    sabotage: [
      answerStatus(400, { ...deletes, body: /DeleteOptions/ }),
      answerStatus(200, { ...deletes, instead: 409 }),
      loseWrite({ ...deletes, body: /DeleteOptions/ }),
    ],
    async check({ objects, expect }) {
      const other = { ...options, ...background, apiVersion: 'meta.k8s.io/v1' };
      for (const body of [undefined, { ...options, ...background }, other]) {
        await objects.createMany(2);
        const answer = await own(objects).deleteAll({ query: background, body });
        expect(answer.status, body ? 'with options' : 'without').toBe(200);
        expect((await own(objects).list()).items).toEqual([]);
      }
      const { metadata } = await objects.create();
      const bound = (uid: string) =>
        own(objects).deleteAll({ body: { ...options, ...background, preconditions: { uid } } });
      const refused = await bound('00000000-0000-0000-0000-000000000000');
      expect(refused.status, 'options that no object fits').toBe(409);
      const dry = await own(objects).deleteAll({ body: { ...options, ...background, dryRun: ['All'] } });
      expect(dry.status, 'options for a dry run').toBe(200);
      expect((await own(objects).list()).items, 'what is left').toHaveLength(1);
      const second = await objects.create();
      expect((await bound(metadata.uid)).status, 'options that one object fits').toBe(409);
      expect((await objects.get(nameOf(second))).status, 'the one that does not fit').toBe(200);
    },
  }),

  // A deletecollection takes `continue`.
  defineRule('params.deletecollection.continue', {
    matrix: { kind: removableKinds },
    sabotage: ignoreQuery('continue', deletes),
    async check({ objects, expect }) {
      const made = (await objects.createMany(3)).map(nameOf);
      const page = await own(objects).list({ limit: 1 });
      const query = { ...background, limit: 1, continue: page.metadata.continue };
      expect((await own(objects).deleteAll({ query })).status).toBe(200);
      expect(namesOf(await own(objects).list())).toEqual([made[0], made[2]]);
      await sparesAll(objects, expect, 'continue', ['none']);
    },
  }),

  // A deletecollection with `dryRun=All` leaves everything in place.
  defineRule('params.deletecollection.dry-run', {
    matrix: { kind: removableKinds },
    sabotage: ignoreQuery('dryRun', deletes),
    async check({ objects, expect }) {
      await objects.createMany(2);
      expect((await own(objects).deleteAll({ query: { ...background, dryRun: 'All' } })).status).toBe(200);
      const { items } = await own(objects).list();
      expect(items).toHaveLength(2);
      for (const { metadata } of items) expect(metadata.deletionTimestamp).toBeUndefined();
    },
  }),

  // A deletecollection with `fieldSelector` spares what does not match.
  defineRule('params.deletecollection.field-selector', {
    matrix: { kind: removableKinds },
    sabotage: [
      ignoreQuery('fieldSelector', deletes),
      ignoreQuery('fieldSelector', { ...deletes, header: { accept: /protobuf/ } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const forms = ['*/*', ...otherListForms(context, kind)];
      const [last, spared, ...made] = (await objects.createMany(forms.length + 2)).map(nameOf);
      for (const [index, accept] of forms.entries()) {
        const query = { ...background, fieldSelector: `metadata.name=${made[index]}` };
        expect((await own(objects).deleteAll({ query, headers: { accept } })).status, accept).toBe(200);
        expect(namesOf(await own(objects).list()), accept).toEqual([last, spared, ...made.slice(index + 1)]);
      }
      const others = { ...background, fieldSelector: `metadata.name!=${last}` };
      expect((await own(objects).deleteAll({ query: others })).status, 'all but one').toBe(200);
      expect(namesOf(await own(objects).list())).toEqual([last]);
      await sparesAll(objects, expect, 'fieldSelector', unfitFields);
    },
  }),

  // A deletecollection with `labelSelector` spares what does not match.
  defineRule('params.deletecollection.label-selector', {
    matrix: { kind: removableKinds },
    sabotage: [
      ignoreQuery('labelSelector', deletes),
      ignoreQuery('labelSelector', { method: 'DELETE', path: /\/jobs$/ }),
      forceQuery('labelSelector', 'colour', { ...deletes, query: { labelSelector: /!blue/ } }),
      ignoreQuery('labelSelector', { ...deletes, header: { accept: /protobuf/ } }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const blue = (await objects.createMany(2, coloured('blue'), 'blue')).map(nameOf);
      const forms = ['*/*', ...otherListForms(context, kind)];
      for (const [index, labelSelector] of selectors.entries()) {
        await objects.createMany(1, coloured('red'), 'red');
        const headers = { accept: forms[index % forms.length] as string };
        const { status } = await own(objects).deleteAll({ query: { ...background, labelSelector }, headers });
        expect(status, labelSelector).toBe(200);
        expect(namesOf(await own(objects).list()).sort(), labelSelector).toEqual(blue);
      }
      await sparesAll(objects, expect, 'labelSelector', unfitLabels);
    },
  }),

  // A deletecollection takes the integer `limit`.
  defineRule('params.deletecollection.limit', {
    matrix: { kind: removableKinds },
    sabotage: ignoreQuery('limit', deletes),
    async check({ objects, expect }) {
      await objects.createMany(3);
      expect((await own(objects).deleteAll({ query: { ...background, limit: 1 } })).status).toBe(200);
      expect((await own(objects).list()).items).toHaveLength(2);
    },
  }),

  // A deletecollection takes `resourceVersionMatch`.
  defineRule('params.deletecollection.resource-version-match', {
    matrix: { kind: removableKinds },
    sabotage: ignoreQuery('resourceVersionMatch', deletes),
    async check({ objects, expect }) {
      await objects.createMany(2);
      const refused = await own(objects).deleteAll({ query: { ...background, resourceVersionMatch: 'Exact' } });
      expect([400, 422], 'without a version').toContain(refused.status);
      expect((await own(objects).list()).items).toHaveLength(2);
    },
  }),
];
