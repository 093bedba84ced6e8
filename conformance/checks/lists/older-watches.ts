import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { marking } from '../../verbs/subjects.ts';
import type { WatchEvent } from '../../verbs/watch.ts';

/** Where what has this path is always watched, whatever the query says. */
export const olderPath = (path: string): string => path.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\//, '$1/watch/');

/** One object is watched by the older path with its name: its changes are told, and those of no other. */
export async function watchesOne({ watch, expect }: RuleContext, objects: Collection, object: Json): Promise<void> {
  const other = await objects.create();
  const query = { watch: '0', resourceVersion: versionOf(object) };
  const told = await watch(olderPath(await objects.path(nameOf(object))), query);
  await objects.merge(nameOf(other), marking('elsewhere'));
  const { metadata } = await objects.merge(nameOf(object), marking('seen'));
  const isIt = (event: WatchEvent): boolean => versionOf(event.object) === metadata.resourceVersion;
  expect((await told.next('the change of one object, by the older path', isIt)).type).toBe('MODIFIED');
  const names = new Set(told.events.map((event) => nameOf(event.object)));
  expect([...names], 'of what the older path of one object tells').toEqual([metadata.name]);
  told.close();
}
