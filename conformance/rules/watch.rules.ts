import { defineRule } from '../rule.ts';
import { repeatEvent, swallowEvent } from '../sabotage/transforms.ts';
import type { WatchEvent } from '../verbs/watch.ts';

const watches = { method: 'GET', query: { watch: true } };

export default [
  defineRule('watch.resume', {
    sabotage: [swallowEvent('MODIFIED', { ...watches, nth: 2 }), repeatEvent('MODIFIED', { ...watches, nth: 2 })],
    async check({ secrets, expect }) {
      const { metadata } = await secrets.create();
      const versions: string[] = [metadata.resourceVersion];
      const change = async (round: number): Promise<void> => {
        const changed = await secrets.merge(metadata.name, { data: { round: `r${String(round).padStart(3, '0')}` } });
        versions.push(changed.metadata.resourceVersion);
      };
      const versionOf = ({ object }: WatchEvent): string => object.metadata.resourceVersion;
      const first = await secrets.watch({ resourceVersion: metadata.resourceVersion });
      await change(1);
      const last = versionOf(await first.next('the change before the disconnect'));
      first.close();
      await change(2);
      await change(3);
      const second = await secrets.watch({ resourceVersion: last });
      await change(4);
      expect((await second.take(3)).map(versionOf)).toEqual(versions.slice(2));
    },
  }),
];
