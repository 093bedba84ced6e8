import { defineRule } from '../../rule.ts';
import { answerStatus, changeEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { WatchEvent } from '../../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };

/** The bookmarks of a short watch that asks for them; they come at its end if ever. Skips when there are none. */
async function bookmarks({
  secrets,
  skip,
}: RuleContext): Promise<{ marks: WatchEvent[]; events: readonly WatchEvent[] }> {
  await secrets.create();
  const watch = await secrets.watch({ allowWatchBookmarks: true, timeoutSeconds: 3 });
  await secrets.create();
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
  defineRule('watch.bookmark.meaning', {
    sabotage: changeEvent(
      'repeats old events after a bookmark',
      (event) =>
        event.type === 'BOOKMARK'
          ? [event, { type: 'MODIFIED', object: { metadata: { resourceVersion: '1' } } }]
          : [event],
      watches,
    ),
    async check(context) {
      const { events } = await bookmarks(context);
      const { expect } = context;
      const last = events.findLastIndex(({ type }) => type === 'BOOKMARK');
      const version = BigInt(events[last]?.object.metadata.resourceVersion);
      for (const { object } of events.slice(last + 1))
        expect(BigInt(object.metadata.resourceVersion) > version).toBe(true);
      for (const { object } of events.slice(0, last))
        expect(BigInt(object.metadata.resourceVersion) <= version).toBe(true);
    },
  }),

  defineRule('watch.bookmark.kind', {
    sabotage: spoilBookmark('sends bookmarks of another kind', (object) => ({ ...object, kind: 'Bookmark' })),
    async check(context) {
      const { marks } = await bookmarks(context);
      for (const { object } of marks) context.expect(object).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
    },
  }),

  defineRule('watch.bookmark.only-version', {
    sabotage: spoilBookmark('fills bookmarks', (object) => ({
      ...object,
      data: { a: 'aaaa' },
      metadata: { ...object.metadata, name: 'filled' },
    })),
    async check(context) {
      const { marks } = await bookmarks(context);
      for (const { object } of marks) {
        const { resourceVersion, creationTimestamp, annotations: _, ...others } = object.metadata;
        context.expect(resourceVersion).toMatch(/^\d+$/);
        context.expect(creationTimestamp ?? null, 'creationTimestamp is empty').toBeNull();
        context.expect(others, 'other metadata').toEqual({});
        context.expect(object.data, 'data').toBeUndefined();
      }
    },
  }),

  defineRule('watch.bookmark.requested', {
    sabotage: changeEvent(
      'sends bookmarks unasked',
      (event) => [event, { type: 'BOOKMARK', object: { metadata: {} } }],
      watches,
    ),
    async check({ secrets, expect }) {
      await secrets.create();
      const watch = await secrets.watch({ timeoutSeconds: 3 });
      await watch.ended(8_000);
      expect(watch.events.map(({ type }) => type)).toEqual(['ADDED']);
    },
  }),

  defineRule('watch.bookmark.optional', {
    sabotage: answerStatus(400, { query: { allowWatchBookmarks: true } }),
    async check({ secrets, expect }) {
      const watch = await secrets.watch({ allowWatchBookmarks: true });
      expect(watch.status).toBe(200);
      const { metadata } = await secrets.create();
      const event = await watch.next('the event of the new object', ({ type }) => type !== 'BOOKMARK');
      expect(event.object.metadata.name).toBe(metadata.name);
    },
  }),
];
