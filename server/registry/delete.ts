import { cloneJson } from '../base/clone.ts';
import type { KubeObject, ObjectMeta } from '../base/kube-object.ts';
import { forbidden, notFound } from '../base/status-error.ts';
import { formatTime } from '../base/time/clock.ts';
import { carryOut, known, type Work } from '../base/turns/work.ts';
import { isUnsettled } from '../kinds/unsettled.ts';
import { rehearsing } from '../store/rehearsal.ts';
import { type Change, KeyMissingError, type Stored } from '../store/store.ts';
import type { Call } from './call.ts';
import { writeContext } from './draft.ts';
import { isWithNothing } from './empty-bytes.ts';
import { nextGeneration } from './generation.ts';
import type { DeleteOptions } from './options.ts';
import { checkPreconditions } from './preconditions.ts';
import { fromStorage, kindSubjectOf, pathKey, type Resource, subjectOf, toStorage, view } from './resource.ts';
import { admit, optionsObject } from './steps/admit.ts';
import { giveBack, type Undo } from './undo.ts';
import { writeAnswer } from './write-answer.ts';

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

/** A delete on its way through its steps. */
interface Removal {
  readonly call: Call;
  readonly options: DeleteOptions;
  readonly occasion: Occasion;
  readonly undo: Undo;
  /** The newest version, as the rules of the kind take it. Shared. */
  readonly current: Stored;
  /** A copy, which becomes what stays until it may go. */
  readonly next: KubeObject;
  /** Something keeps it from going. */
  held?: boolean;
  /** Seconds that the object is given to end; undefined: its kind knows no such time. */
  grace?: number | undefined;
  /** When it is to go was set, or brought forward. */
  marked?: boolean;
  /** It goes at once, but first it is stored as marked, so that watchers hear of both. */
  goesMarked?: boolean;
  change?: Change;
}

/** The order of every delete. */
export const deleteSteps: readonly ((removal: Removal) => void | Work<void>)[] = [
  askAdmission,
  meetPreconditions,
  setFinalizers,
  setDeletion,
  commitDelete,
];

/**
 * Deletes an object in two phases: while finalizers, a grace period or another holder keep it, it only gets its
 * deletionTimestamp. @throws 404 missing, 409 precondition, 403 refused by admission
 */
export async function remove(call: Call, options: DeleteOptions, occasion: Occasion = {}): Promise<Deleted> {
  const { resource, services } = call;
  const store = options.dryRun ? rehearsing(services.store) : services.store;
  const why = occasion.collection ? undefined : resource.rules.undeletable?.(call.name);
  if (why) throw forbidden(subjectOf(resource), call.name, why);
  const key = pathKey(resource, call.namespace, call.name);
  const undo: Undo = [];
  let removal: Removal | undefined;
  const decide = async (current: Stored | undefined): Promise<Change> => {
    await giveBack(undo);
    if (!current) throw notFound(subjectOf(resource), call.name);
    const taken = resource.custom ? await view(resource, current) : current;
    removal = { call, options, occasion, undo, current: taken, next: cloneJson(taken.value) };
    return carryOut(goThrough(removal));
  };
  let stands = false;
  try {
    const { outcome, stored, answer } = await store.upsert(key, decide);
    stands = !options.dryRun && outcome !== 'kept';
    const goes = removal?.goesMarked === true;
    if (goes && !options.dryRun) await removeMarked(call, key, stored.value);
    return { gone: goes || outcome === 'removed', object: await fromStorage(resource, answer ?? stored.value) };
  } catch (error) {
    throw writeAnswer(error, call);
  } finally {
    if (!stands) await giveBack(undo);
  }
}

function* goThrough(removal: Removal): Work<Change> {
  for (const step of deleteSteps) {
    const work = step(removal);
    if (work) yield* work;
  }
  const { call, change = { keep: true } } = removal;
  return call.resource.custom && 'write' in change
    ? { write: yield* known(toStorage(call.resource, change.write)) }
    : change;
}

/** Unless somebody holds it meanwhile, or made another of that name. */
async function removeMarked({ resource, services }: Call, key: string, marked: KubeObject): Promise<void> {
  const mayGo = ({ value }: Stored) =>
    value.metadata.uid === marked.metadata.uid &&
    !value.metadata.finalizers?.length &&
    resource.rules.isHeld?.(value) !== true;
  try {
    await services.store.update(key, (current) => (mayGo(current) ? { remove: true } : { keep: true }));
  } catch (error) {
    // Somebody else removed it.
    if (!(error instanceof KeyMissingError)) throw error;
  }
}

function* askAdmission({ call, current, options, occasion, undo }: Removal): Work<void> {
  if (occasion.admitted) return;
  const { dryRun, ...given } = options;
  const { value } = yield* known(view(call.resource, current));
  yield* admit(call, {
    operation: 'DELETE',
    oldObject: value,
    options: () => optionsObject('DeleteOptions', { ...given, ...(dryRun && { dryRun: ['All'] }) }),
    dryRun,
    undo,
    ...(occasion.collection && { name: '' }),
  });
}

