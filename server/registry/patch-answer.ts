import { applyConflict, badRequest, entityTooLarge, unprocessable } from '../base/status-error.ts';
import {
  ApplyConflictError,
  ExcessivePatchError,
  MalformedPatchError,
  PatchError,
  UnmergeableObjectError,
} from '../patch/patch-error.ts';

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
