import { cloneJson } from '../../base/clone.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { shortName } from '../../base/status-error.ts';
import { formatTime } from '../../base/time/clock.ts';
import type { Work } from '../../base/turns/work.ts';
import { fieldsOf, textOf } from '../../base/untyped.ts';
import { MalformedPatchError, UnmergeableObjectError } from '../patch-error.ts';
import { checkTyped } from './check-typed.ts';
import { type Conflict, conflictError, conflictsWith, withoutAllowed } from './conflicts.ts';
import { difference, type FieldSet, includes, intersection, isEmptySet, noFields } from './field-set.ts';
import { fieldsAsLastApplied, kubectl, renewLastApplied } from './last-applied.ts';
import { Looks } from './looks.ts';
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
import { mergeTyped } from './merge.ts';
import { otherVersionsOf, reconcile } from './other-versions.ts';
import { pruneUnowned } from './prune-unowned.ts';
import { entriesBeforeFirstApply, fieldsLeft } from './track-update.ts';
import {
  type ChangesByVersion,
  changesByVersion,
  changesIn,
  fieldsAt,
  systemFields,
  systemMetadata,
  type TrackedWrite,
} from './tracked-write.ts';
import { fieldSetOf, UntypedValue } from './typed-value.ts';

export interface ApplyRequest extends TrackedWrite {
  /** As stored, in the version of the request; absent when the apply creates it. */
  readonly live?: KubeObject | undefined;
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
export function* apply(request: ApplyRequest): Work<Applied> {
  checkConfig(request);
  try {
    return yield* merged(request);
  } catch (error) {
    if (error instanceof UntypedValue)
      throw new UnmergeableObjectError(`failed to create typed live object: ${error.message}`);
    throw error;
  }
}

/** @throws UntypedValue, and what `apply` does */
function* merged(request: ApplyRequest): Work<Applied> {
  const { live, config, structure, apiVersion } = request;
  const stored = readManagers(live?.metadata.managedFields) ?? new Map();
  const managers = live && stored.size === 0 ? yield* managersBefore(live, request) : stored;
  const versions = yield* otherVersionsOf(managers, live, request);
  reconcile(managers, versions, request);
  const identity = identityOf({ ...request, name: request.manager, operation: 'Apply' });
  const last = managers.get(identity);
  const named = ownedFields(request);
  yield;
  const leftOut = last && !includes(named, last.fields);
  // The same set as last time is kept, because it is written already.
  const fields = last && !leftOut && includes(last.fields, named) ? last.fields : named;
  managers.set(identity, applier(request, fields, last?.time));
  yield;
  let merging = mergeTyped(withoutEntries(live), config, structure);
  yield;
  if (last && (leftOut || last.apiVersion !== apiVersion))
    merging = yield* pruneUnowned(merging, last, managers, request);
  const object = merging as unknown as KubeObject;
  delete object.metadata?.managedFields;
  const own = changesIn(structure, live, object, request.untracked);
  yield;
  const changes = yield* changesByVersion(own, versions, object, request);
  yield;
  yield* takeFields(managers, identity, changes, request);
  const unchanged = live && isEmptySet(own.set) && isEmptySet(own.removed) && saysTheSame(live, object);
  if (!unchanged) {
    managers.set(identity, applier(request, fields, request.now === undefined ? undefined : formatTime(request.now)));
  }
  if (isEmptySet(fields)) managers.delete(identity);
  if (managers.size > maximumUpdateManagers) capUpdateManagers(managers);
  const result = unchanged ? asItIs(live) : object;
  if (request.manager === kubectl) renewLastApplied(result as unknown as JsonObject, config);
  const managedFields = writeManagers(managers, live?.metadata.managedFields);
  return { object: result, managedFields, changed: !unchanged };
}

/** The live object to merge into; its entries are not merged. */
function withoutEntries(live: KubeObject | undefined): JsonObject {
  if (!live) return {};
  const { managedFields, ...metadata } = live.metadata;
  return { ...live, metadata } as unknown as JsonObject;
}

/** What of the server's own metadata a configuration says otherwise makes a change of it, although it is not kept. */
const saysTheSame = (live: KubeObject, { metadata }: KubeObject): boolean =>
  systemMetadata.every((field) => field === 'managedFields' || live.metadata[field] === metadata[field]);

/** A configuration that would only change what the write resets changes nothing at all. */
const asItIs = (live: KubeObject): KubeObject => cloneJson(withoutEntries(live)) as unknown as KubeObject;

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
  if (faults.length > 0) throw new MalformedPatchError(`failed to create typed patch object ${toldOf(config, faults)}`);
}

/** Of which object, as the configuration names it, and what is wrong with it: whoever applies many is told of one line. */
function toldOf({ apiVersion, kind, metadata }: JsonObject, faults: readonly string[]): string {
  const { namespace, name } = fieldsOf(metadata);
  const [place, own, what] = [namespace, name, kind].map((said) => shortName(textOf(said)));
  const groupVersion = String(apiVersion).includes('/') ? apiVersion : `/${apiVersion}`;
  const list = faults.length === 1 ? faults[0] : ['errors:', ...faults].join('\n  ');
  return `(${place}/${own}; ${groupVersion}, Kind=${what}): ${list}`;
}

/** An object that nobody owns is owned by those who wrote it before. */
function* managersBefore(live: KubeObject, request: ApplyRequest): Work<Managers> {
  return readManagers(yield* entriesBeforeFirstApply(live, request)) ?? new Map();
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

/** Shared by configurations that look alike, so that a set which was applied before is known at a glance. */
const ofLooks = new Looks<FieldSet>();

function ownedFields({ config, structure, untracked = systemFields }: ApplyRequest): FieldSet {
  const alike = ofLooks.find(config, structure, untracked);
  if (alike) return alike;
  const named = fieldSetOf(config, structure, untracked);
  const fields = named.below.get('f:metadata')?.owned ? difference(named, metadataItself) : named;
  ofLooks.remember(config, structure, untracked, fields);
  return fields;
}

/** Takes what changes from all other managers. @throws ApplyConflictError when that needs force */
function* takeFields(
  managers: Managers,
  applying: string,
  byVersion: ChangesByVersion,
  request: ApplyRequest,
): Work<void> {
  const conflicts: Conflict[] = [];
  const left = new Map<Manager, FieldSet>();
  for (const [identity, manager] of managers) {
    if (identity === applying) continue;
    const changes = byVersion.get(manager.apiVersion);
    const fields = changes ? manager.fields : noFields;
    const lost = changes ? intersection(fields, changes.set) : noFields;
    yield;
    if (!isEmptySet(lost)) conflicts.push(...conflictsWith(identity, manager, lost));
    const affected = changes && !(isEmptySet(lost) && isEmptySet(changes.removed));
    left.set(manager, affected ? fieldsLeft(manager, changes) : fields);
    yield;
  }
  const open = request.force ? [] : unresolved(conflicts, request);
  if (open.length > 0) throw conflictError(open);
  for (const [identity, manager] of managers) {
    const fields = left.get(manager) ?? manager.fields;
    if (fields !== manager.fields) setFields(managers, identity, manager, fields);
  }
}

/** kubectl may change what it wrote itself by client-side apply, all or nothing. */
function unresolved(conflicts: readonly Conflict[], request: ApplyRequest): readonly Conflict[] {
  const { live, manager, apiVersion, structure } = request;
  if (conflicts.length === 0 || manager !== kubectl || !live) return conflicts;
  return withoutAllowed(conflicts, fieldsAsLastApplied(live, apiVersion, structure));
}
