import { formatTime } from '../base/clock.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../base/kube-object.ts';
import type { Call } from './call.ts';
import { type Draft, fillDefaults, type Step } from './draft.ts';
import type { Resource } from './resource.ts';
import { fromStorage, toStorage } from './versions.ts';

/** `generateName` is cut so that with the suffix the name fits a label value. */
const maxPrefix = 58;
const suffixLength = 5;

/** What belongs to the server is as it says, whatever was sent there. */
export const systemFields: Step = ({ call, shown, live }) =>
  live ? keepSystemFields(shown, live) : fillSystemFields(shown, call);

/** Admission is shown the defaults, and managers may own them. */
export function setDefaults(draft: Draft): void | Promise<void> {
  const { resource } = draft.call;
  if (resource.served.conversion) return defaultsOfStorage(draft, resource);
  draft.next = draft.shown;
  fillDefaults(draft);
}

async function defaultsOfStorage(draft: Draft, resource: Resource): Promise<void> {
  draft.next = await toStorage(resource, draft.shown);
  fillDefaults(draft);
  const sameVersion = draft.shown.apiVersion === draft.next.apiVersion;
  draft.shown = sameVersion ? draft.next : await fromStorage(resource, draft.next);
}

/** Fills the metadata that the server owns on a new object; what a client sent there is replaced or dropped. In place. */
export function fillSystemFields(object: KubeObject, call: Call): void {
  const { ids } = call.services;
  const { metadata } = object;
  dropRepeatedOwners(metadata, call);
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  if (call.namespace) metadata.namespace = call.namespace;
  else delete metadata.namespace;
  if (!metadata.name && metadata.generateName) {
    metadata.name = metadata.generateName.slice(0, maxPrefix) + ids.suffix(suffixLength);
  }
}

/** What makes an object one of its own; mutating admission has not seen it yet. In place. */
export function giveIdentity({ metadata }: KubeObject, call: Call): void {
  metadata.uid = call.services.ids.uid();
  metadata.creationTimestamp = formatTime(call.services.clock.now());
}

/** What a client may leave empty is stored as absent. In place. */
export function tidyMetadata(metadata: ObjectMeta, call: Call): void {
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'] as const) {
    const value = metadata[field];
    if (value !== undefined && Object.keys(value).length === 0) delete metadata[field];
  }
  for (const field of ['generateName', 'namespace', 'name', 'resourceVersion', 'uid', 'selfLink'] as const) {
    if (metadata[field] === '') delete metadata[field];
  }
  if (metadata.creationTimestamp === null) delete metadata.creationTimestamp;
  dropRepeatedOwners(metadata, call);
}

/** In place; tells the client when there are any. */
export function dropRepeatedOwners(metadata: ObjectMeta, call: Call): void {
  if (metadata.ownerReferences) metadata.ownerReferences = withoutRepeats(metadata.ownerReferences, call);
}

function withoutRepeats(owners: OwnerReference[], call: Call): OwnerReference[] {
  if (owners.length < 2) return owners;
  const kept: OwnerReference[] = [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const text = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(text)) repeated.add(uid);
    else kept.push(owner);
    seen.add(text);
  }
  if (repeated.size > 0) {
    call.warn(
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
    );
  }
  return kept;
}

/** Carries over to `next` what no update can change or leave out. In place. */
export function keepSystemFields(next: KubeObject, previous: KubeObject): void {
  const to = next.metadata;
  const from = previous.metadata;
  const kept = ['creationTimestamp', 'generation', 'resourceVersion'] as const;
  for (const field of kept) carry(to, from, field);
  for (const field of ['uid', 'name', 'namespace'] as const) if (!to[field]) carry(to, from, field);
  // An object without a namespace cannot get one.
  if (!from.namespace) delete to.namespace;
  if (from.deletionTimestamp) {
    carry(to, from, 'deletionTimestamp');
    if (to.deletionGracePeriodSeconds === undefined) carry(to, from, 'deletionGracePeriodSeconds');
  }
}

function carry<K extends keyof ObjectMeta>(to: ObjectMeta, from: ObjectMeta, field: K): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}

/** Kinds that count their generation start at 1; the others keep what was sent. In place. */
export function startGeneration(resource: Resource, object: KubeObject): void {
  if (resource.rules.generationRises && !resource.rules.generationStartsLate) object.metadata.generation = 1;
}

export function raiseGeneration(resource: Resource, next: KubeObject, previous: KubeObject): void {
  if (resource.rules.generationRises?.(next, previous)) {
    next.metadata.generation = (previous.metadata.generation ?? 0) + 1;
  }
}
