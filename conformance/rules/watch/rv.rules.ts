import { defineRule } from '../../rule.ts';
import { changeEvent, ignoreQuery, repeatEvent, swallowEvent } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, marking, plainKinds, quietKinds, seen, watchViews } from '../../verbs/subjects.ts';
import { besidesMarks, type WatchEvent } from '../../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };
const background = { query: { propagationPolicy: 'Background' } };
const namesIn = (events: readonly WatchEvent[]): string[] => events.map(({ object }) => object?.metadata?.name);
const everyKind = { matrix: { kind: generalKinds, view: watchViews }, where: seen } as const;

/** What only lists have a use for. */
const meaningless = { limit: 2, continue: 'none', pretty: 'true' };

const isThird = ({ object }: Json): boolean => object?.metadata?.name?.endsWith('item-2') ?? false;

export default [
  // Without a version a watch first tells of every present object as if it had just been added.
  defineRule('watch.rv.unset.synthetic', {
    ...everyKind,
    sabotage: [
      swallowEvent('ADDED', watches),
      changeEvent('calls present objects EXISTING', (event) => [{ ...event, type: 'EXISTING' }], watches),
      changeEvent('tells of no more than two', (event) => (isThird(event) ? [] : [event]), {
        ...watches,
        query: { watch: true, limit: true },
      }),
    ],
    async check({ objects, expect }, { kind, view }) {
      const made = await objects.createMany(3);
      // What has changed since it was made is told as added as well.
      await objects.merge(nameOf(made[1]), changeOf(kind, 1));
      await objects.merge(nameOf(made[1]), marking('changed'));
      const watch = await objects.viewed(view).watch();
      // A controller may change the first while a server has not yet heard of the last.
      const events = await watch.take(3, ({ type }) => !kind.busy || type !== 'MODIFIED');
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED']);
      expect(namesIn(events).sort()).toEqual(made.map(nameOf));
      watch.close();
      const beside = await objects.viewed(view).watch(meaningless);
      const all = await beside.take(3, ({ type }) => !kind.busy || type !== 'MODIFIED');
      expect(namesIn(all).sort(), `beside ${Object.keys(meaningless)}`).toEqual(made.map(nameOf));
    },
  }),

  // Without a version a watch begins with the newest state.
  defineRule('watch.rv.unset.most-recent', {
    matrix: { kind: quietKinds, view: watchViews },
    where: seen,
    sabotage: changeEvent(
      'shows stale objects',
      (event) => [{ ...event, object: { ...event.object, metadata: { ...event.object?.metadata, annotations: {} } } }],
      watches,
    ),
    async check({ objects, looser, expect }, { kind, view }) {
      const object = await objects.create();
      const shown = async () => {
        const watch = await objects.viewed(view).watch();
        const event = await watch.next('the present object');
        watch.close();
        return event.object;
      };
      for (const round of [1, 2]) {
        await objects.merge(nameOf(object), changeOf(kind, round));
        const changed = await objects.merge(nameOf(object), marking(`${round}`));
        const first = await shown();
        if (versionOf(first) === versionOf(changed)) {
          expect(first, 'at once').toEqual(changed);
          continue;
        }
        await looser(() => expect(versionOf(first), 'the version, at once').toBe(versionOf(changed)));
        // A genuine server answers from a cache, which has caught up once it has answered this.
        await objects.getAll({ resourceVersion: versionOf(changed) });
        expect(await shown(), 'after a list of that version').toEqual(changed);
      }
    },
  }),

  // Without a version the changes follow the present objects.
  defineRule('watch.rv.unset.then-changes', {
    races: true,
    matrix: { kind: plainKinds, view: watchViews },
    where: seen,
    sabotage: swallowEvent('MODIFIED', watches),
    async check({ objects, expect }, { kind, view }) {
      const object = await objects.create();
      // What is made while the watch begins is present or new.
      const [watch, ...others] = await Promise.all([
        objects.viewed(view).watch(),
        ...Array.from({ length: 3 }, () => objects.create()),
      ]);
      const begun = await watch.take(4);
      expect(begun.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED', 'ADDED']);
      expect(namesIn(begun).sort()).toEqual([object, ...others].map(nameOf).sort());
      const changed = await objects.merge(nameOf(object), changeOf(kind, 1));
      const event = await watch.next('the change');
      expect(event).toMatchObject({ type: 'MODIFIED', object: changeOf(kind, 1) });
      expect(event.object).toEqual(changed);
      await objects.remove(nameOf(object), background);
      expect(await watch.next('the removal', besidesMarks)).toMatchObject({
        type: 'DELETED',
        object: changeOf(kind, 1),
      });
    },
  }),

  // At version `0` a watch begins with objects of any age, told as added, and goes on with changes.
  defineRule('watch.rv.zero', {
    ...everyKind,
    sabotage: [swallowEvent('ADDED', watches), swallowEvent('MODIFIED', watches)],
    async check({ objects, expect, waitUntil }, { kind, view }) {
      const viewed = objects.viewed(view);
      const made = await objects.createMany(2);
      await objects.merge(nameOf(made[0]), changeOf(kind, 1));
      await objects.merge(nameOf(made[0]), marking('changed'));
      const shown = async () => (await viewed.list({ resourceVersion: '0' })).items;
      const isChanged = ({ metadata }: Json): boolean => metadata.annotations?.['example.com/round'] === 'changed';
      const isBoth = (items: readonly Json[]): boolean => items.length === 2 && items.some(isChanged);
      await waitUntil('any version shows both objects, and the change', shown, isBoth);
      const watch = await viewed.watch({ resourceVersion: '0' });
      const present = await watch.take(2);
      expect(present.map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
      expect(namesIn(present).sort()).toEqual(made.map(nameOf));
      const changed = await objects.merge(nameOf(made[0]), changeOf(kind, 2));
      const event = await watch.next(
        'the change',
        ({ object }) => kind.busy === false || versionOf(object) === versionOf(changed),
      );
      expect(event).toMatchObject({ type: 'MODIFIED', object: changeOf(kind, 2) });
    },
  }),

  // At a version a watch tells what happened after it, all of that and nothing else.
  defineRule('watch.rv.nonzero.exact', {
    matrix: { kind: plainKinds, view: watchViews },
    where: seen,
    sabotage: [
      repeatEvent('ADDED', watches),
      swallowEvent('MODIFIED', watches),
      ignoreQuery('resourceVersion', watches),
      swallowEvent('DELETED', { ...watches, path: /\/t[a-z0-9]+s$/ }),
    ],
    async check({ objects, expect }, { kind, view }) {
      const [first] = await objects.createMany(1, {}, 'first');
      const [second] = await objects.createMany(1, {}, 'second');
      const changed = await objects.merge(nameOf(first), changeOf(kind, 1));
      await objects.remove(nameOf(second), background);
      // Objects that the view does not see.
      if (view === 'labels' || view === 'WebSocket')
        await objects.createMany(1, { metadata: { labels: null } }, 'other');
      const again = await objects.merge(nameOf(first), marking('zuletzt ✓ 語'));
      const watch = await objects.viewed(view).watch({ resourceVersion: versionOf(first) });
      const events = await watch.take(4, besidesMarks);
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'MODIFIED']);
      expect(namesIn(events)).toEqual([second, first, second, first].map(nameOf));
      expect(
        [events[0], events[1], events[3]].map((event) => event?.object),
        'each as it was then',
      ).toEqual([second, changed, again]);
    },
  }),

  // At a version a watch does not tell of present objects.
  defineRule('watch.rv.nonzero.no-synthetic', {
    ...everyKind,
    sabotage: [
      ignoreQuery('resourceVersion', watches),
      ignoreQuery('resourceVersion', { ...watches, header: { 'sec-websocket-key': /./ } }),
    ],
    async check({ objects, expect }, { kind, view }) {
      const viewed = objects.viewed(view);
      const made = await objects.createMany(3);
      const { metadata } = await viewed.list();
      const watch = await viewed.watch({ resourceVersion: metadata.resourceVersion });
      const later = await objects.create();
      const isOurs = ({ type }: WatchEvent): boolean => !kind.busy || type === 'ADDED';
      const event = await watch.next('the first event', isOurs);
      expect(event.type).toBe('ADDED');
      expect(event.object?.metadata?.name).toBe(nameOf(later));
      expect(namesOf({ items: made } as Json), 'present objects').not.toContain(event.object?.metadata?.name);
      const { resourceVersion } = (await viewed.list()).metadata;
      const one = await viewed.watch({ resourceVersion, fieldSelector: `metadata.name=${nameOf(later)}` });
      await objects.merge(nameOf(later), marking('one'));
      expect((await one.next('the first event of one object')).type).toBe('MODIFIED');
    },
  }),
];
