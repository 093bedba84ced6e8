import {
  alreadyExists,
  applyConflict,
  badRequest,
  entityTooLarge,
  notFound,
  unprocessable,
} from '../base/status-error.ts';
import {
  ApplyConflictError,
  ExcessivePatchError,
  MalformedPatchError,
  PatchError,
  UnmergeableObjectError,
} from '../patch/patch-error.ts';
import { nameIn } from '../store/object-keys.ts';
import { ContendedError, KeyExistsError, KeyMissingError, TakenError, UnreadableError } from '../store/store.ts';
import type { Call } from './call.ts';
import { staleVersion } from './preconditions.ts';
import { subjectOf } from './resource.ts';

/** An error of a patch as clients are told of it: 400, 409, 413 or 422. Anything else as it is. */
export function patchAnswer(error: unknown): unknown {
  if (!(error instanceof PatchError)) return error;
  const { message } = error;
  if (error instanceof ApplyConflictError) {
    const causes = error.conflicts.map(({ field, owner }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${owner}`,
      field,
    }));
    return applyConflict(causes, message);
  }
  if (error instanceof MalformedPatchError) return badRequest(message);
  if (error instanceof ExcessivePatchError) return entityTooLarge(message);
  if (error instanceof UnmergeableObjectError) return unprocessable(message);
  // Which operation failed, and why, a genuine server keeps to itself.
  return unprocessable('the server rejected our request due to an error in our request');
}

/** Runs `act`; what is wrong with a patch is thrown as the answer to it. */
export function wordingPatches<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw patchAnswer(error);
  }
}

/** What the store or a patch could not do, as clients are told it. */
export function writeAnswer(error: unknown, { resource, name }: Pick<Call, 'resource' | 'name'>): unknown {
  const subject = subjectOf(resource);
  if (error instanceof KeyMissingError) return notFound(subject, name);
  if (error instanceof ContendedError || error instanceof TakenError) return staleVersion(subject, name);
  // What is sent to a collection is to be new, whatever is in its place.
  if (error instanceof UnreadableError && !name) return alreadyExists(subject, nameIn(error.key), false);
  if (!(error instanceof KeyExistsError)) return patchAnswer(error);
  const { metadata } = error.current.value;
  return alreadyExists(subject, metadata.name ?? '', metadata.deletionTimestamp !== undefined);
}
