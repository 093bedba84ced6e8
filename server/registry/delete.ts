import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { forbidden, notFound } from '../base/status-error.ts';
import { carryOut, known, type Work } from '../base/turns/work.ts';
import { rehearsing } from '../store/rehearsal.ts';
import { type Change, KeyMissingError, type Stored } from '../store/store.ts';
import type { Call } from './call.ts';
import type { DeleteOptions } from './options.ts';
import { fromStorage, pathKey, subjectOf, toStorage, view } from './resource.ts';
import { deleteSteps, type Occasion, type Removal } from './steps/delete-steps.ts';
import { giveBack, type Undo } from './undo.ts';
import { writeAnswer } from './write-answer.ts';

export interface Deleted {
  /** Removed at once, or waiting for finalizers, a grace period or another holder. */
  readonly gone: boolean;
  /** The last or the new state, in the request's version. */
  readonly object: KubeObject;
}

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
