import { deepEqual } from '../base/deep-equal.ts';
import { type Json, type KubeObject, type ManagedFieldsEntry, parseApiVersion } from '../base/kube-object.ts';
import type { KindRules } from '../kinds/strategy.ts';
import { checkTyped } from '../patch/apply/check-typed.ts';
import { defaultManager } from '../patch/apply/field-manager.ts';
import type { FieldSet } from '../patch/apply/field-set.ts';
import { sameOwnership, trackUpdate } from '../patch/apply/track-update.ts';
import { fieldsAt, type OtherVersion, type TrackedWrite } from '../patch/apply/tracked-write.ts';
import type { WriteCall } from './call.ts';
import { standInOf } from './patch-document.ts';
import type { Resource, ServedVersion } from './resource.ts';

/** Who writes and what such a write may own, for the library that keeps managedFields. */
export function trackedWrite(call: WriteCall): TrackedWrite {
  const { resource, subresource, services, options } = call;
  return {
    structure: resource.served.structure,
    manager: options.fieldManager || defaultManager(call.userAgent),
    apiVersion: resource.served.apiVersion,
    subresource,
    now: services.clock.now(),
    resetFields: unownedFields(resource, subresource),
    otherVersion: (apiVersion) => otherVersion(call, apiVersion),
  };
}

const sets = new WeakMap<KindRules, Map<string, FieldSet>>();

/** What a write through this path cannot set, and so never owns. Worked out once a kind and path. */
function unownedFields({ rules, splitsStatus }: Resource, subresource: string): FieldSet {
  let known = sets.get(rules);
  if (!known) {
    known = new Map();
    sets.set(rules, known);
  }
  let set = known.get(subresource);
  if (!set) {
    const standard = subresource ? ['spec'] : splitsStatus ? ['status'] : [];
    const names = (subresource ? rules.subresources?.[subresource]?.unownedFields : rules.unownedFields) ?? standard;
    set = fieldsAt(...names.map((path) => path.split('.')));
    known.set(subresource, set);
  }
  return set;
}

function otherVersion({ resource, services }: WriteCall, apiVersion: string): OtherVersion | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  const found = services.resources.find(group, version, resource.plural);
  if (!found || found.prefix !== resource.prefix || found.group !== resource.group) return undefined;
  const { served: other } = found;
  const { served } = resource;
  return {
    structure: other.structure,
    from: async (object) => other.conversion?.relabel?.(object) ?? throughStorage(served, other, object),
    to: async (object) => throughStorage(other, served, object),
  };
}

async function throughStorage(from: ServedVersion, to: ServedVersion, object: KubeObject): Promise<KubeObject> {
  const stored = from.conversion ? await from.conversion.toStorage(object) : object;
  return to.conversion ? to.conversion.fromStorage(stored) : stored;
}

/**
 * Books a create, update or patch that makes `next` of `live`, both in the request's version, in the managedFields of
 * `object`. In place.
 */
export function bookManagers(
  call: WriteCall,
  live: KubeObject | undefined,
  next: KubeObject,
  object = next,
): void | Promise<void> {
  const entries = leftOutFits(call, next) ? trackUpdate({ ...trackedWrite(call), ...(live && { live }), next }) : [];
  if (entries instanceof Promise) return entries.then((known) => setManagers(object, known));
  setManagers(object, entries);
}

/** Whether what is not written through this path, and so is never validated, is at least of the right types. */
function leftOutFits(call: WriteCall, object: KubeObject): boolean {
  const { resource, subresource } = call;
  if (!resource.custom || !resource.splitsStatus || standInOf(call)) return true;
  const { status, metadata: _, ...rest } = object;
  const leftOut = subresource ? rest : { status: status ?? null };
  return checkTyped(leftOut as Json, resource.served.structure).length === 0;
}

export function setManagers(object: KubeObject, entries: readonly ManagedFieldsEntry[]): void {
  if (entries.length > 0) object.metadata.managedFields = [...entries];
  else delete object.metadata.managedFields;
}

/** Whether nothing was changed, not even a time. */
export const isUnchanged = (next: KubeObject, stored: KubeObject): boolean => deepEqual(next, stored);

/** Whether two objects differ in nothing but the times of their entries: then nothing was changed. */
export function differInTimesAlone(next: KubeObject, stored: KubeObject): boolean {
  return (
    sameMembers(next, stored, 'metadata') &&
    sameMembers(next.metadata as Members, stored.metadata as Members, 'managedFields') &&
    sameOwnership(stored.metadata.managedFields, next.metadata.managedFields)
  );
}

type Members = { readonly [name: string]: unknown };

function sameMembers(a: Members, b: Members, apart: string): boolean {
  for (const name in b) if (name !== apart && !Object.hasOwn(a, name)) return false;
  for (const name in a) {
    if (name !== apart && !(Object.hasOwn(b, name) && deepEqual(a[name], b[name]))) return false;
  }
  return true;
}
