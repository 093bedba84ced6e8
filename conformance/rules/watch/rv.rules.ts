import { defineRule } from '../../rule.ts';
import { changeEvent, ignoreQuery, repeatEvent, swallowEvent } from '../../sabotage/transforms.ts';
import type { WatchEvent } from '../../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };
const names = (events: readonly WatchEvent[]): string[] => events.map(({ object }) => object?.metadata?.name);

export default [
  defineRule('watch.rv.unset.synthetic', {
    sabotage: [
      swallowEvent('ADDED', watches),
      changeEvent('calls present objects EXISTING', (event) => [{ ...event, type: 'EXISTING' }], watches),
    ],
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const watch = await secrets.watch();
      const events = await watch.take(3);
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED']);
      expect(names(events).sort()).toEqual(['item-0', 'item-1', 'item-2']);
    },
  }),

  defineRule('watch.rv.unset.most-recent', {
    sabotage: changeEvent(
      'shows stale objects',
      (event) => [{ ...event, object: { ...event.object, data: { round: 'zero' } } }],
      watches,
    ),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create({ data: { round: 'zero' } });
      for (const round of ['one1', 'two2', 'tri3']) {
        const changed = await secrets.merge(metadata.name, { data: { round } });
        const watch = await secrets.watch();
        const { object } = await watch.next('the present object');
        expect(object.data.round).toBe(round);
        expect(object.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
        watch.close();
      }
    },
  }),

  defineRule('watch.rv.unset.then-changes', {
    sabotage: swallowEvent('MODIFIED', watches),
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const watch = await secrets.watch();
      await watch.next('the present object');
      await secrets.merge(metadata.name, { data: { a: 'new1' } });
      expect(await watch.next('the change')).toMatchObject({ type: 'MODIFIED', object: { data: { a: 'new1' } } });
      await secrets.remove(metadata.name);
      expect(await watch.next('the removal')).toMatchObject({ type: 'DELETED' });
    },
  }),

  defineRule('watch.rv.zero', {
    sabotage: [swallowEvent('ADDED', watches), swallowEvent('MODIFIED', watches)],
    async check({ secrets, expect, waitUntil }) {
      const [first] = await secrets.createMany(2);
      const caughtUp = async () => (await secrets.list({ resourceVersion: '0' })).items.length;
      await waitUntil('any version shows both objects', caughtUp, (count) => count === 2);
      const watch = await secrets.watch({ resourceVersion: '0' });
      const present = await watch.take(2);
      expect(present.map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
      await secrets.merge(first.metadata.name, { data: { a: 'new1' } });
      expect(await watch.next('the change')).toMatchObject({ type: 'MODIFIED', object: { data: { a: 'new1' } } });
    },
  }),

  defineRule('watch.rv.nonzero.exact', {
    sabotage: [
      repeatEvent('ADDED', watches),
      swallowEvent('MODIFIED', watches),
      ignoreQuery('resourceVersion', watches),
    ],
    async check({ secrets, expect }) {
      const first = await secrets.create({ metadata: { name: 'first' } });
      await secrets.create({ metadata: { name: 'second' } });
      await secrets.merge('first', { data: { a: 'new1' } });
      await secrets.remove('second');
      const watch = await secrets.watch({ resourceVersion: first.metadata.resourceVersion });
      const events = await watch.take(3);
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      expect(names(events)).toEqual(['second', 'first', 'second']);
    },
  }),

  defineRule('watch.rv.nonzero.no-synthetic', {
    sabotage: ignoreQuery('resourceVersion', watches),
    async check({ secrets, expect }) {
      await secrets.createMany(3);
      const { metadata } = await secrets.list();
      const watch = await secrets.watch({ resourceVersion: metadata.resourceVersion });
      const later = await secrets.create();
      const event = await watch.next('the first event');
      expect(event.object?.metadata?.name).toBe(later.metadata.name);
    },
  }),
];
