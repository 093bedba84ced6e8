import { cloneJson } from '../../base/clone.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { difference, type FieldSet, intersection, isEmptySet, noFields, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { prune } from './merge.ts';
import { fieldsAt, type OtherVersion, type TrackedWrite } from './tracked-write.ts';
import { fieldSetOf } from './typed-value.ts';

/** A copy of its own in another version. */
const convert = async (object: JsonObject, conversion: OtherVersion['from']) =>
  cloneJson(await conversion(object as unknown as KubeObject)) as unknown as JsonObject;

/**
 * Takes out of a merged object what its manager applied last time and nobody holds any more, whatever the versions in
 * which the managers wrote. `merged` may be changed.
 * @param managers all managers, the applying one with its new fields
 */
export async function pruneUnowned(
  merged: JsonObject,
  last: Manager,
  managers: Managers,
  write: TrackedWrite,
): Promise<JsonObject> {
  const held = heldByVersion(managers, write);
  const heldThere = union(held.get(last.apiVersion) ?? noFields, named);
  if (last.apiVersion === write.apiVersion && held.size === 1) {
    return prune(merged, write.structure, last.fields, heldThere);
  }
  const there = versionOf(last.apiVersion, write);
  if (!there) return merged;
  held.delete(last.apiVersion);
  let pruned = prune(await convert(merged, there.from), there.structure, last.fields, heldThere);
  pruned = await convert(pruned, there.to);
  for (const [apiVersion, fields] of held) {
    const version = versionOf(apiVersion, write);
    if (version) pruned = await restore(merged, pruned, fields, version);
  }
  return pruned;
}

/** Every configuration has a name: what else is in metadata is never taken out with it. */
const named = fieldsAt(['metadata', 'name']);

function heldByVersion(managers: Managers, { apiVersion: written }: TrackedWrite): Map<string, FieldSet> {
  const held = new Map<string, FieldSet>([[written, noFields]]);
  for (const { apiVersion, fields } of managers.values()) {
    held.set(apiVersion, union(held.get(apiVersion) ?? noFields, fields));
  }
  return held;
}

const same = (object: KubeObject) => object;

const versionOf = (apiVersion: string, { structure, ...write }: TrackedWrite): OtherVersion | undefined =>
  apiVersion === write.apiVersion ? { structure, from: same, to: same } : write.otherVersion?.(apiVersion);

/** Puts back what was pruned although somebody holds it in another version. */
async function restore(
  merged: JsonObject,
  pruned: JsonObject,
  held: FieldSet,
  version: OtherVersion,
): Promise<JsonObject> {
  const { structure, from, to } = version;
  const full = await convert(merged, from);
  const left = fieldSetOf(await convert(pruned, from), structure);
  const gone = difference(fieldSetOf(full, structure), left);
  if (isEmptySet(intersection(gone, held))) return pruned;
  return convert(prune(full, structure, gone, union(held, left)), to);
}
