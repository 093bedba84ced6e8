import { formatTime } from '../../base/clock.ts';
import { cloneJson } from '../../base/clone.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { MalformedPatchError, UnmergeableObjectError } from '../patch-error.ts';
import { checkTyped } from './check-typed.ts';
import { isSame } from './compare.ts';
import { type Conflict, conflictError, conflictsWith, withoutAllowed } from './conflicts.ts';
import {
  difference,
  differenceWithBelow,
  type FieldSet,
  includes,
  intersection,
  isEmptySet,
  noFields,
  union,
} from './field-set.ts';
import { fieldsAsLastApplied, kubectl, renewLastApplied } from './last-applied.ts';
import {
  capUpdateManagers,
  identityOf,
  type Manager,
  type Managers,
  readManagers,
  setFields,
  writeManagers,
} from './managers.ts';
import { mergeTyped } from './merge.ts';
import { pruneUnowned } from './prune-unowned.ts';
import { entriesBeforeFirstApply } from './track-update.ts';
import { fieldsAt, systemFields, type TrackedWrite, WriteDifferences } from './tracked-write.ts';
import { fieldSetOf, UntypedValue } from './typed-value.ts';

export interface ApplyRequest extends TrackedWrite {
  /** As stored, in the version of the request; absent when the apply creates it. */
  readonly live?: KubeObject;
  /** The body as decoded. Its name, namespace and kind are the caller's to check. */
  readonly config: JsonObject;
  /** Takes over what others own instead of failing. */
  readonly force: boolean;
}

export interface Applied {
  /** Fresh; without managedFields; not yet defaulted or typed (a null in the configuration is still there). */
  readonly object: KubeObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** The configuration changed something of the object. */
  readonly changed: boolean;
}

/**
 * Applies a configuration: merges it into the live object, takes out what its manager applied before and nobody else
 * holds, and books its fields for the manager. Neither object is changed.
 * @throws MalformedPatchError the configuration does not fit: another apiVersion, managedFields in it, a field or type
 *   that the structure does not have, list elements that cannot be told apart; ApplyConflictError another manager owns a
 *   field that would change; UnmergeableObjectError
 */
export async function apply(request: ApplyRequest): Promise<Applied> {
  checkConfig(request);
  const { live, config, structure } = request;
  try {
    const managers = await startingManagers(request);
    const identity = identityOf(applier(request, noFields));
    const last = managers.get(identity);
    const named = ownedFields(request);
    const leftOut = last && !includes(named, last.fields);
    // The same set as last time is kept, because it is written already.
    const fields = last && !leftOut && includes(last.fields, named) ? last.fields : named;
    managers.set(identity, applier(request, fields, last?.time));
    const merged = mergeTyped(withoutEntries(live), config, structure);
    const pruned =
      leftOut || versionChanges(last, request) ? await pruneUnowned(merged, last, managers, request) : merged;
    const object = pruned as unknown as KubeObject;
    delete object.metadata?.managedFields;
    const differences = new WriteDifferences(live, object, request);
    await differences.load(managers);
    takeFields(managers, identity, differences, request);
    const unchanged = live && isSame(differences.own);
    if (!unchanged) managers.set(identity, applier(request, fields, timeNow(request)));
    const applied = finish(unchanged ? asItIs(live, object) : object, managers, identity, request);
    return { ...applied, changed: !unchanged };
  } catch (error) {
    if (error instanceof UntypedValue)
      throw new UnmergeableObjectError(`failed to create typed live object: ${error.message}`);
    throw error;
  }
}

/** The live object to merge into; its entries are not merged. */
function withoutEntries(live: KubeObject | undefined): JsonObject {
  if (!live) return {};
  const { managedFields, ...metadata } = live.metadata;
  return { ...live, metadata } as unknown as JsonObject;
}

