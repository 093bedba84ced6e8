import { formatTime } from '../base/clock.ts';
import { cloneJson } from '../base/clone.ts';
import type { KubeObject, ObjectMeta } from '../base/kube-object.ts';
import { notFound } from '../base/status-error.ts';
import { type Change, KeyMissingError, type Stored } from '../store/store.ts';
import { attributesOf, optionsObject } from './admit.ts';
import { type Call, writeContext } from './call.ts';
import type { DeleteOptions } from './options.ts';
import { checkPreconditions } from './preconditions.ts';
import { keyOf, kindSubjectOf, type Resource, subjectOf } from './resource.ts';
import { fromStorage } from './versions.ts';

export interface Deleted {
  /** Removed at once, or waiting for finalizers, a grace period or another holder. */
  readonly gone: boolean;
  /** The last or the new state, in the request's version. */
  readonly object: KubeObject;
}

/** Why an object is deleted, as far as admission cares. */
export interface Occasion {
  /** It is one of a collection: admission is not told its name. */
  readonly collection?: boolean;
  /** Another request that admission let pass (an eviction) asks for it: it is not asked again. */
  readonly admitted?: boolean;
}

/**
 * Deletes an object in two phases: while finalizers, a grace period or another holder keep it, it only gets its
 * deletionTimestamp. @throws 404 missing, 409 precondition, 403 refused by admission
 */
export async function remove(call: Call, options: DeleteOptions, occasion: Occasion = {}): Promise<Deleted> {
  const { resource, services } = call;
  const key = keyOf(resource, call.namespace, call.name);
  const decideOn = async (current: Stored): Promise<Change> => {
    if (!occasion.admitted) await admit(call, current, options, occasion);
    return decide(call, current.value, options);
  };
  try {
    if (options.dryRun) return await rehearse(call, key, decideOn);
    const result = await services.store.update(key, decideOn);
    const gone = result.outcome === 'removed';
    if (gone) resource.rules.afterRemove?.(result.stored.value, writeContext(call, false));
    const shown = result.answer ?? result.stored.value;
    return { gone, object: await fromStorage(resource, shown) };
  } catch (error) {
    if (error instanceof KeyMissingError) throw notFound(subjectOf(resource), call.name);
    throw error;
  }
}

async function rehearse(call: Call, key: string, decideOn: (current: Stored) => Promise<Change>): Promise<Deleted> {
  const current = await call.services.store.get(key);
  if (!current) throw new KeyMissingError(key);
  const decided = await decideOn(current);
  const gone = 'remove' in decided;
  const shown =
    ('write' in decided ? decided.write : 'answer' in decided ? decided.answer : undefined) ?? current.value;
  if ('write' in decided) shown.metadata.resourceVersion = current.value.metadata.resourceVersion;
  return { gone, object: await fromStorage(call.resource, shown) };
}

async function admit(call: Call, current: Stored, options: DeleteOptions, { collection }: Occasion): Promise<void> {
  const { resource, services } = call;
  const { dryRun, ...given } = options;
  const attributes = attributesOf(call, {
    operation: 'DELETE',
    object: undefined,
    oldObject: await fromStorage(resource, current.value),
    options: optionsObject('DeleteOptions', { ...given, ...(dryRun && { dryRun: ['All'] }) }),
    dryRun,
    ...(collection && { name: '' }),
  });
  await services.admission.mutate(attributes);
  await services.admission.validate(attributes);
}

function decide(call: Call, stored: KubeObject, options: DeleteOptions): Change {
  const { resource, services } = call;
  const { rules } = resource;
  if (options.preconditions) {
    const subject = resource.plural === 'namespaces' ? subjectOf(resource) : kindSubjectOf(resource);
    checkPreconditions(subject, stored, options.preconditions);
  }
  const next = cloneJson(stored);
  const { metadata } = next;
  const finalizers = finalizersAfter(resource, metadata, options);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  const grace = rules.gracePeriod?.(stored, options.gracePeriodSeconds);
  const held = finalizers.length > 0 || rules.isHeld?.(next) === true;
  const changed = setDeletion(resource, metadata, services.clock.now(), grace);
  if (!held && !grace) {
    return {
      remove: true,
      answer: rules.gracePeriod || rules.markDeleted ? afterMark(call, next, options.dryRun) : cloneJson(stored),
    };
  }
  if (changed && rules.generationRises && !stored.metadata.deletionTimestamp) {
    metadata.generation = (metadata.generation ?? 0) + 1;
  }
  afterMark(call, next, options.dryRun);
  const same = !changed && sameList(finalizers, stored.metadata.finalizers ?? []);
  if (same) return { keep: true };
  delete metadata.resourceVersion;
  return { write: next };
}

function afterMark(call: Call, next: KubeObject, dryRun: boolean): KubeObject {
  call.resource.rules.markDeleted?.(next, writeContext(call, dryRun));
  return next;
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((each, i) => each === b[i]);

/** Sets or, by a shorter grace period, moves deletionTimestamp. Answers whether anything changed. In place. */
function setDeletion(resource: Resource, metadata: ObjectMeta, now: number, grace: number | undefined): boolean {
  const seconds = grace ?? 0;
  const before = metadata.deletionGracePeriodSeconds ?? 0;
  if (metadata.deletionTimestamp && !(grace !== undefined && seconds < before)) return false;
  const start = metadata.deletionTimestamp ? Date.parse(metadata.deletionTimestamp) - before * 1000 : now;
  metadata.deletionTimestamp = formatTime(start + seconds * 1000);
  if (!resource.rules.markDeleted) metadata.deletionGracePeriodSeconds = seconds;
  return true;
}

/** The finalizers that the propagation policy leaves (facts of rule `deletion.finalizers`). */
function finalizersAfter(resource: Resource, metadata: ObjectMeta, options: DeleteOptions): string[] {
  const current = metadata.finalizers ?? [];
  const policy = policyOf(resource, options);
  if (!policy) return [...current];
  const others = current.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  if (policy === 'Background') return others;
  const wanted = policy === 'Orphan' ? 'orphan' : 'foregroundDeletion';
  const unwanted = policy === 'Orphan' ? 'foregroundDeletion' : 'orphan';
  return current.includes(wanted) ? current.filter((name) => name !== unwanted) : [...others, wanted];
}

function policyOf(resource: Resource, { propagationPolicy, orphanDependents }: DeleteOptions) {
  if (propagationPolicy) return propagationPolicy;
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  return resource.rules.defaultPropagation === 'Orphan' ? 'Orphan' : undefined;
}
