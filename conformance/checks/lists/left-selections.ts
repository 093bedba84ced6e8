import type { Expect } from '../../assertions.ts';
import { type Collection, markedAs, markLabel } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { changeOf, type Subject } from '../../verbs/subjects.ts';
import type { Watch } from '../../verbs/watch.ts';

/** What is gone from a selection, or altogether, is told with its first change and by the mark that was selected. */
export function showsAsItWas(expect: Expect, what: string, object: Json, kind: Subject): void {
  expect(object, `${what}: the object as it was`).toMatchObject(changeOf(kind, 1));
  expect(object.metadata.labels?.[markLabel], `${what}: its mark as it was`).not.toBe('another');
}

/**
 * Another object comes, leaves what a watch by its mark selects, and is deleted then: what the watch tells next of two
 * changes. Of the deletion it tells nothing. Before them what a watch tells first that goes on at the version of an
 * earlier removal: not that.
 */
export async function afterLeaving(
  objects: Collection,
  watch: Watch,
  removal: string | undefined,
): Promise<readonly string[]> {
  const later = await objects.viewed('labels').watch({ resourceVersion: removal });
  const first = await later.next('what comes after the removal');
  later.close();
  const name = nameOf(await objects.create());
  await objects.merge(name, markedAs('another'));
  await objects.remove(name, { query: { propagationPolicy: 'Background' } });
  const told = await watch.take(2);
  return [
    first.type,
    ...told.map(({ type, object }) => (nameOf(object) === name ? type : `${type} ${nameOf(object)}`)),
  ];
}
