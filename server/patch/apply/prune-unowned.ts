import { cloneJson } from '../../base/clone.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { difference, type FieldSet, intersection, noFields, union, unionOfAll } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { prune } from './merge.ts';
import { convertedBy, type OtherVersion, objectIn } from './other-versions.ts';
import { fieldsAt, type TrackedWrite } from './tracked-write.ts';
import { fieldSetOf } from './typed-value.ts';

/** A copy of its own in another version, which it must fit. @throws UnmergeableObjectError */
function* shownIn(version: OtherVersion, object: JsonObject): Work<JsonObject> {
  return cloneJson(yield* objectIn(version, object as unknown as KubeObject)) as unknown as JsonObject;
}

/** A copy of its own in the version of the request. @throws UnmergeableObjectError */
function* back(version: OtherVersion, object: JsonObject): Work<JsonObject> {
  return cloneJson(yield* convertedBy(version.to, object as unknown as KubeObject)) as unknown as JsonObject;
}

/**
 * Takes out of a merged object what its manager applied last time and nobody holds any more, whatever the versions in
 * which the managers wrote. `merged` may be changed.
 * @param managers all managers, the applying one with its new fields
 */
export function* pruneUnowned(
  merged: JsonObject,
  last: Manager,
  managers: Managers,
  write: TrackedWrite,
): Work<JsonObject> {
  const held = heldByVersion(managers, write);
  const heldThere = union(held.get(last.apiVersion) ?? noFields, named);
  if (last.apiVersion === write.apiVersion && held.size === 1) {
    return prune(merged, write.structure, last.fields, heldThere);
  }
  const there = versionOf(last.apiVersion, write);
  if (!there) return merged;
  const { structure } = there;
  held.delete(last.apiVersion);
  const whole = yield* shownIn(there, merged);
  let pruned = yield* back(there, prune(cloneJson(whole), structure, last.fields, heldThere));
  for (const [apiVersion, fields] of held) {
    const version = versionOf(apiVersion, write);
    if (version) pruned = yield* restore(merged, pruned, fields, version);
  }
  // What others hold in their versions may have brought back what was there in this one.
  const left = fieldSetOf(yield* shownIn(there, pruned), structure);
  const gone = intersection(difference(fieldSetOf(whole, structure), left), last.fields);
  return yield* back(there, prune(whole, structure, gone, left));
}

/** Every configuration has a name: what else is in metadata is never taken out with it. */
const named = fieldsAt(['metadata', 'name']);

function heldByVersion(managers: Managers, { apiVersion: written }: TrackedWrite): Map<string, FieldSet> {
  const held = Map.groupBy(managers.values(), ({ apiVersion }) => apiVersion);
  const sets = Array.from(held, ([version, of]) => [version, unionOfAll(of.map(({ fields }) => fields))] as const);
  return new Map([[written, noFields], ...sets]);
}

const same = (object: KubeObject) => object;

const versionOf = (apiVersion: string, { structure, ...write }: TrackedWrite): OtherVersion | undefined =>
  apiVersion === write.apiVersion ? { structure, from: same, to: same } : write.otherVersion?.(apiVersion);

/** Puts back what was pruned although somebody holds it in another version, with what it held there. */
function* restore(merged: JsonObject, pruned: JsonObject, held: FieldSet, version: OtherVersion): Work<JsonObject> {
  const { structure } = version;
  const full = yield* shownIn(version, merged);
  const left = fieldSetOf(yield* shownIn(version, pruned), structure);
  const gone = difference(fieldSetOf(full, structure), left);
  return yield* back(version, prune(full, structure, gone, union(held, left)));
}
