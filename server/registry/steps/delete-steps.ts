import type { KubeObject, ObjectMeta } from '../../base/kube-object.ts';
import { formatTime } from '../../base/time/clock.ts';
import { known, type Work } from '../../base/turns/work.ts';
import { isUnsettled } from '../../kinds/unsettled.ts';
import type { Change, Stored } from '../../store/store.ts';
import type { Call } from '../call.ts';
import { writeContext } from '../draft.ts';
import { isWithNothing } from '../empty-bytes.ts';
import { nextGeneration } from '../generation.ts';
import type { DeleteOptions } from '../options.ts';
import { checkPreconditions } from '../preconditions.ts';
import { finalizersAfter } from '../propagation.ts';
import { kindSubjectOf, subjectOf, view } from '../resource.ts';
import type { Undo } from '../undo.ts';
import { admit, optionsObject } from './admit.ts';

/** Why an object is deleted, as far as admission cares. */
export interface Occasion {
  /** It is one of a collection: admission is not told its name. */
  readonly collection?: boolean;
  /** Another request that admission let pass (an eviction) asks for it: it is not asked again. */
  readonly admitted?: boolean;
}

/** A delete on its way through its steps. */
export interface Removal {
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
