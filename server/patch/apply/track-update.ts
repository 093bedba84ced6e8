import { deepEqual } from '../../base/deep-equal.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { formatTime } from '../../base/time/clock.ts';
import type { Work } from '../../base/turns/work.ts';
import { UnmergeableObjectError } from '../patch-error.ts';
import { difference, type FieldSet, includes, isEmptySet, noFields, union } from './field-set.ts';
import { type FieldsV1, fieldsOfBoth, firstFields } from './first-fields.ts';
import {
  capUpdateManagers,
  identityOf,
  type Manager,
  type Managers,
  maximumUpdateManagers,
  readManagers,
  setFields,
  writeManagers,
} from './managers.ts';
import { otherVersionsOf, reconcile } from './other-versions.ts';
import {
  type Changes,
  type ChangesByVersion,
  changesByVersion,
  changesIn,
  systemFields,
  type TrackedWrite,
} from './tracked-write.ts';
import { UntypedValue } from './typed-value.ts';

export interface TrackedUpdate extends TrackedWrite {
  /** As stored; absent for a create. */
  readonly live?: KubeObject | undefined;
  /** As it will be, before the kind's own preparation. Its managedFields may be what the client sent. */
  readonly next: KubeObject;
}

type Entries = readonly ManagedFieldsEntry[];

/**
 * Books a create, an update or a patch other than apply: the manager takes the fields whose value it set, others lose
 * them, and what was removed leaves every entry. Clients may set or clear the entries (an empty list, or a list of one
 * empty entry); a list that cannot be read is ignored. An object that has no entries gets none until it is applied to,
 * and one that does not fit its structure (an element of a list without its key, or two alike), or cannot be had in the
 * version of a manager, loses them.
 * Neither object is changed.
 * @returns the entries of the object from now on, those of `live` itself when nothing changed
 */
export function* trackUpdate(update: TrackedUpdate): Work<Entries> {
  const { live, next, structure, untracked = systemFields } = update;
  const sent = next.metadata.managedFields ? sentManagers(update) : undefined;
  if (live && sent?.size === 0) return [];
  if (!live && !sent?.size) {
    const fieldsV1 = yield* firstFields(next as unknown as JsonObject, structure, untracked);
    if (fieldsV1) return firstEntries(update, fieldsV1);
  }
  const again = live && !sent && writtenAgain(update, live);
  if (again) return again;
  const stored = live?.metadata.managedFields ?? [];
  const managers = sent ?? readManagers(stored) ?? new Map();
  if (live && managers.size === 0) return [];
  yield;
  // Entries of one manager that stood apart become one.
  const kept = sent || managers.size !== stored.length ? undefined : stored;
  return yield* compared(update, managers, kept);
}

function* compared(update: TrackedUpdate, managers: Managers, kept: Entries | undefined): Work<Entries> {
  const { live, next, structure } = update;
  try {
    const own = changesIn(structure, live, next, update.untracked);
    const versions = yield* otherVersionsOf(managers, live, update);
    const reconciled = reconcile(managers, versions, update);
    const changesNothing = isEmptySet(own.set) && isEmptySet(own.removed) && versions.size === 0;
    if (changesNothing) return (!reconciled && kept) || finished(managers, live);
    yield;
    book(managers, yield* changesByVersion(own, versions, next, update), own, update);
    yield;
    return finished(managers, live);
  } catch (error) {
    if (error instanceof UntypedValue || error instanceof UnmergeableObjectError) return [];
    throw error;
  }
}

function finished(managers: Managers, live: KubeObject | undefined): Entries {
  for (const [identity, { fields }] of managers) if (isEmptySet(fields)) managers.delete(identity);
  if (managers.size > maximumUpdateManagers) capUpdateManagers(managers);
  return writeManagers(managers, live?.metadata.managedFields);
}

/**
 * Where one writer alone owns all fields there are, and writes the same ones again, nothing comes or goes: at most the
 * time of its entry is another. Undefined when there is more to it.
 */
function writtenAgain(update: TrackedUpdate, live: KubeObject): Entries | undefined {
  const { next, structure, untracked = systemFields } = update;
  const entries = live.metadata.managedFields ?? [];
  const [own] = entries;
  if (!own || entries.length > 1 || !isOf(own, update)) return undefined;
  const [before, after] = [live as unknown as JsonObject, next as unknown as JsonObject];
  const fields = fieldsOfBoth(before, after, structure, untracked);
  if (!fields || !deepEqual(own.fieldsV1, fields)) return undefined;
  return sameBeside(before, after, untracked) ? entries : firstEntries(update, fields);
}

