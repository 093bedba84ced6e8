import type { Json, KubeObject } from '../../base/kube-object.ts';
import { known, type Work } from '../../base/turns/work.ts';
import type { Structure } from '../../schema/structure.ts';
import { UnmergeableObjectError } from '../patch-error.ts';
import { checkTyped } from './check-typed.ts';
import type { FieldSet } from './field-set.ts';
import type { Managers } from './managers.ts';
import { ownedWhole } from './typed-value.ts';

/** Another version of the same objects, in which the fields of some managers are written. */
export interface OtherVersion {
  readonly structure: Structure;
  /** As of a write, in this version. Default: as in that of the request. */
  readonly untracked?: FieldSet;
  /** From the version of the request into this one; must not change its argument. */
  from(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Back to the version of the request; must not change its argument. */
  to(object: KubeObject): KubeObject | Promise<KubeObject>;
}

/** The version in which a write is made, and the way to others. */
export interface VersionedWrite {
  readonly structure: Structure;
  /** Of the request, such as `apps/v1`. */
  readonly apiVersion: string;
  /**
   * Another version by its apiVersion; undefined when there is none any more: its managers are dropped.
   * @throws UnmergeableObjectError when objects of it cannot be had at all
   */
  readonly otherVersion?: (apiVersion: string) => OtherVersion | undefined;
}

/** A version in which a manager wrote, and what the object was in it. */
export interface VersionOfManager {
  readonly version: OtherVersion;
  /** Undefined: the write creates it. */
  readonly before: KubeObject | undefined;
}

/** By apiVersion, without that of the request; undefined for one that does not exist any more. */
export type OtherVersions = ReadonlyMap<string, VersionOfManager | undefined>;

const none: OtherVersions = new Map();

/** @throws UnmergeableObjectError */
export function* otherVersionsOf(
  managers: Managers,
  live: KubeObject | undefined,
  write: VersionedWrite,
): Work<OtherVersions> {
  let versions: Map<string, VersionOfManager | undefined> | undefined;
  for (const { apiVersion } of managers.values()) {
    if (apiVersion === write.apiVersion || versions?.has(apiVersion)) continue;
    const version = write.otherVersion?.(apiVersion);
    const before = version && live && (yield* objectIn(version, live));
    versions = (versions ?? new Map()).set(apiVersion, version && { version, before });
  }
  return versions ?? none;
}

/** The object in another version, in which it must be of the right structure. @throws UnmergeableObjectError */
export function* objectIn(version: OtherVersion, object: KubeObject): Work<KubeObject> {
  const converted = yield* convertedBy(version.from, object);
  const faults = checkTyped(converted as unknown as Json, version.structure);
  if (faults.length > 0) throw new UnmergeableObjectError(`failed to convert the object: ${faults.join(', ')}`);
  return converted;
}

/** @throws UnmergeableObjectError whatever became of it */
export function* convertedBy(convert: OtherVersion['from'], object: KubeObject): Work<KubeObject> {
  try {
    return yield* known(convert(object));
  } catch (error) {
    throw new UnmergeableObjectError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * What managers own was written when structures may have been others. In place.
 * @returns whether that is told otherwise by now
 */
export function reconcile(managers: Managers, versions: OtherVersions, write: VersionedWrite): boolean {
  let changed = false;
  for (const [identity, manager] of managers) {
    const own = manager.apiVersion === write.apiVersion;
    const structure = own ? write.structure : versions.get(manager.apiVersion)?.version.structure;
    const fields = structure ? ownedWhole(manager.fields, structure) : manager.fields;
    if (fields === manager.fields) continue;
    managers.set(identity, { ...manager, fields });
    changed = true;
  }
  return changed;
}
