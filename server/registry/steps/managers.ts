import {
  apiVersionOf,
  type Json,
  type KubeObject,
  type ManagedFieldsEntry,
  parseApiVersion,
} from '../../base/kube-object.ts';
import { carryOut, known, type Work } from '../../base/turns/work.ts';
import type { KindRules, SubresourceDocument } from '../../kinds/strategy.ts';
import { checkTyped } from '../../patch/apply/check-typed.ts';
import { defaultManager } from '../../patch/apply/field-manager.ts';
import type { FieldSet } from '../../patch/apply/field-set.ts';
import type { OtherVersion } from '../../patch/apply/other-versions.ts';
import { type BehindStandIn, entriesAfterStandIn, entriesOfStandIn } from '../../patch/apply/stand-in-managers.ts';
import { trackUpdate } from '../../patch/apply/track-update.ts';
import { systemFields, type TrackedWrite, untracked } from '../../patch/apply/tracked-write.ts';
import { UnmergeableObjectError } from '../../patch/patch-error.ts';
import type { WriteCall } from '../call.ts';
import type { Draft } from '../draft.ts';
import { withoutBytes } from '../empty-bytes.ts';
import { documentOf, standInOf } from '../patch-document.ts';
import type { Resource, ServedVersion } from '../resource.ts';
import { isVast } from './weight.ts';

/** Books who set what in `metadata.managedFields`: before the kind's own preparation, which nobody asked for. */
export function* trackManagers(draft: Draft): Work<void> {
  if (draft.managed) return;
  if (draft.weight === 'heavy' && isVast(draft)) {
    draft.weight = 'vast';
    return;
  }
  draft.takesManagers = draft.shown.metadata.managedFields !== undefined;
  const entries = yield* entriesOf(draft);
  setManagers(draft.shown, entries);
  // Metadata is the same in both versions.
  if (draft.next !== draft.shown) setManagers(draft.next, entries);
}

type Entries = readonly ManagedFieldsEntry[];

function entriesOf({ call, live, shown, emptiesBytes }: Draft): Work<Entries> {
  const standIn = call.subresource ? standInOf(call) : undefined;
  if (standIn && live) return entriesBehind(call, standIn, live, shown);
  if (!standIn && call.resource.splitsStatus && !leftOutFits(call, shown)) return known([]);
  const next = emptiesBytes ? withoutBytes(call.resource.served, shown) : shown;
  return trackUpdate({ ...trackedWrite(call), live, next });
}

/** In place. */
export function setManagers({ metadata }: KubeObject, entries: Entries): void {
  if (entries.length > 0) metadata.managedFields = entries as ManagedFieldsEntry[];
  else if (metadata.managedFields) delete metadata.managedFields;
}

/** Who writes and what such a write may own, for the library that keeps managedFields. */
export function trackedWrite(call: WriteCall): TrackedWrite {
  const { resource, subresource, services, options } = call;
  return {
    structure: resource.served.structure,
    manager: options.fieldManager || defaultManager(call.userAgent),
    apiVersion: resource.served.apiVersion,
    subresource,
    now: services.clock.now(),
    untracked: untrackedByKind.get(resource.rules)?.get(subresource) ?? untrackedIn(resource, subresource),
    otherVersion: (apiVersion) => otherVersion(call, apiVersion),
  };
}

const untrackedByKind = new WeakMap<KindRules, Map<string, FieldSet>>();

/** What a write through this path cannot set, and so never owns. Worked out once a kind and path. */
function untrackedIn({ rules, splitsStatus }: Resource, subresource: string): FieldSet {
  const standard = subresource ? ['spec'] : splitsStatus ? ['status'] : [];
  const names = (subresource ? rules.subresources?.[subresource]?.unownedFields : rules.unownedFields) ?? standard;
  const fields = untracked(...names.map((path) => path.split('.')));
  untrackedByKind.set(rules, new Map(untrackedByKind.get(rules)).set(subresource, fields));
  return fields;
}

