import { meansWhatItSays } from '../checks/apply/meant-patches.ts';
import { changesNothing } from '../checks/apply/patches-of-nothing.ts';
import { changesOwners } from '../checks/life/owner-changes.ts';
import { staysWhatItIs } from '../checks/requests/astray.ts';
import { allChangesStay } from '../checks/requests/at-once.ts';
import { isNotAllowed } from '../checks/requests/made-alone.ts';
import { fits, mainWrites } from '../checks/requests/writes.ts';
import { heldFrom } from '../holds-for.ts';
import { defineRule } from '../rule.ts';
import {
  answerStatus,
  answerWith,
  changeMethod,
  editEvent,
  forceQuery,
  loseWrite,
  notFound,
  redirectPath,
  requestHeader,
} from '../sabotage/transforms.ts';
import type { Answer, Json } from '../verbs/client.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { merged } from '../verbs/merged.ts';
import type { PatchType } from '../verbs/patch-types.ts';
import { said } from '../verbs/said.ts';
import { isReady, nameOf, versionOf } from '../verbs/states.ts';
import { allKinds, changeOf, generalKinds, marking, named, removableKinds, type Subject } from '../verbs/subjects.ts';
import { readRules } from './read-rules.ts';
import { updateRules } from './update-rules.ts';
import { keepsWhatElementsLose, mergesNoEmptyMaps, movesTooShort, readsInSmallLetters } from './write-sabotages.ts';

const item = /\/secrets\/[^/]+$/;
const collection = /\/secrets$/;
const background = { query: { propagationPolicy: 'Background' } };
const kept = { metadata: { annotations: { 'example.com/before': 'schön e\u0301 ✓ 語 😀' } } };
/** Of which there are more at once than a server may work on. */
const many = named('secrets', 'roles', 'widgets');

const since = (list: Json): Json => ({ resourceVersion: versionOf(list) });

/** So many nodes are asked at once. */
const several = 10;
const inCapitals = (object: Json): Json => merged(object, { metadata: { name: nameOf(object).toUpperCase() } });
const isGood = ({ status }: Answer): boolean => status === 200;

/** Without those that are on their way, where more than the request is needed to remove an object; none is that is held. */
const standing = ({ lingers }: Subject, items: readonly Json[]): readonly Json[] =>
  items.filter((item) => !lingers || nameOf(item) === 'b-held' || !item.metadata.deletionTimestamp);

/** What is applied is not made where there is no place for it, nor in place of what was meant and is gone. */
async function appliesToNothing({ unique, version, expect }: RuleContext, objects: Collection): Promise<void> {
  const draft = await objects.draft();
  if (objects.at.namespaced) {
    const place = unique('nowhere');
    const astray = merged(draft, { metadata: { namespace: undefined } });
    const { status } = await objects.in(place).tryApply(nameOf(draft), astray, 'applier');
    expect(status, 'in a namespace that is not there').toBe(404);
  }
  if (heldFrom({ from: 25 }, version)) return;
  const gone = merged(draft, { metadata: { uid: '00000000-0000-0000-0000-000000000000' } });
  const { status } = await objects.tryApply(nameOf(draft), gone, 'applier');
  expect([409, 422], `of what is gone, by its uid: ${status}`).toContain(status);
  expect((await objects.get(nameOf(draft))).status, 'what is gone').toBe(404);
}

/** How the patches among the writes are sent. */
const patchTypeOf: Readonly<Record<string, PatchType>> = {
  'merge patch': 'merge',
  'JSON patch': 'json',
  'strategic merge patch': 'strategic',
  apply: 'apply',
};

