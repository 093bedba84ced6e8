/**
 * Writes lists that hold nothing as null. A client may own such a list in kinds that tell it from a missing one until
 * they store it; this is the last step before they do. In place.
 */
export function emptyListsAreNull(object: object | undefined, fields: readonly string[]): void {
  const members = (object ?? {}) as { [field: string]: unknown };
  for (const field of fields) {
    const value = members[field] ?? [];
    if (Array.isArray(value) && value.length === 0) members[field] = null;
  }
}
