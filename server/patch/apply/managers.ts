import { isTextOrNone } from '../../base/json-value.ts';
import type { ManagedFieldsEntry } from '../../base/kube-object.ts';
import { type FieldSet, fromFieldsV1, isEmptySet, toFieldsV1, unionOfAll } from './field-set.ts';

/** One who owns fields, and what. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339; absent when its writes changed no content. */
  readonly time?: string;
  readonly fields: FieldSet;
}

/** By identity: name, operation, subresource, and for updates also apiVersion. */
export type Managers = Map<string, Manager>;

export const identityOf = ({ name, operation, apiVersion, subresource }: Omit<Manager, 'fields' | 'time'>) =>
  JSON.stringify({
    manager: name,
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource && { subresource }),
  });

/** What was read of an entry. Stored entries are shared by the versions of an object, so that each is parsed once. */
interface Read {
  readonly identity: string;
  readonly manager: Manager;
}

const known = new WeakMap<ManagedFieldsEntry, Read>();

function readEntry(entry: ManagedFieldsEntry): Read | undefined {
  const { manager: name, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry;
  if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || fieldsType !== 'FieldsV1') return undefined;
  if (![apiVersion, name, subresource, time].every(isTextOrNone)) return undefined;
  const fields = fromFieldsV1(fieldsV1 ?? {});
  if (!fields) return undefined;
  const owner = { name: name ?? '', operation, apiVersion, subresource: subresource ?? '' } as const;
  const manager: Manager = { ...owner, ...(time && { time }), fields };
  const read: Read = { identity: identityOf(manager), manager };
  known.set(entry, read);
  return read;
}

/** The managers of an object; undefined when an entry cannot be read. The entries must not change any more. */
export function readManagers(entries: readonly ManagedFieldsEntry[] | null | undefined): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of entries ?? []) {
    const read = known.get(entry) ?? readEntry(entry);
    if (!read) return undefined;
    managers.set(read.identity, read.manager);
  }
  return managers;
}

const rank = ['operation', 'time', 'manager', 'apiVersion', 'subresource'] as const;

/** In the order of a server: Apply before Update, then by time, manager, apiVersion and subresource. */
export const inOrder = (entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] => [...entries].sort(byRank);

/** Times are all spelt alike, so that texts tell which is earlier. */
function byRank(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  for (const field of rank) {
    const [mine = '', theirs = ''] = [a[field], b[field]];
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}

/** The managers as entries. @param before the entries that they were read from: who did not change keeps his */
export function writeManagers(
  managers: Managers,
  before: readonly ManagedFieldsEntry[] = [],
): readonly ManagedFieldsEntry[] {
  const entries: ManagedFieldsEntry[] = [];
  for (const [identity, manager] of managers) {
    let same: ManagedFieldsEntry | undefined;
    for (const entry of before) if (known.get(entry)?.manager === manager) same = entry;
    entries.push(same ?? writeEntry(manager, identity));
  }
  return entries.length > 1 ? entries.sort(byRank) : entries;
}

export function writeEntry(manager: Manager, identity = identityOf(manager)): ManagedFieldsEntry {
  const { name, operation, apiVersion, time, subresource, fields } = manager;
  const entry: ManagedFieldsEntry = {
    manager: name,
    operation,
    apiVersion,
    ...(time && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: toFieldsV1(fields),
    ...(subresource && { subresource }),
  };
  known.set(entry, { identity, manager });
  return entry;
}

/** Gives a manager other fields; one without fields is no manager any more. */
export function setFields(managers: Managers, identity: string, manager: Manager, fields: FieldSet): void {
  if (isEmptySet(fields)) managers.delete(identity);
  else managers.set(identity, { ...manager, fields });
}

const compareTexts = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);

export const maximumUpdateManagers = 10;
const bucketName = 'ancient-changes';

/**
 * Keeps the number of `Update` entries at most 10: the oldest of a version are merged into one entry of the manager
 * `ancient-changes`, as long as there is more than one of that version.
 */
export function capUpdateManagers(managers: Managers): void {
  let count = 0;
  for (const { operation } of managers.values()) if (operation === 'Update') count++;
  if (count <= maximumUpdateManagers) return;
  const oldestFirst = [...managers]
    .filter(([, { operation }]) => operation === 'Update')
    .sort(([idA, a], [idB, b]) => compareTexts(a.time, b.time) || compareTexts(idA, idB));
  const firstOfVersion = new Map<string, string>();
  const merged: Merged = new Map();
  for (const [identity, manager] of oldestFirst) {
    if (count <= maximumUpdateManagers) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) firstOfVersion.set(manager.apiVersion, identity);
    else {
      mergeInto(managers, merged, first, identity, manager);
      count--;
    }
  }
  for (const [identity, { bucket, sets }] of merged) managers.set(identity, { ...bucket, fields: unionOfAll(sets) });
}

/** What buckets are made of, by identity. */
type Merged = Map<string, { readonly bucket: Omit<Manager, 'fields'>; readonly sets: FieldSet[] }>;

/** Merges a manager, or the bucket that it is already, with the oldest one of its version. */
function mergeInto(managers: Managers, merged: Merged, first: string, identity: string, manager: Manager): void {
  const { apiVersion, time, fields } = manager;
  const bucket: Omit<Manager, 'fields'> = {
    name: bucketName,
    operation: 'Update',
    apiVersion,
    subresource: '',
    ...(time && { time }),
  };
  const bucketIdentity = identityOf(bucket);
  const present = identity === bucketIdentity ? undefined : managers.get(bucketIdentity);
  const older = present ?? managers.get(first);
  const sets = merged.get(bucketIdentity)?.sets ?? [];
  // What the bucket holds since this began is among them already.
  if (older && !(present && sets.length > 0)) sets.push(older.fields);
  if (!present) managers.delete(first);
  managers.delete(identity);
  managers.set(bucketIdentity, { ...bucket, fields });
  sets.push(fields);
  merged.set(bucketIdentity, { bucket, sets });
}
