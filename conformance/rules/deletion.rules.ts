import { held, lettingGo, takesWrites } from '../checks/life/going-objects.ts';
import { triesPolicies } from '../checks/life/tried-policies.ts';
import { pass } from '../checks/pods/job-runs.ts';
import { fits, mainWrites, unversioned } from '../checks/requests/writes.ts';
import { defineRule } from '../rule.ts';
import { answerStatus, loseWrite, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Collection } from '../verbs/collection.ts';
import type { RuleContext } from '../verbs/context.ts';
import { expectDuring, timed } from '../verbs/moment.ts';
import { said } from '../verbs/said.ts';
import { nameOf, versionOf } from '../verbs/states.ts';
import { allKinds, generalKinds, marking, patientKinds, removableKinds, type Subject } from '../verbs/subjects.ts';
import type { WatchEvent } from '../verbs/watch.ts';

const item = { path: /\/secrets\/[^/]+$/ };
/** An object that is going, as a watch shows it: what it knew before comes first. */
const isGoing = ({ object }: WatchEvent): boolean => typeof object.metadata?.deletionTimestamp === 'string';
const beginsWithGoing = async (objects: Collection): Promise<WatchEvent> =>
  (await objects.viewed('labels').watch()).next('what is going, as a watch begins', isGoing);
const background = { query: { propagationPolicy: 'Background' } };

/** Where a write to the status takes finalizers, it takes the last one too. */
async function goesWithStatus(objects: Collection, expect: RuleContext['expect'], kind: Subject): Promise<void> {
  const name = nameOf(await objects.create(held));
  await objects.delete(name, background);
  const marked = await objects.read(name);
  const { finalizers: _, ...metadata } = marked.metadata;
  const answer = await objects.put(unversioned(kind, { ...marked, metadata }), '', { sub: 'status' });
  expect(answer.status, `an update of the status: ${said(answer)}`).toBe(200);
  const after = await objects.get(name);
  if (after.status === 404) return;
  expect(after.body?.metadata?.finalizers ?? [], 'of what is still there').toContain('example.com/one');
  await objects.patch(name, { metadata: { finalizers: null } });
}

/** Further deletes of what is going, which move no time. */
const deletesAgain = (objects: Collection, { name: resource }: Subject, name: string) =>
  [
    ['another delete', () => objects.delete(name, background)],
    ['a delete at once', () => objects.delete(name, { query: { ...background.query, gracePeriodSeconds: 0 } })],
    ...(resource === 'namespaces'
      ? []
      : ([['a deletecollection', () => objects.viewed('labels').deleteAll(background)]] as const)),
  ] as const;

