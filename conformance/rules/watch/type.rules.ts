import { byApply, byUpdate } from '../../checks/requests/creations.ts';
import { changingWrites, fits } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { retypeEvent, swallowEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { generalKinds, type Subject, seen, watchViews } from '../../verbs/subjects.ts';
import type { Watch } from '../../verbs/watch.ts';

/** What comes to be without a POST is announced as anything that is new. */
async function announces(
  { objects, watch, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection; readonly watch: Watch },
  kind: Subject,
): Promise<void> {
  for (const creation of [byUpdate, byApply].filter(({ fits: made }) => made(kind))) {
    const { body } = await creation.send(objects, await objects.draft(), 'maker');
    const isIt = ({ object }: { object: Json }): boolean => object.metadata?.uid === body.metadata.uid;
    const { type, object } = await watch.next(`the event of what ${creation.name} made`, isIt);
    expect(type, `of what ${creation.name} made`).toBe('ADDED');
    if (!kind.busy) expect(object, `what ${creation.name} made, as watched`).toEqual(body);
  }
}

export default [
  // The event of a new object is `ADDED`.
  defineRule('watch.type.added', {
    matrix: { kind: generalKinds, view: watchViews },
    where: seen,
    sabotage: [
      swallowEvent('ADDED'),
      retypeEvent('ADDED', 'MODIFIED'),
      swallowEvent('ADDED', { path: /\/endpointslices$/ }),
      swallowEvent('ADDED', { path: /^\/api\/v1\/secrets$/ }),
    ],
    async check({ objects, expect, extraNamespace, later }, { kind, view }) {
      const watch = await objects.viewed(view).watch();
      const made = await objects.create();
      const event = await watch.next('the event of a new object', ({ type }) => type !== 'BOOKMARK');
      expect(event.type).toBe('ADDED');
      expect(event.object.metadata.uid).toBe(made.metadata.uid);
      expect(event.object.kind).toBe(objects.at.kind);
      if (!kind.busy) expect(event.object, 'what the answer shows').toEqual(made);
      if (view !== 'fields') await announces({ objects, watch, expect }, kind);
      if (view !== 'everywhere') return;
      // Also in a namespace that was not there when the watch began.
      const elsewhere = objects.in(await extraNamespace());
      if (kind.name === 'pods') return;
      const other = await elsewhere.create();
      later(() => elsewhere.delete(nameOf(other)));
      const next = await watch.next('the event of an object in a new namespace', ({ type }) => type === 'ADDED');
      expect(next.object.metadata.uid).toBe(other.metadata.uid);
    },
  }),

  // The event of a change is `MODIFIED`.
  defineRule('watch.type.modified', {
    matrix: { kind: generalKinds, write: changingWrites },
    where: ({ kind, write }) => fits({ kind, write }) && !(kind.busy && write.sub === 'status'),
    sabotage: [
      swallowEvent('MODIFIED'),
      retypeEvent('MODIFIED', 'ADDED'),
      swallowEvent('MODIFIED', { path: /\/jobs$/ }),
    ],
    async check({ objects, expect }, { kind, write }) {
      const object = await objects.create();
      const watch = await objects.viewed('labels').watch({ resourceVersion: versionOf(object) });
      const changed = await write.send({ objects, object, kind });
      expect(changed.status, said(changed)).toBe(200);
      const version = versionOf(changed.body);
      const isIt = ({ object: one }: { object: typeof object }): boolean => versionOf(one) === version;
      const event = await watch.next('the event of the change', kind.busy ? isIt : undefined);
      expect(event.type).toBe('MODIFIED');
      expect(nameOf(event.object)).toBe(nameOf(object));
      expect(event.object.metadata.uid).toBe(object.metadata.uid);
      // A scale is another kind than what was changed.
      if (write.shows) expect(event.object, 'what the answer shows').toEqual(changed.body);
      else if (!kind.busy) expect(event.object).toEqual(await objects.read(nameOf(object)));
    },
  }),

  // The event of a bookmark is `BOOKMARK`.
  defineRule('watch.type.bookmark', {
    sabotage: retypeEvent('BOOKMARK', 'SYNC'),
    async check({ secrets, expect, skip }) {
      await secrets.create();
      const watch = await secrets.watch({ allowWatchBookmarks: true, timeoutSeconds: 3 });
      await watch.ended(8_000);
      const others = watch.events.filter(({ type }) => !['ADDED', 'MODIFIED', 'DELETED', 'ERROR'].includes(type));
      if (watch.events.length === 0) expect(watch.events, 'the event of the present object').not.toHaveLength(0);
      if (others.length === 0) skip('the server sent no bookmark, as it may');
      for (const { type } of others) expect(type).toBe('BOOKMARK');
    },
  }),
];
