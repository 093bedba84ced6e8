import type { ManagedFieldsEntry } from '../../base/kube-object.ts';
import { difference, type FieldSet, includes, isEmptySet } from './field-set.ts';
import { inOrder, type Manager, type Managers, readManagers, writeEntry } from './managers.ts';
import { fieldsAt } from './tracked-write.ts';

/**
 * A Scale stands for an object: its entries tell who set the number of replicas, and so do those of the object. An entry
 * of the object is one of the Scale where it owns the number.
 */
export interface BehindStandIn {
  /** Of the version of the object that is written, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Of the document, such as `autoscaling/v1`. */
  readonly documentVersion: string;
  /** Where a version of the object has its number: `.spec.replicas`; empty: nowhere; undefined: no such version. */
  fieldIn(apiVersion: string): string | undefined;
}

const numberInDocument = fieldsAt(['spec', 'replicas']);

const fieldAt = (path: string): FieldSet => fieldsAt(path.split('.').filter((name) => name !== ''));

/** The number in the version of a manager; undefined where it is not his. */
function ownedNumber({ apiVersion, fields }: Manager, { fieldIn }: BehindStandIn): FieldSet | undefined {
  const path = fieldIn(apiVersion);
  const number = path ? fieldAt(path) : undefined;
  return number && includes(fields, number) ? number : undefined;
}

/** The entries of the Scale of an object. An update's are those of another version, and so of another manager. */
export function entriesOfStandIn(
  entries: readonly ManagedFieldsEntry[] | undefined,
  behind: BehindStandIn,
): readonly ManagedFieldsEntry[] {
  const managers: Managers = new Map();
  for (const [identity, manager] of readManagers(entries) ?? []) {
    if (!ownedNumber(manager, behind)) continue;
    managers.set(identity, { ...manager, apiVersion: behind.documentVersion, fields: numberInDocument });
  }
  return inOrder(Array.from(managers.values(), (manager) => writeEntry(manager)));
}

/**
 * The entries of an object after a write to its Scale: who does not own the number in the Scale any more loses it, who
 * owns it there anew gets an entry of nothing else. Entries of versions that are not served any more go.
 */
export function entriesAfterStandIn(
  before: readonly ManagedFieldsEntry[] | undefined,
  ofDocument: readonly ManagedFieldsEntry[],
  behind: BehindStandIn,
): readonly ManagedFieldsEntry[] {
  const parents = readManagers(before) ?? new Map();
  const owners = readManagers(ofDocument) ?? new Map();
  const after: Managers = new Map();
  for (const [identity, manager] of parents) {
    if (behind.fieldIn(manager.apiVersion) === undefined) continue;
    const number = ownedNumber(manager, behind);
    if (!number || owners.delete(identity)) after.set(identity, manager);
    else {
      const fields = difference(manager.fields, number);
      if (!isEmptySet(fields)) after.set(identity, { ...manager, fields });
    }
  }
  const fields = fieldAt(behind.fieldIn(behind.apiVersion) ?? '');
  for (const [identity, { name, operation, subresource, fields: inDocument }] of owners) {
    if (!includes(inDocument, numberInDocument)) continue;
    const time = parents.get(identity)?.time;
    // The key is the Scale's, so that an update's entry stands beside the one that its manager has already.
    after.set(identity, { name, operation, subresource, apiVersion: behind.apiVersion, fields, ...(time && { time }) });
  }
  return inOrder(Array.from(after.values(), (manager) => writeEntry(manager)));
}
