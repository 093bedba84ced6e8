import type { JsonObject } from '../../base/json-value.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import type { Structure } from '../../schema/structure.ts';
import { checkTyped } from './check-typed.ts';
import { compare, type Differences } from './compare.ts';
import { type FieldSet, fieldSetOfPaths, isEmptySet, union } from './field-set.ts';
import type { Managers } from './managers.ts';
import { fieldElement } from './path-element.ts';
import { UntypedValue } from './typed-value.ts';

/** Another version of the same objects, in which the fields of some managers are written. */
export interface OtherVersion {
  readonly structure: Structure;
  /** From the version of the request into this one; must not change its argument. */
  from(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Back to the version of the request; must not change its argument. */
  to(object: KubeObject): KubeObject | Promise<KubeObject>;
}

/** Who writes, and how the object is made. */
export interface TrackedWrite {
  readonly structure: Structure;
  /** Name of the field manager, which has one. */
  readonly manager: string;
  /** Of the request, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Milliseconds; absent: entries that this write makes carry no time (as for the scale subresource). */
  readonly now?: number;
  /**
   * Fields that are neither owned nor in conflict: the server's own, and those that a write of this sort may not change
   * (`untracked(['status'])`). Default: the server's own.
   */
  readonly untracked?: FieldSet;
  /** Another version by its apiVersion; undefined when there is none any more: its managers are dropped. */
  readonly otherVersion?: (apiVersion: string) => OtherVersion | undefined;
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

/** One write to one object. */
interface Write {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
  readonly write: TrackedWrite;
}

/**
 * What a write changes, in the versions of all managers; a promise only where some are not that of the request, in which
 * the changes are known. @throws UntypedValue an object does not fit its structure
 */
export function changesByVersion(
  own: Changes,
  managers: Managers,
  write: Write,
): ChangesByVersion | Promise<ChangesByVersion> {
  const known = new Map<string, Changes | undefined>([[write.write.apiVersion, own]]);
  for (const { apiVersion } of managers.values()) {
    if (!known.has(apiVersion)) return compareInOthers(known, managers, write);
  }
  return known;
}

async function compareInOthers(
  known: Map<string, Changes | undefined>,
  managers: Managers,
  { before, after, write }: Write,
): Promise<ChangesByVersion> {
  for (const { apiVersion } of managers.values()) {
    if (known.has(apiVersion)) continue;
    const version = write.otherVersion?.(apiVersion);
    const then = version && before && fitting(await version.from(before), version.structure);
    const now = version && fitting(await version.from(after), version.structure);
    known.set(apiVersion, version && now && changesIn(version.structure, then, now, write));
  }
  return known;
}

/** @throws UntypedValue another version has fields that this one lacks */
function fitting(object: KubeObject, structure: Structure): KubeObject {
  const [fault] = checkTyped(object as unknown as Json, structure);
  if (fault) throw new UntypedValue(fault);
  return object;
}

/** What a write changes, in one version. @throws UntypedValue an object does not fit its structure */
export function changesIn(
  structure: Structure,
  before: KubeObject | undefined,
  after: KubeObject,
  { untracked = systemFields }: TrackedWrite,
): Changes {
  const then = (before as JsonObject | undefined) ?? beforeCreation;
  const { added, modified, removed } = compare(then, after as unknown as JsonObject, structure, untracked);
  return { added, modified, removed, structure, set: isEmptySet(added) ? modified : union(added, modified) };
}