/** A configuration that would only change what the write resets changes nothing at all; what it expects stays said. */
function asItIs(live: KubeObject, { metadata: { uid, resourceVersion } = {} }: KubeObject): KubeObject {
  const object = cloneJson(withoutEntries(live)) as unknown as KubeObject;
  Object.assign(object.metadata, uid && { uid }, resourceVersion && { resourceVersion });
  return object;
}

const versionChanges = (last: Manager | undefined, { apiVersion }: TrackedWrite): last is Manager =>
  last !== undefined && last.apiVersion !== apiVersion;

const timeNow = ({ now }: TrackedWrite) => (now === undefined ? undefined : formatTime(now));

function checkConfig({ config, apiVersion, structure }: ApplyRequest): void {
  if (config['apiVersion'] !== apiVersion) {
    const sent = typeof config['apiVersion'] === 'string' ? config['apiVersion'] : '';
    throw new MalformedPatchError(
      `the apiVersion of the applied configuration is ${JSON.stringify(sent)}, expected: ${apiVersion}`,
    );
  }
  const metadata = config['metadata'];
  if (isJsonObject(metadata) && (metadata['managedFields'] ?? null) !== null) {
    throw new MalformedPatchError('metadata.managedFields must be nil');
  }
  const faults = checkTyped(config, structure);
  if (faults.length > 0) throw new MalformedPatchError(`failed to create typed patch object: ${faults.join(', ')}`);
}

/** The managers before this apply. An object that nobody owns is owned by those who wrote it before. */
async function startingManagers(request: ApplyRequest): Promise<Managers> {
  const { live } = request;
  const managers = readManagers(live?.metadata.managedFields) ?? new Map();
  if (!live || managers.size > 0) return managers;
  return readManagers(await entriesBeforeFirstApply(live, request)) ?? managers;
}

const applier = (request: TrackedWrite, fields: FieldSet, time?: string): Manager => ({
  name: request.manager,
  operation: 'Apply',
  apiVersion: request.apiVersion,
  subresource: request.subresource,
  ...(time && { time }),
  fields,
});

/** What metadata holds is owned, but not metadata as such. */
const metadataItself = fieldsAt(['metadata']);

const ownedFields = ({ config, structure, untracked = systemFields }: ApplyRequest): FieldSet =>
  difference(differenceWithBelow(fieldSetOf(config, structure), untracked), metadataItself);

/** Takes what changes from all other managers. @throws ApplyConflictError when that needs force */
function takeFields(managers: Managers, applying: string, differences: WriteDifferences, request: ApplyRequest): void {
  const conflicts: Conflict[] = [];
  const losses: (() => void)[] = [];
  for (const [identity, manager] of managers) {
    if (identity === applying) continue;
    const effect = differences.on(manager);
    if (!effect) {
      losses.push(() => managers.delete(identity));
      continue;
    }
    const { added, modified, removed } = effect.differences;
    const lost = intersection(effect.fields, union(added, modified));
    if (!isEmptySet(lost)) conflicts.push(...conflictsWith(identity, manager, lost));
    const left = difference(difference(effect.fields, lost), removed);
    losses.push(() => setFields(managers, identity, manager, left));
  }
  const open = request.force ? [] : unresolved(conflicts, request);
  if (open.length > 0) throw conflictError(open);
  for (const lose of losses) lose();
}

/** kubectl may change what it wrote itself by client-side apply, all or nothing. */
function unresolved(conflicts: readonly Conflict[], request: ApplyRequest): readonly Conflict[] {
  const { live, manager, apiVersion, structure } = request;
  if (conflicts.length === 0 || manager !== kubectl || !live) return conflicts;
  return withoutAllowed(conflicts, fieldsAsLastApplied(live, apiVersion, structure));
}

function finish(object: KubeObject, managers: Managers, identity: string, request: ApplyRequest) {
  const own = managers.get(identity);
  if (own && isEmptySet(own.fields)) managers.delete(identity);
  capUpdateManagers(managers);
  if (request.manager === kubectl) renewLastApplied(object as unknown as JsonObject, request.config);
  return { object, managedFields: writeManagers(managers, request.live?.metadata.managedFields) };
}
