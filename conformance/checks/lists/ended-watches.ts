import { heldFrom } from '../../holds-for.ts';
import type { Query } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { streams } from '../../verbs/watch.ts';

type Watching = Pick<RuleContext, 'patience' | 'version' | 'expect'> & { readonly objects: Collection };

/** A watch in which nothing happens lasts as long as any. */
export async function lastsIdle({ objects, patience, expect }: Watching): Promise<void> {
  const begin = performance.now();
  const watch = await objects.viewed('labels').watch({ timeoutSeconds: 3, labelSelector: 'touchstone/none' });
  await watch.ended(3_000 + patience);
  expect(performance.now() - begin, 'milliseconds, of three seconds').toBeGreaterThan(2_900);
}

/** What a watch may ask for besides its end. */
const shortWatches = (resourceVersion: string): readonly Query[] => [
  {},
  { resourceVersion },
  { allowWatchBookmarks: true },
  { labelSelector: 'touchstone/none' },
  { fieldSelector: 'metadata.name=touchstone-none' },
];

/** A watch ends when it is asked to, whatever else it is asked for. */
export async function endsInTime({ objects, patience, version, expect }: Watching): Promise<void> {
  const { metadata } = await objects.viewed('labels').list();
  const short = (query: Query, at = objects) => at.watch({ ...query, timeoutSeconds: 1 });
  const watches = await Promise.all([
    ...shortWatches(metadata.resourceVersion).map((query) => short(query)),
    // Those of some older servers went on for ever.
    ...(heldFrom({ from: 22 }, version) ? [] : [short({}, objects.viewed('WebSocket'))]),
  ]);
  for (const watch of watches) {
    expect(streams(watch), `it begins: ${watch.status}`).toBe(true);
    await watch.ended(1_000 + patience);
  }
}