const isOf = (entry: ManagedFieldsEntry, { manager, apiVersion, subresource }: TrackedUpdate): boolean =>
  entry.manager === manager &&
  entry.operation === 'Update' &&
  entry.apiVersion === apiVersion &&
  (entry.subresource ?? '') === subresource &&
  entry.fieldsType === 'FieldsV1';

/** Whether two maps of the same fields hold the same values, but for what is left out. */
function sameBeside(before: JsonObject, after: JsonObject, ignored: FieldSet): boolean {
  for (const name in after) {
    const [then, now] = [before[name], after[name]];
    if (then === now) continue;
    const below = ignored.below.get(`f:${name}`);
    if (below?.owned) continue;
    const isPart = below && isJsonObject(then) && isJsonObject(now);
    if (isPart ? !sameBeside(then, now, below) : !deepEqual(then, now)) return false;
  }
  return true;
}

/** The one entry of an object that brings none, or whose fields are all its own. */
function firstEntries({ manager, apiVersion, subresource, now }: TrackedUpdate, fieldsV1: FieldsV1): Entries {
  if (Object.keys(fieldsV1).length === 0) return [];
  const entry: ManagedFieldsEntry = { manager, operation: 'Update', apiVersion };
  if (now !== undefined) entry.time = formatTime(now);
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fieldsV1;
  if (subresource) entry.subresource = subresource;
  return [entry];
}

/** Those that count instead of the stored ones; none: they are cleared; undefined: none were sent. */
function sentManagers({ live, next, subresource }: TrackedUpdate): Managers | undefined {
  const sent = next.metadata.managedFields as unknown;
  if (!isListOfEntries(sent) || subresource) return undefined;
  if (sent.length === 0 || (sent.length === 1 && isBlank(sent[0]))) return new Map();
  if (sent === live?.metadata.managedFields || deepEqual(sent, live?.metadata.managedFields)) return undefined;
  return readManagers(sent);
}

const isListOfEntries = (sent: unknown): sent is Entries =>
  Array.isArray(sent) && sent.every((entry) => typeof entry === 'object' && entry !== null);

const isBlank = (entry: ManagedFieldsEntry | undefined) =>
  entry !== undefined && Object.values(entry).every((value) => value === undefined || value === null || value === '');

/** In place. */
function book(managers: Managers, byVersion: ChangesByVersion, own: Changes, update: TrackedUpdate): void {
  const writer = writerOf(update);
  const identity = identityOf(writer);
  for (const [each, manager] of managers) {
    const changes = byVersion.get(manager.apiVersion);
    const fields = changes ? fieldsLeft(manager, changes, each === identity) : noFields;
    if (fields !== manager.fields) setFields(managers, each, manager, fields);
  }
  if (!isEmptySet(own.set)) {
    const known = managers.get(identity)?.fields ?? noFields;
    managers.set(identity, { ...writer, fields: includes(known, own.set) ? known : union(known, own.set) });
  }
}

/** What a manager still owns after a write, which is his own or somebody else's. */
export function fieldsLeft({ fields }: Manager, { set, removed }: Changes, own = false): FieldSet {
  const left = difference(fields, removed);
  return own ? left : difference(left, set);
}

const writerOf = ({ manager, apiVersion, subresource, now }: TrackedUpdate): Manager => ({
  name: manager,
  operation: 'Update',
  apiVersion,
  subresource,
  ...(now !== undefined && { time: formatTime(now) }),
  fields: noFields,
});

/** The entries with which an object without any is first applied to: all that is there, as one update's. */
export function entriesBeforeFirstApply(live: KubeObject, write: TrackedWrite): Work<Entries> {
  const { managedFields, ...metadata } = live.metadata;
  const next = { ...live, metadata };
  return trackUpdate({ ...write, manager: 'before-first-apply', live: undefined, next });
}

/** Whether two lists of entries differ in nothing but times; a write that changes only times changes nothing. */
export function sameOwnership(before: Entries = [], after: Entries = []): boolean {
  if (before === after) return true;
  if (before.length !== after.length) return false;
  const timeless = ({ time, ...entry }: ManagedFieldsEntry) => entry;
  return before.every((entry, index) => {
    const other = after[index];
    return other !== undefined && (entry === other || deepEqual(timeless(entry), timeless(other)));
  });
}
