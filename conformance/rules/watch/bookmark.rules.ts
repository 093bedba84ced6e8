import { marksAsAsked } from '../../checks/lists/asked-bookmarks.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeEvent, ignoreQuery, swallowEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { Collection, View } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { versionOf } from '../../verbs/states.ts';
import { named, type Subject } from '../../verbs/subjects.ts';
import type { WatchEvent } from '../../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };
const metadataAlone = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

interface Marked {
  readonly marks: WatchEvent[];
  readonly events: readonly WatchEvent[];
}

/** Some kinds, as bookmarks take their time to come. */
const someKinds = {
  matrix: { kind: named('secrets', 'roles', 'clusterroles', 'widgets'), view: ['namespace', 'everywhere'] },
  where: ({ kind, view }: { kind: Subject; view: View }) => kind.namespaced || view === 'namespace',
} as const;

/** The bookmarks of a short watch that asks for them; they come at its end if ever. Skips when there are none. */
async function bookmarks({ skip }: RuleContext, objects: Collection, headers = {}): Promise<Marked> {
  await objects.create();
  const watch = await objects.watch({ allowWatchBookmarks: true, timeoutSeconds: 3 }, headers);
  await objects.create();
  await watch.ended(8_000);
  const marks = watch.events.filter(({ type }) => type === 'BOOKMARK');
  if (marks.length === 0) skip('the server sent no bookmark, as it may');
  return { marks, events: watch.events };
}

const spoilBookmark = (name: string, change: (object: Json) => Json) =>
  changeEvent(
    name,
    (event) => [event.type === 'BOOKMARK' ? { ...event, object: change(event.object) } : event],
    watches,
  );

export default [
  // After a bookmark no event comes that is not newer than it.
  defineRule('watch.bookmark.meaning', {
    sabotage: changeEvent(
      'repeats old events after a bookmark',
      (event) =>
        event.type === 'BOOKMARK'
          ? [event, { type: 'MODIFIED', object: { metadata: { resourceVersion: '1' } } }]
          : [event],
      watches,
    ),
    ...someKinds,
    async check(context, { view }) {
      const { expect } = context;
      const viewed = context.objects.viewed(view);
      const { events } = await bookmarks(context, viewed);
      const last = events.findLastIndex(({ type }) => type === 'BOOKMARK');
      const before = events.slice(0, last).map(({ object }) => object.metadata.resourceVersion);
      for (const { object } of events.slice(last + 1)) expect(before, 'after it').not.toContain(versionOf(object));
      for (const { object } of events.slice(last + 1)) expect(versionOf(object)).not.toBe('1');
      const seen = new Set(before);
      const { metadata } = await context.objects.create();
      const watch = await viewed.watch({ resourceVersion: versionOf(events[last]?.object) });
      // What was made while the bookmarks were awaited may come first: only what was told before one must not.
      const isNew = ({ object }: WatchEvent): boolean => {
        expect(seen, 'what was seen before the bookmark').not.toContain(versionOf(object));
        return object.metadata.uid === metadata.uid;
      };
      await watch.next('the change after the bookmark', isNew);
    },
  }),

  // The object in a bookmark has the watched kind.
  defineRule('watch.bookmark.kind', {
    sabotage: spoilBookmark('sends bookmarks of another kind', (object) => ({ ...object, kind: 'Bookmark' })),
    ...someKinds,
    async check(context, { view }) {
      const { objects, expect } = context;
      const viewed = objects.viewed(view);
      const [{ marks }, alone, tables] = await Promise.all([
        bookmarks(context, viewed),
        bookmarks(context, viewed, metadataAlone),
        bookmarks(context, viewed, table),
      ]);
      for (const { object } of marks)
        expect(object).toMatchObject({ kind: objects.at.kind, apiVersion: apiVersionOf(objects.at) });
      for (const { object } of alone.marks) {
        const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
        expect(object, 'of metadata alone').toMatchObject(partial);
        expect(versionOf(object), 'of metadata alone').toMatch(/./);
      }
      for (const { object } of tables.marks) {
        expect(object, 'as a Table').toMatchObject({ kind: 'Table', rows: [{}] });
        expect(versionOf(object.rows[0].object), 'as a Table').toMatch(/./);
      }
    },
  }),

  // The object in a bookmark carries its resourceVersion and no other data.
  defineRule('watch.bookmark.only-version', {
    sabotage: spoilBookmark('fills bookmarks', (object) => ({
      ...object,
      data: { a: 'aaaa' },
      metadata: { ...object.metadata, name: 'filled' },
    })),
    ...someKinds,
    async check(context, { view }) {
      const { objects, expect } = context;
      const { marks } = await bookmarks(context, objects.viewed(view));
      for (const { object } of marks) {
        const { resourceVersion, creationTimestamp, annotations: _, ...others } = object.metadata;
        expect(resourceVersion).toBeTypeOf('string');
        expect(resourceVersion).not.toBe('');
        expect(creationTimestamp ?? null, 'creationTimestamp is empty').toBeNull();
        expect(others, 'other metadata').toEqual({});
        // A genuine server writes the empty values that its kinds always write.
        for (const field of ['data', 'rules', 'spec']) expect(Object.keys(object[field] ?? {}), field).toEqual([]);
      }
    },
  }),

  // Only who asks by `allowWatchBookmarks=true` is sent bookmarks.
  defineRule('watch.bookmark.requested', {
    sabotage: [
      ...[watches, { ...watches, query: { watch: true, allowWatchBookmarks: 'false' } }].map((match) =>
        changeEvent(
          'sends bookmarks unasked',
          (event) => [event, { type: 'BOOKMARK', object: { metadata: {} } }],
          match,
        ),
      ),
      ignoreQuery('allowWatchBookmarks', { ...watches, query: { watch: true, allowWatchBookmarks: '1' } }),
    ],
    ...someKinds,
    check: (context, { view }) => marksAsAsked(context, view),
  }),

  // Even who asks may be sent few bookmarks, or none.
  defineRule('watch.bookmark.optional', {
    sabotage: [
      answerStatus(400, { query: { allowWatchBookmarks: true } }),
      swallowEvent('ADDED', { query: { allowWatchBookmarks: true } }),
    ],
    async check({ secrets, expect }) {
      const watch = await secrets.watch({ allowWatchBookmarks: true });
      expect(watch.status).toBe(200);
      const { metadata } = await secrets.create();
      const event = await watch.next('the event of the new object', ({ type }) => type !== 'BOOKMARK');
      expect(event.object.metadata.name).toBe(metadata.name);
    },
  }),
];