function meetPreconditions({ call: { resource }, current, options }: Removal): void {
  if (!options.preconditions) return;
  const subject = resource.plural === 'namespaces' ? subjectOf(resource) : kindSubjectOf(resource);
  checkPreconditions(subject, current.value, options.preconditions);
}

function setFinalizers(removal: Removal): void {
  const { call, next, options } = removal;
  const { resource } = call;
  const finalizers = finalizersAfter(resource, next.metadata, options);
  if (finalizers.length > 0) next.metadata.finalizers = finalizers;
  else delete next.metadata.finalizers;
  // Asked before the object is marked, so that a first delete can be told from a second.
  removal.held = finalizers.length > 0 || resource.rules.isHeld?.(next) === true;
}

/** Sets or, by a shorter grace period, moves deletionTimestamp. */
function setDeletion(removal: Removal): void {
  const { call, next, options, undo } = removal;
  const { rules } = call.resource;
  const context = writeContext({ ...call, options }, undo);
  const ends = rules.beginDeletion?.(next, options.gracePeriodSeconds, context);
  removal.grace = ends === 'untimed' ? undefined : ends;
  removal.marked = markDeletion(next.metadata, call.services.clock.now(), ends);
}

/** Whether it goes, stays marked, or stays as it is. */
function commitDelete(removal: Removal): void {
  const { call, options, next, current, held, grace, marked } = removal;
  const { rules } = call.resource;
  const sameFinalizers = sameList(next.metadata.finalizers ?? [], current.value.metadata.finalizers ?? []);
  const ends = !held && !grace;
  const asItWas = ends && (!rules.beginDeletion || !marked);
  if (!ends && marked) countMark(removal);
  // A grace period of no time (`grace` is 0) was an end that had to be told.
  removal.goesMarked = ends && marked === true && grace === 0;
  if (ends && !removal.goesMarked && options.dryRun && !sameFinalizers)
    removal.change = { write: freed(current.value) };
  else if (ends && !removal.goesMarked) removal.change = { remove: true, answer: asItWas ? current.value : next };
  else if (!marked && sameFinalizers && readsAsWritten(current.value)) removal.change = { keep: true };
  else removal.change = { write: next };
}

/** A rehearsal that takes the last finalizer goes no further than that. */
function freed(object: KubeObject): KubeObject {
  const { finalizers: _finalizers, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** To be marked is a new generation of what has one, even where nothing else counts; but not of what ends untimed. */
function countMark({ call, next: { metadata }, current, grace }: Removal): void {
  const isUntimed = call.resource.rules.beginDeletion && grace === undefined;
  if (isUntimed || !((metadata.generation ?? 0) > 0) || current.value.metadata.deletionTimestamp) return;
  metadata.generation = nextGeneration(metadata.generation);
}

/** Otherwise it changes by being written back as it was read. */
const readsAsWritten = (object: KubeObject) => !isUnsettled(object) && !isWithNothing(object);

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((each, i) => each === b[i]);

/** Answers whether anything changed. In place. */
function markDeletion(metadata: ObjectMeta, now: number, grace: number | 'untimed' | undefined): boolean {
  const seconds = typeof grace === 'number' ? grace : 0;
  const before = metadata.deletionGracePeriodSeconds ?? 0;
  if (metadata.deletionTimestamp && !(typeof grace === 'number' && seconds < before)) return false;
  const start = metadata.deletionTimestamp ? Date.parse(metadata.deletionTimestamp) - before * 1000 : now;
  metadata.deletionTimestamp = formatTime(start + seconds * 1000);
  if (grace !== 'untimed') metadata.deletionGracePeriodSeconds = seconds;
  return true;
}

/** The finalizers that the propagation policy leaves (facts of rule `deletion.finalizers`). */
function finalizersAfter(resource: Resource, metadata: ObjectMeta, options: DeleteOptions): string[] {
  const current = metadata.finalizers ?? [];
  const policy = policyOf(resource, options, current);
  if (!policy) return [...current];
  const others = current.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  if (policy === 'Background') return others;
  const wanted = policy === 'Orphan' ? 'orphan' : 'foregroundDeletion';
  const unwanted = policy === 'Orphan' ? 'foregroundDeletion' : 'orphan';
  return current.includes(wanted) ? current.filter((name) => name !== unwanted) : [...others, wanted];
}

function policyOf(
  resource: Resource,
  { propagationPolicy, orphanDependents }: DeleteOptions,
  finalizers: readonly string[],
) {
  if (resource.rules.withoutDependents) return 'Background';
  if (propagationPolicy) return propagationPolicy;
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  // What an earlier delete asked for stands.
  if (finalizers.includes('orphan') || finalizers.includes('foregroundDeletion')) return undefined;
  return resource.rules.orphansDependents ? 'Orphan' : undefined;
}
