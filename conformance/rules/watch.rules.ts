import { defineRule } from '../rule.ts';
import { repeatEvent, swallowEvent } from '../sabotage/transforms.ts';
import { nameOf, versionOf } from '../verbs/states.ts';
import { marking, quietKinds, seen, watchViews } from '../verbs/subjects.ts';
import type { WatchEvent } from '../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };

export default [
  // A watch that takes up where a broken one stopped neither misses nor repeats anything.
  defineRule('watch.resume', {
    matrix: { kind: quietKinds, view: watchViews },
    where: seen,
    sabotage: [
      swallowEvent('MODIFIED', watches),
      repeatEvent('MODIFIED', watches),
      repeatEvent('MODIFIED', { ...watches, path: /\/leases$/ }),
    ],
    async check({ objects, expect }, { view }) {
      const viewed = objects.viewed(view);
      const object = await objects.create();
      const versions: string[] = [versionOf(object)];
      const change = async (round: number): Promise<void> => {
        versions.push(versionOf(await objects.merge(nameOf(object), marking(`r${round}`))));
      };
      const shown = (event: WatchEvent): string => versionOf(event.object);
      const first = await viewed.watch({ resourceVersion: versionOf(object) });
      await change(1);
      const last = shown(await first.next('the change before the disconnect'));
      first.close();
      await change(2);
      await change(3);
      const second = await viewed.watch({ resourceVersion: last });
      await change(4);
      expect((await second.take(3)).map(shown)).toEqual(versions.slice(2));
    },
  }),
];
