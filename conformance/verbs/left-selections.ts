import { type Collection, markedAs } from './collection.ts';
import { nameOf } from './states.ts';
import type { Watch } from './watch.ts';

/**
 * Another object comes, leaves what a watch by its mark selects, and is deleted then: what the watch tells next of two
 * changes. Of the deletion it tells nothing.
 */
export async function afterLeaving(objects: Collection, watch: Watch): Promise<readonly string[]> {
  const name = nameOf(await objects.create());
  await objects.merge(name, markedAs('another'));
  await objects.remove(name, { query: { propagationPolicy: 'Background' } });
  const told = await watch.take(2);
  return told.map(({ type, object }) => (nameOf(object) === name ? type : `${type} ${nameOf(object)}`));
}
