import { formatTime } from '../../base/clock.ts';
import { deepEqual } from '../../base/deep-equal.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { isSame } from './compare.ts';
import { difference, includes, isEmptySet, noFields, union } from './field-set.ts';
import { firstFields } from './first-fields.ts';
import {
  capUpdateManagers,
  identityOf,
  type Manager,
  type Managers,
  readManagers,
  setFields,
  writeManagers,
} from './managers.ts';
import { ignoredBy, managerNameOf, type TrackedWrite, WriteDifferences } from './tracked-write.ts';
import { UntypedValue } from './typed-value.ts';

export interface TrackedUpdate extends TrackedWrite {
  /** As stored; absent for a create. */
  readonly live?: KubeObject | undefined;
  /** As it will be, before the kind's own preparation. Its managedFields may be what the client sent. */
  readonly next: KubeObject;
}

type Entries = ManagedFieldsEntry[];

/**
 * Books a create, an update or a patch other than apply: the manager takes the fields whose value it set, others lose
 * them, and what was removed leaves every entry. Clients may set or clear the entries (an empty list, or a list of one
 * empty entry); a list that cannot be read is ignored. An object that has no entries gets none until it is applied to,
 * and one that does not fit its structure (an element of a list without its key, or two alike) loses them.
 * Neither object is changed.
 * @returns the entries of the object from now on, those of `live` itself when nothing changed; a promise only where some
 *   manager wrote in another version
 */
export function trackUpdate(
  update: TrackedUpdate,
): readonly ManagedFieldsEntry[] | Promise<readonly ManagedFieldsEntry[]> {
  const { live } = update;
  const stored = live?.metadata.managedFields ?? [];
  const sent = sentEntries(update);
  if (live && sent?.length === 0) return [];
  if (!live && !sent?.length) {
    const first = firstEntry(update);
    if (first) return first;
  }
  const managers = readManagers(sent ?? stored) ?? new Map();
  if (live && managers.size === 0) return [];
  // Entries of one manager that stood apart become one.
  const unbooked = () => (sent || managers.size !== stored.length ? finished(managers) : stored);
  const untyped = (error: unknown) => {
    if (!(error instanceof UntypedValue)) throw error;
    return [];
  };
  try {
    const differences = new WriteDifferences(update.live, update.next, update);
    if (isSame(differences.own)) return unbooked();
    const loading = differences.load(managers);
    if (!loading) return booked(managers, differences, update);
    return loading.then(() => booked(managers, differences, update)).catch(untyped);
  } catch (error) {
    return untyped(error);
  }
}

function booked(managers: Managers, differences: WriteDifferences, update: TrackedUpdate): Entries {
  book(managers, differences, update);
  return finished(managers);
}

function finished(managers: Managers): Entries {
  dropEmpty(managers);
  capUpdateManagers(managers);
  return writeManagers(managers);
}

/** The one entry of a new object that brings none; undefined when its fields must be compared. */
function firstEntry(update: TrackedUpdate): Entries | undefined {
  const { next, structure, apiVersion, subresource, now } = update;
  const fieldsV1 = firstFields(next as unknown as JsonObject, structure, ignoredBy(update));
  if (!fieldsV1) return undefined;
  if (Object.keys(fieldsV1).length === 0) return [];
  const manager = managerNameOf(update);
  const time = now === undefined ? undefined : formatTime(now);
  return [
    {
      manager,
      operation: 'Update',
      apiVersion,
      ...(time && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...(subresource && { subresource }),
    },
  ];
}

/** The entries that count instead of the stored ones; empty: they are cleared; undefined: none were sent. */
function sentEntries({ live, next, subresource }: TrackedUpdate): Entries | undefined {
  const sent = next.metadata.managedFields as unknown;
  if (!isListOfEntries(sent) || subresource) return undefined;
  if (sent.length === 0 || (sent.length === 1 && isBlank(sent[0]))) return [];
  if (sent === live?.metadata.managedFields || deepEqual(sent, live?.metadata.managedFields)) return undefined;
  return readManagers(sent) ? sent : undefined;
}

const isListOfEntries = (sent: unknown): sent is Entries =>
  Array.isArray(sent) && sent.every((entry) => typeof entry === 'object' && entry !== null);

const isBlank = (entry: ManagedFieldsEntry | undefined) =>
  entry !== undefined && Object.values(entry).every((value) => value === undefined || value === null || value === '');

function book(managers: Managers, differences: WriteDifferences, update: TrackedUpdate): void {
  const writer = writerOf(update);
  const own = identityOf(writer);
  for (const [identity, manager] of [...managers]) {
    const effect = differences.on(manager);
    if (!effect) managers.delete(identity);
    else {
      const { added, modified, removed } = effect.differences;
      const left = difference(effect.fields, removed);
      const lost = identity === own ? noFields : union(added, modified);
      setFields(managers, identity, manager, difference(left, lost));
    }
  }
  const taken = union(differences.own.added, differences.own.modified);
  if (isEmptySet(taken)) return;
  const known = managers.get(own)?.fields ?? noFields;
  managers.set(own, { ...writer, fields: includes(known, taken) ? known : union(known, taken) });
}

const writerOf = (update: TrackedUpdate): Manager => ({
  name: managerNameOf(update),
  operation: 'Update',
  apiVersion: update.apiVersion,
  subresource: update.subresource,
  ...(update.now !== undefined && { time: formatTime(update.now) }),
  fields: noFields,
});

function dropEmpty(managers: Managers): void {
  for (const [identity, { fields }] of managers) if (isEmptySet(fields)) managers.delete(identity);
}

/** The entries with which an object without any is first applied to: all that is there, as one update's. */
export function entriesBeforeFirstApply(
  live: KubeObject,
  write: TrackedWrite,
): readonly ManagedFieldsEntry[] | Promise<readonly ManagedFieldsEntry[]> {
  const { managedFields, ...metadata } = live.metadata;
  const next = { ...live, metadata };
  return trackUpdate({ ...write, manager: 'before-first-apply', live: undefined, next });
}

/** Whether two lists of entries differ in nothing but times; a write that changes only times changes nothing. */
export function sameOwnership(
  before: readonly ManagedFieldsEntry[] = [],
  after: readonly ManagedFieldsEntry[] = [],
): boolean {
  if (before === after) return true;
  if (before.length !== after.length) return false;
  const timeless = ({ time, ...entry }: ManagedFieldsEntry) => entry;
  return before.every((entry, index) => {
    const other = after[index];
    return other !== undefined && (entry === other || deepEqual(timeless(entry), timeless(other)));
  });
}
