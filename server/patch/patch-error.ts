/** A patch could not be applied. Says so in terms of patches; whoever answers a request words it for the client. */
export class PatchError extends Error {}

/** The patch is none: of another shape, or with directives that make no sense. */
export class MalformedPatchError extends PatchError {}

/** A pointer of a JSON patch leads nowhere, or an operation cannot be carried out there. */
export class BadPathError extends PatchError {}

/** A `test` of a JSON patch found another value. */
export class FailedTestError extends PatchError {}

/** What the patch asks for is beyond all reason: too many operations, too deep, too much to copy or to move. */
export class ExcessivePatchError extends PatchError {}

/**
 * The object, as it is, cannot be merged with: it has lists whose elements cannot be told apart, or it cannot be had in a
 * version in which somebody wrote it.
 */
export class UnmergeableObjectError extends PatchError {}

/** One field that an apply would take from another manager. */
export interface FieldConflict {
  /** Such as `.spec.replicas`. */
  readonly field: string;
  /** The owner, described for people. */
  readonly owner: string;
}

/** An apply without force would take fields from other managers. */
export class ApplyConflictError extends PatchError {
  readonly conflicts: readonly FieldConflict[];
  constructor(conflicts: readonly FieldConflict[], summary: string) {
    super(summary);
    this.conflicts = conflicts;
  }
}
