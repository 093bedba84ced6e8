import { defineRule } from '../../rule.ts';
import { retypeEvent, swallowEvent } from '../../sabotage/transforms.ts';

export default [
  defineRule('watch.type.added', {
    sabotage: [swallowEvent('ADDED'), retypeEvent('ADDED', 'MODIFIED')],
    async check({ secrets, expect }) {
      const watch = await secrets.watch();
      const { metadata } = await secrets.create();
      const event = await watch.next('the event of a new object');
      expect(event.type).toBe('ADDED');
      expect(event.object.metadata.uid).toBe(metadata.uid);
    },
  }),

  defineRule('watch.type.modified', {
    sabotage: [swallowEvent('MODIFIED'), retypeEvent('MODIFIED', 'ADDED')],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const watch = await secrets.watch({ resourceVersion: metadata.resourceVersion });
      const changed = await secrets.merge(metadata.name, { data: { a: 'new1' } });
      const event = await watch.next('the event of a change');
      expect(event.type).toBe('MODIFIED');
      expect(event.object.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
      expect(event.object.data).toMatchObject({ a: 'new1' });
    },
  }),

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