function otherVersion({ resource, services }: WriteCall, apiVersion: string): OtherVersion | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  if (resource.custom) return definedVersion(resource, apiVersion, group === resource.group ? version : '');
  if (group !== resource.group) return undefined;
  const found = services.resources.find(group, version, resource.plural);
  if (!found || found.prefix !== resource.prefix) return undefined;
  const { served } = resource;
  return {
    structure: found.served.structure,
    from: (object) => carryOut(throughStorage(served, found.served, object)),
    to: (object) => carryOut(throughStorage(found.served, served, object)),
  };
}

/**
 * What a write to a custom object resets is known of the version that it is written in alone.
 * @throws UnmergeableObjectError the definition has no such version, or not any more
 */
function definedVersion({ custom, served }: Resource, apiVersion: string, version: string): OtherVersion {
  const other = custom?.version(version);
  if (!other)
    throw new UnmergeableObjectError(`somebody wrote the object as ${apiVersion}, which is no version of its kind`);
  const as = (there: ServedVersion) => (object: KubeObject) => there.conversion?.relabel?.(object) ?? object;
  return { structure: other.structure, untracked: systemFields, from: as(other), to: as(served) };
}

function* throughStorage(from: ServedVersion, to: ServedVersion, object: KubeObject): Work<KubeObject> {
  const stored = from.conversion ? yield* known(from.conversion.toStorage(object)) : object;
  return to.conversion ? yield* known(to.conversion.fromStorage(stored)) : stored;
}

/** Whether what is not written through this path, and so is never validated, is at least of the right types. */
function leftOutFits({ resource, subresource }: WriteCall, object: KubeObject): boolean {
  const { status, metadata: _, ...rest } = object;
  const leftOut = subresource ? rest : status === undefined ? {} : { status };
  return checkTyped(leftOut as Json, resource.served.structure).length === 0;
}

/** Who writes to a document that stands for an object (a Scale). */
export function trackedStandIn(call: WriteCall): TrackedWrite {
  const { structure, apiVersion } = documentOf(call).served;
  const { manager, subresource, now } = trackedWrite(call);
  return { structure, manager, apiVersion, subresource, ...(now !== undefined && { now }) };
}

/** The document of a stored object, with those who set what it shows. */
export function managedStandIn(call: WriteCall, standIn: SubresourceDocument, live: KubeObject): KubeObject {
  const document = standIn.show(live);
  setManagers(document, entriesOfStandIn(live.metadata.managedFields, behind(call, standIn)));
  return document;
}

/** The entries of an object after a write made these of the entries of its document. */
export const entriesBehindOf = (
  call: WriteCall,
  standIn: SubresourceDocument,
  live: KubeObject,
  ofDocument: Entries,
): Entries => entriesAfterStandIn(live.metadata.managedFields, ofDocument, behind(call, standIn));

/** The entries of an object after a write to its document. */
function* entriesBehind(
  call: WriteCall,
  standIn: SubresourceDocument,
  live: KubeObject,
  next: KubeObject,
): Work<Entries> {
  const before = managedStandIn(call, standIn, live);
  const ofDocument = standIn.hasOwners
    ? yield* trackUpdate({ ...trackedStandIn(call), live: before, next: standIn.show(next) })
    : [];
  return entriesBehindOf(call, standIn, live, ofDocument);
}

const behind = ({ resource, services, subresource }: WriteCall, standIn: SubresourceDocument): BehindStandIn => ({
  apiVersion: resource.served.apiVersion,
  documentVersion: apiVersionOf(standIn.group, standIn.version),
  fieldIn(apiVersion) {
    const { group, version } = parseApiVersion(apiVersion);
    const found = group === resource.group ? services.resources.find(group, version, resource.plural) : undefined;
    return found && (found.rules.subresources?.[subresource]?.document?.field ?? '');
  },
});
