import { cloneJson } from '../base/clone.ts';
import type { FieldError } from '../base/field-error.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { invalid, notFound } from '../base/status-error.ts';
import { type Change, ContendedError, KeyMissingError, type Stored, type UpdateResult } from '../store/store.ts';
import { attributesOf, writeOptionsObject } from './admit.ts';
import { type WriteCall, type Written, writeContext } from './call.ts';
import { differInTimesAlone, trackManagers } from './managers.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata-rules.ts';
import { documentOf } from './patch-document.ts';
import { staleVersion } from './preconditions.ts';
import { Reservations } from './reservations.ts';
import { keyOf, kindSubjectOf, subjectOf, view } from './resource.ts';
import { keepSystemFields, raiseGeneration, tidyMetadata } from './system-fields.ts';
import { fromStorage, toStorage } from './versions.ts';

/** What a writer makes of the newest version. `managed` is there when apply has worked out the managers itself. */
export interface Proposal {
  /** In the request's version; belongs to the update. */
  readonly next: KubeObject;
  readonly managed?: boolean;
}

/** Called with the newest version, in the request's version and shared; may be called again with a newer one. */
export type Propose = (live: KubeObject) => Promise<Proposal> | Proposal;

/**
 * Changes an object under the store's retry. The order of the stages: propose (decode or patch), system fields,
 * mutating admission, defaults, preparation, validation, validating admission, managed fields, store. A result that
 * equals what is stored writes nothing; one that loses the last finalizer of a deleted object removes it.
 *
 * @throws 404 missing, 409 stale, 422 invalid, and what `propose` throws
 */
export async function update(call: WriteCall, propose: Propose): Promise<Written> {
  const { resource, services, options } = call;
  const key = keyOf(resource, call.namespace, call.name);
  const reservations = new Reservations();
  const change = async (current: Stored) => {
    // What an attempt took that came to nothing is taken anew.
    await reservations.giveBack();
    return decide(call, current, propose, reservations);
  };
  try {
    const result = options.dryRun ? await rehearse(call, key, change) : await services.store.update(key, change);
    if (result.outcome === 'removed') resource.rules.afterRemove?.(result.stored.value, writeContext(call, false));
    if (result.answer) return { code: 200, object: await fromStorage(resource, result.answer) };
    const stored = await view(resource, result.stored);
    return { code: 200, object: stored.value, stored };
  } catch (error) {
    await reservations.giveBack();
    if (error instanceof KeyMissingError) throw notFound(subjectOf(resource), call.name);
    if (error instanceof ContendedError) throw staleVersion(subjectOf(resource), call.name);
    throw error;
  }
}

/** A dry run: decides as the real thing would and shows the result, with the stored resourceVersion. */
async function rehearse(
  call: WriteCall,
  key: string,
  change: (current: Stored) => Promise<Change>,
): Promise<UpdateResult> {
  const current = await call.services.store.get(key);
  if (!current) throw new KeyMissingError(key);
  const decided = await change(current);
  const stored = { outcome: 'kept', stored: current, revision: current.revision } as const;
  if ('keep' in decided) return stored;
  const shown = 'write' in decided ? decided.write : decided.answer;
  if (!shown) return stored;
  shown.metadata.resourceVersion = current.value.metadata.resourceVersion;
  return { ...stored, answer: shown };
}

async function decide(call: WriteCall, current: Stored, propose: Propose, reservations: Reservations): Promise<Change> {
  const { resource } = call;
  const live = await fromStorage(resource, current.value);
  const proposal = await propose(live);
  const next = await prepare(call, current.value, live, proposal);
  await validate(call, next, current.value);
  await validatingAdmission(call, next, live, reservations);
  raiseGeneration(resource, next, current.value);
  return conclude(call, next, current.value);
}

/** Whether the outcome is a write, a removal, or nothing at all. */
function conclude({ resource }: WriteCall, next: KubeObject, stored: KubeObject): Change {
  const { metadata } = next;
  const held = (metadata.finalizers?.length ?? 0) > 0 || resource.rules.isHeld?.(next) === true;
  const graceful = (metadata.deletionGracePeriodSeconds ?? 0) > 0;
  if (metadata.deletionTimestamp && !held && !graceful) {
    metadata.resourceVersion = stored.metadata.resourceVersion;
    return { remove: true, answer: next };
  }
  metadata.resourceVersion = stored.metadata.resourceVersion;
  if (differInTimesAlone(next, stored)) return { keep: true };
  delete metadata.resourceVersion;
  return { write: next };
}

