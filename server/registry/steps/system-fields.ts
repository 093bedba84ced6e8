import type { KubeObject, ObjectMeta, OwnerReference } from '../../base/kube-object.ts';
import { formatTime } from '../../base/time/clock.ts';
import { known, type Work } from '../../base/turns/work.ts';
import type { Call } from '../call.ts';
import type { Draft, Step } from '../draft.ts';
import { nextGeneration } from '../generation.ts';
import { standInOf } from '../patch-document.ts';
import type { Resource } from '../resource.ts';
import { fromStorage, rulesConvert, toStorage } from '../resource.ts';

/** `generateName` is cut so that with the suffix the name fits a label value. */
const maxPrefix = 58;
const suffixLength = 5;

/** What belongs to the server is as it says, whatever was sent there. */
export const systemFields: Step = ({ call, shown, live }) =>
  live ? keepSystemFields(shown, live) : fillSystemFields(shown, call);

/** Admission is shown the defaults, and managers may own them. */
export function setDefaults(draft: Draft): void | Work<void> {
  const { resource } = draft.call;
  if (rulesConvert(resource)) return defaultsOfStorage(draft, resource);
  draft.next = draft.shown;
  if (!draft.asRead) resource.rules.default?.(draft.next, draft.managed);
}

function* defaultsOfStorage(draft: Draft, resource: Resource): Work<void> {
  draft.next = yield* known(toStorage(resource, draft.shown));
  draft.lacksDefaults = true;
  fillDefaults(draft);
  const sameVersion = draft.shown.apiVersion === draft.next.apiVersion;
  draft.shown = sameVersion ? draft.next : yield* known(fromStorage(resource, draft.next));
}

/** Fills the defaults of what came into the draft since they were filled. In place. */
export function fillDefaults(draft: Draft): void {
  if (!draft.lacksDefaults) return;
  draft.lacksDefaults = false;
  const { rules, served } = draft.call.resource;
  rules.default?.(draft.next, draft.managed, served.apiVersion);
}

const notForClients = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const;

/** Fills the metadata that the server owns on a new object; what a client sent there is replaced or dropped. In place. */
export function fillSystemFields({ metadata }: KubeObject, call: Call): void {
  if (metadata.ownerReferences) dropRepeatedOwners(metadata, call);
  // To delete what is not there would still cost.
  for (const field of notForClients) if (field in metadata) delete metadata[field];
  if (call.namespace) metadata.namespace = call.namespace;
  else delete metadata.namespace;
}

/** What makes an object one of its own; mutating admission has not seen it yet. In place. */
export function giveIdentity({ metadata }: KubeObject, { resource, services: { ids, clock } }: Call): void {
  if (!metadata.name && metadata.generateName)
    metadata.name = metadata.generateName.slice(0, maxPrefix) + ids.suffix(suffixLength);
  metadata.uid = ids.uid();
  metadata.creationTimestamp = formatTime(clock.now());
  // Kinds that count their generation start at 1; the others keep what was sent.
  if (resource.rules.generationRises && !resource.rules.generationStartsLate) metadata.generation = 1;
}

/** What a client may leave empty. */
const optional: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'],
  ...['generateName', 'namespace', 'name', 'resourceVersion', 'uid', 'selfLink', 'creationTimestamp'],
]);

/** What a client left empty is stored as absent. In place. */
export function tidyMetadata(metadata: ObjectMeta, call: Call): void {
  for (const field in metadata) {
    const value = metadata[field as keyof ObjectMeta];
    const empty = typeof value === 'object' ? value === null || Object.keys(value).length === 0 : value === '';
    if (empty && optional.has(field)) delete metadata[field as keyof ObjectMeta];
  }
  if (metadata.ownerReferences) dropRepeatedOwners(metadata, call);
}

/** In place; tells the client when there are any. */
export function dropRepeatedOwners(metadata: ObjectMeta, call: Call): void {
  if (metadata.ownerReferences) metadata.ownerReferences = withoutRepeats(metadata.ownerReferences, call);
}

function withoutRepeats(owners: OwnerReference[], call: Call): OwnerReference[] {
  // Nearly always no two are of one uid, and none has to be looked at closer.
  if (owners.length < 2 || new Set(owners.map(({ uid }) => uid)).size === owners.length) return owners;
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

const kept = ['creationTimestamp', 'generation', 'resourceVersion'] as const;
const identity = ['uid', 'name', 'namespace'] as const;

/** Carries over to `next` what no update can change or leave out. In place. */
export function keepSystemFields(next: KubeObject, previous: KubeObject): void {
  const to = next.metadata;
  const from = previous.metadata;
  for (const field of kept) if (to[field] !== from[field]) carry(to, from, field);
  for (const field of identity) if (!to[field]) carry(to, from, field);
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

/** What changed is a new generation; those who admit it see which. */
export function countGeneration({ call, next, stored, context }: Draft): void {
  const { generationRises, countsEmptied } = call.resource.rules;
  if (!stored || !generationRises || (call.subresource && !standInOf(call))) return;
  const emptied = countsEmptied !== undefined && isEmptied(countsEmptied, context.emptied, next);
  if (emptied || generationRises(next, stored)) next.metadata.generation = nextGeneration(stored.metadata.generation);
}

/** Whether something in the member was sent empty, and is so still: a default may have filled it since. */
const isEmptied = (member: string, places: ReadonlySet<string>, next: KubeObject): boolean =>
  [...places].some((place) => {
    const names = place.split('.');
    return (
      names[0] === member && names.reduce((at: unknown, name) => (at as Parts | undefined)?.[name], next) === undefined
    );
  });

type Parts = { readonly [name: string]: unknown };