export default [
  // An object with finalizers is first marked, and read as such, and only then removed.
  defineRule('deletion.two-phases', {
    matrix: { kind: allKinds, by: ['delete', 'deletecollection'] },
    where: ({ kind, by }) => by === 'delete' || (kind.name !== 'namespaces' && generalKinds.includes(kind)),
    sabotage: [
      removeIn('metadata.deletionTimestamp', { ...item, method: 'GET' }),
      loseWrite({ ...item, method: 'PATCH' }),
      removeIn('metadata.deletionGracePeriodSeconds', { method: 'GET', path: /\/roles\/[^/]+$/ }),
      removeIn('metadata.deletionTimestamp', { method: 'GET', path: /\/(leases|cronjobs)\/[^/]+$/ }),
    ],
    async check({ objects, expect }, { kind, by }) {
      const object = await objects.create(held);
      const name = nameOf(object);
      const answer =
        by === 'delete' ? await objects.delete(name, background) : await objects.viewed('labels').deleteAll(background);
      expect([200, 202]).toContain(answer.status);
      const marked = await objects.get(name);
      expect(marked.status, 'while a finalizer is left').toBe(200);
      expect(marked.body.metadata.uid).toBe(object.metadata.uid);
      expect(marked.body.metadata.deletionTimestamp).toBeTypeOf('string');
      expect(marked.body.metadata.finalizers, 'who keeps it').toContain('example.com/one');
      // It is given no time of its own; a namespace ends in a way of its own.
      if (kind.name !== 'namespaces') expect(marked.body.metadata.deletionGracePeriodSeconds, 'its grace').toBe(0);
      expect((await objects.viewed('labels').list()).items, 'as listed').toHaveLength(1);
      if (by !== 'delete') await beginsWithGoing(objects);
      expect((await objects.post(await objects.draft({ metadata: { name } }))).status, 'another of its name').toBe(409);
      await objects.patch(name, { metadata: { finalizers: null } });
      const after = await objects.get(name);
      if (kind.lingers && after.status === 200)
        expect(after.body.metadata.finalizers ?? []).not.toContain('example.com/one');
      else expect(after.status, 'when none is left').toBe(404);
      if (kind.name === 'secrets' && by === 'delete') await triesPolicies(objects, expect);
    },
  }),

  // The first delete sets `metadata.deletionTimestamp` to the time it is.
  defineRule('deletion.timestamp', {
    matrix: { kind: generalKinds },
    sabotage: [
      replaceIn('metadata.deletionTimestamp', { with: '2001-02-03T04:05:06Z', ...item }),
      replaceIn('metadata.deletionTimestamp', { with: '2001-02-03T04:05:06Z', path: /\/jobs\/[^/]+$/ }),
      removeIn('metadata.deletionTimestamp', { method: 'DELETE', query: { dryRun: true } }),
      answerStatus(404, { method: 'DELETE', query: { gracePeriodSeconds: '0' } }),
      replaceIn('metadata.deletionTimestamp', {
        with: '2001-02-03T04:05:06Z',
        method: 'GET',
        path: /\/clusterroles\/[^/]+$/,
        from: 4,
      }),
      answerStatus(404, { method: 'DELETE', path: /\/roles\/[^/]+$/, from: 3 }),
      answerStatus(404, { method: 'PUT', path: /\/scale$/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const { metadata } = await objects.create(held);
      expect(metadata.deletionTimestamp, 'before').toBeUndefined();
      const tried = await timed(objects.delete(metadata.name, { query: { ...background.query, dryRun: 'All' } }));
      expectDuring(expect, tried, tried.answer.body?.metadata?.deletionTimestamp, 'the time of a rehearsed delete');
      const deleted = await timed(objects.delete(metadata.name, background));
      const { deletionTimestamp } = (await objects.read(metadata.name)).metadata;
      expectDuring(expect, deleted, deletionTimestamp, 'the time of the delete');
      // Times are told to the second.
      if (patientKinds.includes(kind)) await pass(1_100);
      for (const [what, again] of deletesAgain(objects, kind, metadata.name)) {
        const answered = await again();
        expect([200, 202], `${what}: ${said(answered)}`).toContain(answered.status);
        expect((await objects.read(metadata.name)).metadata.deletionTimestamp, `after ${what}`).toBe(deletionTimestamp);
      }
      const changed = await objects.merge(metadata.name, {
        metadata: {
          ...marking('leaving').metadata,
          labels: { 'example.com/going': 'yes' },
          ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
        },
      });
      expect(changed.metadata.labels['example.com/going'], 'a label of what is going').toBe('yes');
      expect(changed.metadata.deletionTimestamp, 'after a change').toBe(deletionTimestamp);
      // Others write to what takes its time to go.
      if (!kind.lingers) await takesWrites(objects, expect, kind, metadata.name);
    },
  }),

  // With its last finalizer the object leaves the store.
  defineRule('deletion.removal', {
    matrix: { kind: removableKinds, write: mainWrites.filter(({ verb }) => verb === 'update' || verb === 'patch') },
    where: fits,
    sabotage: [
      loseWrite({ ...item, method: 'PATCH', body: /"finalizers":null/ }),
      loseWrite({ ...item, method: 'PUT' }),
      loseWrite({ method: 'PUT', path: /\/ingresses\/[^/]+$/ }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const name = nameOf(await objects.create());
      if (write.name === 'apply') await objects.apply(name, held, 'touchstone-writer');
      else await objects.merge(name, held);
      const watch = await objects.viewed('labels').watch();
      await watch.next('the object');
      await objects.delete(name, background);
      const marked = await objects.read(name);
      const answer = await lettingGo(objects, unversioned(kind, marked))[write.name]?.();
      expect(answer?.status, answer && said(answer)).toBe(200);
      const last = answer?.body?.metadata;
      expect([last?.uid, last?.finalizers ?? []], 'what the answer shows').toEqual([marked.metadata.uid, []]);
      expect((await objects.get(name)).status, 'with the last finalizer gone').toBe(404);
      const event = await watch.next('the removal', ({ type }) => type === 'DELETED');
      expect(nameOf(event.object)).toBe(name);
      const { items } = await objects.viewed('labels').list();
      expect(items.map(versionOf), 'as listed').toEqual([]);
      if (write.name === 'update' && kind.status) await goesWithStatus(objects, expect, kind);
    },
  }),
];