async function prepare(call: WriteCall, stored: KubeObject, live: KubeObject, proposal: Proposal): Promise<KubeObject> {
  const { resource, services, options } = call;
  const { rules } = resource;
  const { next: proposed, managed = false } = proposal;
  keepSystemFields(proposed, live);
  const toAdmit = await toStorage(resource, proposed);
  rules.default?.(toAdmit);
  const object = await fromStorage(resource, toAdmit);
  if (!managed) await trackManagers(call, live, object);
  const document = documentOf(call);
  const attributes = attributesOf(call, {
    operation: 'UPDATE',
    object: document.show(object),
    oldObject: document.show(live),
    options: updateOptions(call),
    dryRun: options.dryRun,
  });
  await services.admission.mutate(attributes);
  const next = await toStorage(resource, document.merge(object, attributes.object ?? document.show(object)));
  tidyMetadata(next.metadata, call);
  rules.default?.(next);
  if (!call.subresource) await separate(call, next, stored);
  else {
    // What comes back from the stored object may lack defaults, which are filled in in place: so it must be a copy.
    await separate(call, next, cloneJson(stored));
    rules.default?.(next);
  }
  return next;
}

/** Takes over from the stored object what a write through this path may not change. */
async function separate(call: WriteCall, next: KubeObject, stored: KubeObject): Promise<void> {
  const { resource, subresource, options } = call;
  const { rules } = resource;
  const context = writeContext(call, options.dryRun);
  if (!subresource) {
    if (resource.splitsStatus) keepMember(next, stored, 'status');
    await rules.prepareUpdate?.(next, stored, context);
    return;
  }
  const own = rules.subresources?.[subresource];
  if (own) return own.prepareUpdate(next, stored, context);
  // What a scale may change was put in by itself.
  if (subresource === 'scale') return;
  if (resource.custom) keepMetadata(next, stored);
  for (const member of Object.keys({ ...stored, ...next })) {
    if (member !== 'status' && member !== 'metadata') keepMember(next, stored, member);
  }
}

function keepMember(next: KubeObject, stored: KubeObject, member: string): void {
  if (stored[member] === undefined) delete next[member];
  else next[member] = stored[member];
}

/** Status writes of custom resources take no metadata; who manages what is worked out later. */
function keepMetadata(next: KubeObject, stored: KubeObject): void {
  const { managedFields } = next.metadata;
  next.metadata = { ...cloneJson(stored.metadata), ...(managedFields && { managedFields }) };
}

async function validate(call: WriteCall, next: KubeObject, stored: KubeObject): Promise<void> {
  const { resource, subresource, options } = call;
  const { rules } = resource;
  const context = writeContext(call, options.dryRun);
  // A genuine server applies the metadata rules twice on an update, and clients see each cause twice.
  const metadata = validateMetadataUpdate(next, stored);
  const errors: FieldError[] = [...metadata, ...metadata, ...validateMetadata(resource, next)];
  if (!subresource || subresource === 'scale') {
    errors.push(...(rules.validate?.(next, context) ?? []), ...(rules.validateUpdate?.(next, stored, context) ?? []));
  } else {
    errors.push(...(rules.subresources?.[subresource]?.validateUpdate?.(next, stored, context) ?? []));
  }
  if (errors.length > 0) throw invalid(kindSubjectOf(resource), next.metadata.name ?? '', errors);
  if (!subresource) for (const text of rules.warnings?.(next, stored) ?? []) call.warn(text);
}

async function validatingAdmission(
  call: WriteCall,
  next: KubeObject,
  live: KubeObject,
  reservations: Reservations,
): Promise<void> {
  const { resource, services, options } = call;
  const document = documentOf(call);
  await services.admission.validate(
    attributesOf(call, {
      operation: 'UPDATE',
      object: document.show(await fromStorage(resource, next)),
      oldObject: document.show(live),
      options: updateOptions(call),
      dryRun: options.dryRun,
      reservations,
    }),
  );
}

const updateOptions = ({ options }: WriteCall) => writeOptionsObject('UpdateOptions', options);
