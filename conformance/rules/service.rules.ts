import { publishesChanges } from '../checks/custom/changed-types.ts';
import { publishesKinds } from '../checks/kinds/published-operations.ts';
import { afterLeaving, showsAsItWas } from '../checks/lists/left-selections.ts';
import { unversioned } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { forgetsCustomDeletes, forgetsCustomTypes } from '../sabotage/discovery.ts';
import {
  answerStatus,
  answerWith,
  changeAnswer,
  editEvent,
  notFound,
  removeIn,
  repeatEvent,
  replaceIn,
  retypeEvent,
  swallowEvent,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { type Collection, markedAs, markLabel } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { isBuiltIn } from '../verbs/discovery.ts';
import { apiVersionOf } from '../verbs/kinds.ts';
import { said } from '../verbs/said.ts';
import { nameOf, namesOf, versionOf } from '../verbs/states.ts';
import { allKinds, changeOf, furtherKinds, marking, plainKinds, quietKinds, seen, views } from '../verbs/subjects.ts';
import { temporaryFolder } from '../verbs/temporary-folder.ts';
import { besidesMarks } from '../verbs/watch.ts';

const secretList = { method: 'GET', path: /\/secrets$/ };
const background = { query: { propagationPolicy: 'Background' } };
const watches = { method: 'GET', query: { watch: true } };

/** A server that keeps what there is in a folder of the rule, or, if it knows no such flag, where its command says. */
async function startKeeping(context: RuleContext) {
  const flags = [`--data-dir=${temporaryFolder(context)}`];
  const first = await context.start(flags).catch(() => undefined);
  return first ? { first, flags } : { first: await context.start([]), flags: [] };
}

/** Namespaces that are there from the beginning are made once in the life of a store. */
const storeOf = async ({ namespaces }: RuleContext): Promise<string> =>
  (await namespaces.read('kube-system')).metadata.uid;

/** A finalizer, the mark of a deletion and the removal are told one by one. @param next the next event, and of what */
async function announcesEnd(
  objects: Collection,
  name: string,
  expect: RuleContext['expect'],
  next: (what: string) => Promise<readonly string[]>,
): Promise<void> {
  await objects.merge(name, { metadata: { finalizers: ['example.com/one'] } });
  expect(await next('a finalizer')).toEqual(['MODIFIED', name]);
  await objects.remove(name, background);
  expect(await next('the mark of a deletion')).toEqual(['MODIFIED', name]);
  await objects.merge(name, { metadata: { finalizers: null } });
  expect(await next('the removal')).toEqual(['DELETED', name]);
}

export default [
  // Whatever can be done is done by an HTTP request on a resource.
  defineRule('service.http-api', {
    matrix: { kind: allKinds },
    sabotage: [
      notFound({ method: 'GET', path: /\/leases\/[^/]+$/ }),
      answerStatus(405, { method: 'PUT', path: /\/(?:events|runtimeclasses)\// }),
      replaceIn('metadata.uid', { method: 'GET', path: /\/leases\/[^/]+$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const created = await objects.post(await objects.draft());
      expect(created.status, said(created)).toBe(201);
      const { name, uid } = created.body.metadata;
      expect((await objects.get(name)).body?.metadata?.uid, 'get').toBe(uid);
      expect((await objects.put(unversioned(kind, created.body))).status, 'update').toBe(200);
      expect((await objects.patch(name, marking('patched'))).status, 'patch').toBe(200);
      const removed = await objects.delete(name, background);
      expect([200, 202], 'delete').toContain(removed.status);
      const after = await objects.get(name);
      if (kind.lingers && after.status === 200) expect(after.body.metadata.deletionTimestamp).toBeTypeOf('string');
      else expect(after.status, 'afterwards').toBe(404);
    },
  }),

  // Every notion has an object type of its own, listed by discovery and described by the published schema.
  defineRule('service.every-concept-an-object', {
    sabotage: [
      changeAnswer('forgets Secrets in its schema', (body) => ({ ...body, definitions: {} }), {
        path: /^\/openapi\/v2$/,
      }),
      replaceIn('resources', { with: [{ name: 'things', kind: 'Thing', verbs: [] }], path: /^\/apis\/batch\/v1$/ }),
      changeAnswer('forgets operations in its schema', (body) => ({ ...body, paths: {} }), { path: /^\/openapi\/v2$/ }),
      forgetsCustomTypes,
      forgetsCustomDeletes,
      replaceIn('groups.*.preferredVersion.version', { path: /^\/apis$/, with: 'v0' }),
      replaceIn('versions', { path: /^\/apis\/autoscaling$/ }),
      removeIn('resources.*.version', { path: /^\/api\/v1$/ }),
    ],
    async check(context) {
      const { send, expect, capabilities } = context;
      for (const { name, ...group } of (await send('GET', '/apis')).body.groups) {
        expect(group.preferredVersion, `the version of ${name} to be preferred`).toEqual(group.versions[0]);
        if (isBuiltIn(name)) expect((await send('GET', `/apis/${name}`)).body, name).toMatchObject(group);
      }
      await publishesKinds(context);
      if (!capabilities.includes('crd')) return;
      await publishesChanges(context);
    },
  }),

  // Watchers hear of every creation, change and removal in what they watch.
  defineRule('service.changes-announced-by-watch', {
    matrix: { kind: [...plainKinds, ...furtherKinds.filter(({ busy }) => !busy)], view: views },
    where: seen,
    sabotage: [
      ...['ADDED', 'MODIFIED', 'DELETED'].map((type) => swallowEvent(type, watches)),
      swallowEvent('DELETED', { ...watches, path: /\/networkpolicies$/ }),
      swallowEvent('DELETED', { ...watches, path: /^\/apis\/[^/]+\/v1\/ingresses$/ }),
      editEvent('object.apiVersion', { ...watches, path: /\/events$/ }),
      swallowEvent('ADDED', { ...watches, query: { watch: true, fieldSelector: /metadata\.name=/ } }),
    ],
    async check({ objects, expect }, { kind, view }) {
      const name = nameOf(await objects.draft());
      const watch = await objects.viewed(view).watch();
      // A view by fields has its own.
      const byName = view === 'fields' ? undefined : { fieldSelector: `metadata.name=${name}` };
      const alone = await objects.viewed(view).watch(byName);
      const versions = new Set<string>();
      const called = { kind: objects.at.kind, apiVersion: apiVersionOf(objects.at) };
      const next = async (what: string) => {
        const { type, object } = await watch.next(what);
        const other = await alone.next(`${what}, to who watches this name alone`);
        expect([other.type, nameOf(other.object)], 'to who watches this name alone').toEqual([type, nameOf(object)]);
        expect(versions, `${what}: the version from which to go on`).not.toContain(versionOf(object));
        versions.add(versionOf(object));
        for (const told of [object, other.object])
          expect(told, `${what}: the object, as it is called here`).toMatchObject(called);
        if (type === 'DELETED') showsAsItWas(expect, what, object, kind);
        return [type, nameOf(object)];
      };
      const object = await objects.create({ metadata: { name } });
      expect(await next('the creation')).toEqual(['ADDED', name]);
      await objects.merge(name, changeOf(kind, 1));
      expect(await next('the change')).toEqual(['MODIFIED', name]);
      if (view === 'labels' || view === 'everywhere') {
        await objects.merge(name, markedAs('another'));
        expect(await next('the change that takes it out of what is watched')).toEqual(['DELETED', name]);
        await objects.merge(name, marking('unseen'));
        await objects.merge(name, markedAs(object.metadata.labels[markLabel]));
        expect(await next('the change that brings it back')).toEqual(['ADDED', name]);
      }
      await announcesEnd(objects, name, expect, next);
      const again = await objects.create({ metadata: { name } });
      const event = await watch.next('the creation of another of that name');
      expect([event.type, event.object.metadata.uid]).toEqual(['ADDED', again.metadata.uid]);
      const same = await alone.next('the creation of another of that name, to who watches it alone');
      expect([same.type, same.object.metadata.uid]).toEqual(['ADDED', again.metadata.uid]);
      if (view === 'labels' || view === 'everywhere')
        expect(await afterLeaving(objects, watch, [...versions].at(-1))).toEqual(['ADDED', 'ADDED', 'DELETED']);
      await objects.viewed('labels').deleteAll(background);
      const last = await watch.next('the deletion of all', besidesMarks);
      expect([last.type, nameOf(last.object)]).toEqual(['DELETED', name]);
      expect(last.object, 'the last of all, as it is called here').toMatchObject(called);
    },
  }),

  // All objects of one list are shown at a single point in the collection's history.
  defineRule('service.lists-consistent', {
    races: true,
    matrix: { kind: quietKinds, view: views },
    where: seen,
    sabotage: changeAnswer(
      'mixes states',
      (body) => ({
        ...body,
        items: [...(body.items ?? []), { metadata: { name: 'item-9', resourceVersion: '99999999' } }],
      }),
      { ...secretList, query: { resourceVersionMatch: 'Exact' } },
    ),
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      const [first] = await objects.createMany(3);
      const writes = Promise.all([
        ...[4, 5, 6].map((index) => objects.createMany(1, {}, `item-${index}`)),
        objects.merge(nameOf(first), marking('meanwhile')),
      ]);
      // Awaited below; a list that fails first must not leave a failure behind that nobody hears of.
      writes.catch(() => undefined);
      const lists = [];
      for (let round = 0; round < 3; round++) lists.push(await viewed.list());
      await writes;
      for (const { items, metadata } of lists) {
        const again = await viewed.list({ resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' });
        expect(again.items.map(versionOf)).toEqual(items.map(versionOf));
        expect(namesOf(again)).toEqual(namesOf({ items }));
      }
    },
  }),

  // Listing and then watching from the list's version gives each change exactly once.
  defineRule('service.list-then-watch-tracks-state', {
    matrix: { kind: plainKinds, view: views },
    where: seen,
    sabotage: [
      swallowEvent('DELETED', watches),
      repeatEvent('ADDED', watches),
      swallowEvent('MODIFIED', watches),
      repeatEvent('MODIFIED', { ...watches, path: /\/roles$/ }),
      retypeEvent('ADDED', 'MODIFIED', { query: { watch: true, resourceVersion: true } }),
      retypeEvent('DELETED', 'MODIFIED', { query: { watch: true, labelSelector: true } }),
    ],
    async check({ objects, expect, extraNamespace, later }, { kind, view }) {
      const viewed = objects.viewed(view);
      const [first, second, third, fourth] = await objects.createMany(4);
      const byMark = view === 'labels' || view === 'everywhere';
      const [beside] = byMark ? await objects.createMany(1, markedAs('another'), 'item-7') : [];
      const list = await viewed.list();
      const copy = new Map<string, string>(list.items.map((item: Json) => [nameOf(item), versionOf(item)]));
      await objects.merge(nameOf(first), changeOf(kind, 1));
      await objects.remove(nameOf(second), background);
      // What came and what left before the watch is told as well as what does so later.
      if (beside) {
        await objects.merge(nameOf(fourth), markedAs('another'));
        await objects.merge(nameOf(beside), markedAs(first.metadata.labels[markLabel]));
      }
      const watch = await viewed.watch({ resourceVersion: list.metadata.resourceVersion });
      await objects.createMany(1, {}, 'item-9');
      await objects.merge(nameOf(third), changeOf(kind, 1));
      if (view === 'everywhere' && kind.name !== 'pods') {
        const elsewhere = objects.in(await extraNamespace());
        await elsewhere.createMany(1, {}, 'item-8');
        later(() => elsewhere.deleteAll());
      }
      const versions = new Set<string>(copy.values());
      const changes = 4 + (beside ? 2 : 0) + (view === 'everywhere' ? 1 : 0);
      for (const { type, object } of await watch.take(changes, besidesMarks)) {
        expect(versions, 'no change comes twice').not.toContain(versionOf(object));
        versions.add(versionOf(object));
        expect(type === 'ADDED', `${type} ${nameOf(object)}, which the copy lacked`).toBe(!copy.has(nameOf(object)));
        if (type === 'DELETED') copy.delete(nameOf(object));
        else copy.set(nameOf(object), versionOf(object));
      }
      const now = (await viewed.list()).items.map((item: Json) => [nameOf(item), versionOf(item)]);
      expect([...copy].sort()).toEqual(now.sort());
    },
  }),

  // The groups that configure components are files only: neither discovery nor any path knows them.
  defineRule('service.config-apis-not-served', {
    sabotage: [
      answerWith(200, { kind: 'APIGroup' }, { path: /^\/apis\/apiserver\.config\.k8s\.io/ }),
      changeAnswer(
        'lists a configuration group',
        (body) => ({ ...body, groups: [...(body.groups ?? []), { name: 'kubelet.config.k8s.io', versions: [] }] }),
        { path: /^\/apis$/ },
      ),
    ],
    async check({ send, expect }) {
      const { body } = await send('GET', '/apis');
      const groups: string[] = body?.groups?.map((group: Json) => group.name) ?? [];
      expect(groups, 'groups').toContain('apps');
      expect(groups.filter((name) => name.endsWith('.config.k8s.io'))).toEqual([]);
      for (const group of ['apiserver.config.k8s.io', 'kubelet.config.k8s.io']) {
        for (const path of [`/apis/${group}`, `/apis/${group}/v1`])
          expect((await send('GET', path)).status, path).toBe(404);
      }
    },
  }),

  // A restart of the API server loses no object and changes neither uid nor version of any.
  defineRule('service.state-persisted', {
    needs: ['flags'],
    sabotage: [
      replaceIn('metadata.uid', { method: 'GET', path: /\/secrets\/[^/]+$/ }),
      replaceIn('metadata.resourceVersion', { method: 'GET', path: /\/secrets\/[^/]+$/, with: '1' }),
      notFound({ method: 'GET', path: /\/secrets\/[^/]+$/ }),
    ],
    async check(context) {
      const { start, unique, skip, expect } = context;
      const { first, flags } = await startKeeping(context);
      const kept = first.secrets.in('default');
      const made = await kept.create({ metadata: { name: unique() }, data: { a: 'MQ==' } });
      const store = await storeOf(first);
      await first.stop();
      const second = await start(flags);
      if (flags.length === 0 && (await storeOf(second)) !== store)
        skip('each server that is started has a store of its own, and they take no --data-dir that would name one');
      const found = await second.secrets.in('default').get(nameOf(made));
      expect(found.status, 'what was there before the restart').toBe(200);
      expect(found.body.metadata.uid).toBe(made.metadata.uid);
      expect(versionOf(found.body)).toBe(versionOf(made));
      expect(found.body.data).toEqual({ a: 'MQ==' });
    },
  }),
];
