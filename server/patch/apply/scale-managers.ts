import type { ManagedFieldsEntry } from '../../base/kube-object.ts';
import { difference, type FieldSet, includes, isEmptySet } from './field-set.ts';
import { type Manager, type Managers, readManagers, writeManagers } from './managers.ts';
import { fieldsAt } from './tracked-write.ts';

/**
 * Who set the number of replicas, as the entries of a Scale tell it and as those of the object behind it do. An entry of
 * the object stands for one of the Scale where it owns the number.
 */
export interface ScaledObject {
  /** Of the version that is written, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Where a version of the object has its number: `.spec.replicas`; empty: nowhere; undefined: no such version. */
  replicasIn(apiVersion: string): string | undefined;
}

const scaleVersion = 'autoscaling/v1';
const replicasOfScale = fieldsAt(['spec', 'replicas']);

const fieldAt = (path: string): FieldSet => fieldsAt(path.split('.').filter((name) => name !== ''));

/** The number in the version of a manager; undefined where it is not his. */
function ownedNumber({ apiVersion, fields }: Manager, { replicasIn }: ScaledObject): FieldSet | undefined {
  const path = replicasIn(apiVersion);
  const number = path ? fieldAt(path) : undefined;
  return number && includes(fields, number) ? number : undefined;
}

/** The entries of the Scale of an object. An update's are those of another version, and so of another manager. */
export function entriesOfScale(
  entries: readonly ManagedFieldsEntry[] | undefined,
  scaled: ScaledObject,
): ManagedFieldsEntry[] {
  const managers: Managers = new Map();
  for (const [identity, manager] of readManagers(entries) ?? []) {
    if (!ownedNumber(manager, scaled)) continue;
    managers.set(identity, { ...manager, apiVersion: scaleVersion, fields: replicasOfScale });
  }
  return writeManagers(managers);
}

/**
 * The entries of an object after a write to its Scale: who does not own the number in the Scale any more loses it, who
 * owns it there anew gets an entry of nothing else. Entries of versions that are not served any more go.
 */
export function entriesAfterScale(
  before: readonly ManagedFieldsEntry[] | undefined,
  ofScale: readonly ManagedFieldsEntry[],
  scaled: ScaledObject,
): ManagedFieldsEntry[] {
  const parents = readManagers(before) ?? new Map();
  const owners = readManagers(ofScale) ?? new Map();
  const after: Managers = new Map();
  for (const [identity, manager] of parents) {
    if (scaled.replicasIn(manager.apiVersion) === undefined) continue;
    const number = ownedNumber(manager, scaled);
    if (!number || owners.delete(identity)) after.set(identity, manager);
    else {
      const fields = difference(manager.fields, number);
      if (!isEmptySet(fields)) after.set(identity, { ...manager, fields });
    }
  }
  const fields = fieldAt(scaled.replicasIn(scaled.apiVersion) ?? '');
  for (const [identity, { name, operation, subresource, fields: inScale }] of owners) {
    if (!includes(inScale, replicasOfScale)) continue;
    const time = parents.get(identity)?.time;
    // The key is the Scale's, so that an update's entry stands beside the one that its manager has already.
    after.set(identity, { name, operation, subresource, apiVersion: scaled.apiVersion, fields, ...(time && { time }) });
  }
  return writeManagers(after);
}
