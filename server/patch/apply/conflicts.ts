import { ApplyConflictError } from '../patch-error.ts';
import { type FieldPathElements, type FieldSet, hasPath, pathsOf } from './field-set.ts';
import type { Manager } from './managers.ts';
import { spellPath } from './path-element.ts';

/** A field that an apply would change although another manager owns it. */
export interface Conflict {
  /** Identity and description of the owner. */
  readonly identity: string;
  readonly owner: Manager;
  readonly path: FieldPathElements;
}

export const conflictsWith = (identity: string, owner: Manager, fields: FieldSet): Conflict[] =>
  pathsOf(fields).map((path) => ({ identity, owner, path }));

export const withoutAllowed = (conflicts: readonly Conflict[], allowed: FieldSet) =>
  conflicts.filter(({ path }) => !hasPath(allowed, path));

function describe({ name, operation, subresource, apiVersion }: Manager): string {
  const through = subresource ? ` with subresource ${JSON.stringify(subresource)}` : '';
  return `${JSON.stringify(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** The failure of an apply: each field and manager, in the order of managers. */
export function conflictError(conflicts: readonly Conflict[]): ApplyConflictError {
  const sorted = [...conflicts].sort((a, b) => (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0));
  const told = sorted.slice(0, mostTold);
  const fields = told.map(({ owner, path }) => ({ field: spellPath(path), owner: describe(owner) }));
  return new ApplyConflictError(fields, summary(told, sorted.length));
}

/** More conflicts are counted, but not told one by one. */
const mostTold = 2500;

function summary(conflicts: readonly Conflict[], count: number): string {
  const [first] = conflicts;
  if (count === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${describe(first.owner)}: ${spellPath(first.path)}`;
  }
  const lines: string[] = [];
  let last: Manager | undefined;
  for (const { owner, path } of conflicts) {
    if (owner !== last) lines.push(`conflicts with ${describe(owner)}:`);
    last = owner;
    lines.push(`- ${spellPath(path)}`);
  }
  if (count > conflicts.length) lines.push(`and ${count - conflicts.length} more`);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}
