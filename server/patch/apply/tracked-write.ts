import type { JsonObject } from '../../base/json-value.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import type { Structure } from '../../schema/structure.ts';
import { compare, type Differences } from './compare.ts';
import { type FieldSet, fieldSetOfPaths, isEmptySet, union } from './field-set.ts';
import { type OtherVersions, objectIn, type VersionedWrite } from './other-versions.ts';
import { fieldElement } from './path-element.ts';

/** Who writes, and how the object is made. */
export interface TrackedWrite extends VersionedWrite {
  /** Name of the field manager, which has one. */
  readonly manager: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Milliseconds; absent: entries that this write makes carry no time (as for the scale subresource). */
  readonly now?: number;
  /**
   * Fields that are neither owned nor in conflict: the server's own, and those that a write of this sort may not change
   * (`untracked(['status'])`). Default: the server's own.
   */
  readonly untracked?: FieldSet;
}

/** The set of fields at paths of plain field names, such as `['status']` or `['status', 'conditions']`. */
export const fieldsAt = (...paths: readonly (readonly string[])[]): FieldSet =>
  fieldSetOfPaths(paths.map((names) => names.map(fieldElement)));

/** What the server itself says of an object; a configuration may name it, to no effect. */
export const systemMetadata = [
  'name',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
] as const;

/** What no manager ever owns and no comparison looks at. */
export const systemFields = fieldsAt(['apiVersion'], ['kind'], ...systemMetadata.map((name) => ['metadata', name]));

/** The system fields, and those that a write resets, with all below them. */
export const untracked = (...reset: readonly (readonly string[])[]): FieldSet =>
  union(systemFields, fieldsAt(...reset));

/** Stands for the object before it was created. */
const beforeCreation: JsonObject = { metadata: {} };

/** What a write changes, in one version. */
export interface Changes extends Differences {
  readonly structure: Structure;
  /** What holds another value than before: what was added or modified. */
  readonly set: FieldSet;
}

/** By version; undefined for one that does not exist any more. */
export type ChangesByVersion = ReadonlyMap<string, Changes | undefined>;

/**
 * What a write changes, in the versions of all managers. @param own in that of the request
 * @throws UnmergeableObjectError
 */
export function* changesByVersion(
  own: Changes,
  versions: OtherVersions,
  after: KubeObject,
  write: TrackedWrite,
): Work<ChangesByVersion> {
  const changes = new Map<string, Changes | undefined>().set(write.apiVersion, own);
  for (const [apiVersion, found] of versions) {
    if (!found) changes.set(apiVersion, undefined);
    else {
      const { version, before } = found;
      const { structure, untracked = write.untracked } = version;
      changes.set(apiVersion, changesIn(structure, before, yield* objectIn(version, after), untracked));
    }
  }
  return changes;
}

/** What a write changes, in one version. @throws UntypedValue an object does not fit its structure */
export function changesIn(
  structure: Structure,
  before: KubeObject | undefined,
  after: KubeObject,
  untracked = systemFields,
): Changes {
  const then = (before as JsonObject | undefined) ?? beforeCreation;
  const { added, modified, removed } = compare(then, after as unknown as JsonObject, structure, untracked);
  return { added, modified, removed, structure, set: isEmptySet(added) ? modified : union(added, modified) };
}