export default [
  ...readRules,

  // A POST to a collection makes a new object.
  defineRule('verbs.create', {
    matrix: { kind: generalKinds },
    sabotage: [
      loseWrite({ method: 'POST', path: collection }),
      answerStatus(405, { method: 'POST', path: collection }),
      loseWrite({ method: 'POST', path: /\/ingressclasses$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const body = await objects.draft(kept);
      const answer = await objects.post(body);
      expect([200, 201, 202]).toContain(answer.status);
      const stored = await objects.get(body.metadata.name);
      expect(stored.status, 'GET of the new object').toBe(200);
      expect(stored.body, 'what was sent').toMatchObject(kind.name === 'namespaces' ? kept : body);
      if (!kind.busy) expect(stored.body).toEqual(answer.body);
    },
  }),

  ...updateRules,

  // A PATCH to an object's path changes parts of it.
  defineRule('verbs.patch', {
    matrix: { kind: generalKinds, write: mainWrites.filter(({ verb }) => verb === 'patch') },
    where: fits,
    sabotage: [
      loseWrite({ method: 'PATCH', path: item }),
      loseWrite({ method: 'PATCH', path: /\/ingresses\//, header: { 'content-type': /strategic/ } }),
      requestHeader('content-type', 'application/merge-patch+json', { header: { 'content-type': /strategic/ } }),
      answerStatus(200, { method: 'PATCH', header: { 'content-type': /json-patch/ }, instead: 422 }),
      movesTooShort,
      answerStatus(400, { method: 'PATCH', body: /^(\[\]|\{\})$/ }),
      loseWrite({ method: 'PATCH', path: /\/roles\//, body: /ownerReferences/ }),
      mergesNoEmptyMaps,
      keepsWhatElementsLose,
      answerStatus(200, { method: 'PATCH', path: /\/leases\//, body: /example\.com\/v9/ }),
    ],
    async check(context, { kind, write }) {
      const { objects, expect } = context;
      const object = await objects.create(kept);
      const answer = await write.send({ objects, object, kind });
      expect(answer.status, said(answer)).toBe(200);
      const missing = { ...object, metadata: { ...object.metadata, name: 'touchstone-missing' } };
      if (write.name !== 'apply')
        expect((await write.send({ objects, object: missing, kind })).status, 'of what is not there').toBe(404);
      else await appliesToNothing(context, objects);
      const stored = await objects.read(nameOf(object));
      expect(stored, 'what the patch changes').toMatchObject(changeOf(kind, 1));
      expect(stored.metadata.annotations, 'what it does not name').toMatchObject(kept.metadata.annotations);
      const untouched = Object.keys(object).filter(
        (key) => !['metadata', 'status', ...Object.keys(changeOf(kind, 1))].includes(key),
      );
      for (const key of untouched) expect(stored[key], key).toEqual(object[key]);
      await staysWhatItIs(objects, expect, kind, patchTypeOf[write.name] ?? 'merge');
      await changesOwners(objects, expect, { kind, write, name: nameOf(object) });
      await changesNothing(objects, expect, nameOf(object), write.name);
      await meansWhatItSays(context, kind, write.name, nameOf(object));
    },
  }),

  // A DELETE of an object's path deletes it.
  defineRule('verbs.delete', {
    matrix: { kind: removableKinds },
    sabotage: [loseWrite({ method: 'DELETE', path: item }), loseWrite({ method: 'DELETE', path: /\/jobs\// })],
    async check({ objects, expect }) {
      const [object, bystander] = await objects.createMany(2);
      expect([200, 202]).toContain((await objects.delete(nameOf(object), background)).status);
      expect((await objects.get(nameOf(object))).status).toBe(404);
      expect((await objects.delete(nameOf(object), background)).status, 'again').toBe(404);
      expect((await objects.get(nameOf(bystander))).status, 'another one').toBe(200);
      await objects.createMany(1);
      expect((await objects.get(nameOf(object))).status, 'made anew').toBe(200);
    },
  }),

  // A DELETE of a collection's path deletes what is in it.
  defineRule('verbs.deletecollection', {
    matrix: { kind: allKinds.filter(({ crowded }) => !crowded) },
    sabotage: [
      loseWrite({ method: 'DELETE', path: collection }),
      loseWrite({ method: 'DELETE', path: /\/persistentvolumeclaims$/ }),
      loseWrite({ method: 'DELETE', path: /\/roles$/ }),
      forceQuery('limit', '10', { method: 'DELETE', path: collection }),
      editEvent('object.metadata.resourceVersion', { path: /\/roles$/, with: '7' }),
    ],
    async check({ objects, configMaps, extraNamespace, unique, later, expect }, { kind }) {
      await objects.create({ metadata: { name: 'a-first' } });
      const kept = await objects.create({ metadata: { name: 'b-held', finalizers: ['example.com/one'] } });
      await objects.createMany(many.includes(kind) ? 12 : 2);
      const bystander = await configMaps.create();
      const place = `${await objects.place()}-${unique('b')}`;
      const elsewhere = kind.name === 'pods' ? undefined : objects.in(await extraNamespace({}, place));
      const other = await elsewhere?.create();
      later(async () => elsewhere?.deleteAll(background));
      const watch = many.includes(kind) ? await objects.watch(since(await objects.list())) : undefined;
      expect((await objects.deleteAll(background)).status).toBe(200);
      const removals = await watch?.take(13, ({ type }) => type === 'DELETED');
      const versions = removals?.map(({ object }) => versionOf(object)) ?? [];
      expect(new Set(versions).size, `versions of the removals: ${versions.join(', ')}`).toBe(versions.length);
      const [left, ...more] = standing(kind, (await objects.list()).items);
      expect(more, 'beside what a finalizer holds').toEqual([]);
      expect(left?.metadata, 'what a finalizer holds').toMatchObject({ name: 'b-held', uid: kept.metadata.uid });
      expect(left.metadata.deletionTimestamp, 'what a finalizer holds').toBeTypeOf('string');
      await objects.merge('b-held', { metadata: { finalizers: null } });
      expect(standing(kind, (await objects.list()).items)).toEqual([]);
      expect((await configMaps.get(bystander.metadata.name)).status, 'another kind').toBe(200);
      if (elsewhere) expect((await elsewhere.get(nameOf(other))).status, 'another namespace').toBe(200);
    },
  }),

  // Every verb but list, watch and deletecollection deals with exactly one object.
  defineRule('verbs.single-resource', {
    matrix: {
      kind: removableKinds,
      write: mainWrites.filter(({ verb }) => verb !== 'create' && verb !== 'deletecollection'),
    },
    where: ({ kind, write }) => fits({ kind, write }) && !kind.busy,
    sabotage: [
      redirectPath(/\/secrets\/[^/]+$/, '/secrets', { method: 'DELETE' }),
      readsInSmallLetters,
      changeMethod('POST', { method: 'PUT', path: /\/leases$/ }),
    ],
    async check({ objects, send, expect }, { kind, write }) {
      const [object, bystander] = await objects.createMany(2);
      if (write.name === 'update' && !kind.custom) {
        const answer = await send('PUT', await objects.path(), { body: await objects.draft() });
        isNotAllowed(answer, 'an update of a collection', expect);
      }
      await write.send({ objects, object, kind });
      // A name in other letters is another one, whether something has it or not.
      await write.send({ objects, object: inCapitals(bystander), kind });
      const answer = await objects.get(nameOf(bystander));
      expect(answer.body?.metadata?.resourceVersion, 'the other object').toBe(versionOf(bystander));
    },
  }),

  // Requests stand alone: one that fails leaves those before and after it untouched.
  defineRule('verbs.no-transaction', {
    races: true,
    matrix: { kind: generalKinds },
    sabotage: [
      loseWrite({ method: 'POST', path: collection, nth: 1 }),
      loseWrite({ method: 'POST', path: /\/leases$/, nth: 1 }),
      loseWrite({ method: 'PATCH', body: /at-once-3/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const before = await objects.draft();
      await objects.post(before);
      const refused = await objects.post(await objects.draft({ metadata: { labels: { bad: 'not a value!' } } }));
      const after = await objects.draft();
      await objects.post(after);
      expect(refused.status, 'the one in the middle').toBe(422);
      expect((await objects.get(nameOf(before))).status, 'the one before').toBe(200);
      expect((await objects.get(nameOf(after))).status, 'the one after').toBe(200);
      const patched = await objects.patch(nameOf(before), {
        metadata: { labels: { bad: 'not a value!', good: 'yes' } },
      });
      expect(patched.status, 'a patch that is refused').toBe(422);
      const stored = await objects.merge(nameOf(before), marking('after'));
      expect(stored.metadata.labels?.good, 'a part of the refused patch').toBeUndefined();
      await allChangesStay(objects, expect, kind);
    },
  }),

  // `proxy` is a verb for a single resource.
  defineRule('verbs.proxy', {
    needs: ['nodes'],
    sabotage: [
      notFound({ path: /\/nodes\/[^/]+\/proxy/ }),
      answerStatus(503, { path: /\/nodes\/[^/]+\/proxy/ }),
      answerWith(200, {}, { path: /\/nodes\/[^/]+\/proxy/ }),
    ],
    async check({ nodes, send, waitUntil, patience, expect }) {
      const limit = patience * 10;
      const list = () => nodes.list();
      const isThere = ({ items }: Json) => items.some(isReady);
      const { items } = await waitUntil('there is a node that is ready', list, isThere, { limit });
      const names: readonly string[] = items.filter(isReady).slice(0, several).map(nameOf);
      // Some have no agent, or one that the server does not reach.
      const look = () => Promise.all(names.map((name) => send('GET', `/api/v1/nodes/${name}/proxy/healthz`)));
      const answers = await waitUntil('the agent of a node answers', look, (seen) => seen.some(isGood), { limit });
      expect(answers.find(isGood)?.text, 'what the agent says').toContain('ok');
    },
  }),
];
