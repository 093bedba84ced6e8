import type { JsonObject } from '../../base/json-value.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import type { Structure } from '../../schema/structure.ts';
import { checkTyped } from './check-typed.ts';
import { compare, type Differences } from './compare.ts';
import { type FieldSet, fieldSetOfPaths, union } from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { fieldElement } from './path-element.ts';
import { ownedWhole, UntypedValue } from './typed-value.ts';

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

const systemMetadata = [
  'name',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
];

/** What no manager ever owns and no comparison looks at. */
export const systemFields = fieldsAt(['apiVersion'], ['kind'], ...systemMetadata.map((name) => ['metadata', name]));

/** The system fields, and those that a write resets, with all below them. */
export const untracked = (...reset: readonly (readonly string[])[]): FieldSet =>
  union(systemFields, fieldsAt(...reset));

/** Stands for the object before it was created. */
const beforeCreation: JsonObject = { metadata: {} };

/** What a write means to a manager. */
export interface Effect {
  /** What the manager owns before it. */
  readonly fields: FieldSet;
  /** In the version in which the manager wrote. */
  readonly differences: Differences;
}

interface Compared {
  readonly structure: Structure;
  readonly differences: Differences;
}

/** The differences that a write makes, in the version of each manager. */
export class WriteDifferences {
  readonly #before: KubeObject | undefined;
  readonly #after: KubeObject;
  readonly #write: TrackedWrite;
  readonly #byVersion = new Map<string, Compared | undefined>();
  /** In the version of the request. */
  readonly own: Differences;

  /** @throws UntypedValue an object does not fit its structure */
  constructor(before: KubeObject | undefined, after: KubeObject, write: TrackedWrite) {
    this.#before = before;
    this.#after = after;
    this.#write = write;
    const { structure, untracked = systemFields } = write;
    this.own = compareObjects(before, after, structure, untracked);
    this.#byVersion.set(write.apiVersion, { structure, differences: this.own });
  }

  /** Compares in the versions of these managers as well; undefined when there are no others. @throws UntypedValue */
  load(managers: Managers): Promise<void> | undefined {
    for (const { apiVersion } of managers.values())
      if (!this.#byVersion.has(apiVersion)) return this.#loadAll(managers);
    return undefined;
  }

  async #loadAll(managers: Managers): Promise<void> {
    for (const { apiVersion } of managers.values()) {
      if (!this.#byVersion.has(apiVersion)) this.#byVersion.set(apiVersion, await this.#compareIn(apiVersion));
    }
  }

  async #compareIn(apiVersion: string): Promise<Compared | undefined> {
    const version = this.#write.otherVersion?.(apiVersion);
    if (!version) return undefined;
    const { structure } = version;
    const before = this.#before && fitting(await version.from(this.#before), structure);
    const after = fitting(await version.from(this.#after), structure);
    const { untracked = systemFields } = this.#write;
    return { structure, differences: compareObjects(before, after, structure, untracked) };
  }

  /** For a manager whose version was loaded; undefined when the version does not exist any more. */
  on(manager: Manager): Effect | undefined {
    const compared = this.#byVersion.get(manager.apiVersion);
    return compared && { ...compared, fields: ownedWhole(manager.fields, compared.structure) };
  }
}

/** @throws UntypedValue another version has fields that this one lacks */
function fitting(object: KubeObject, structure: Structure): KubeObject {
  const [fault] = checkTyped(object as unknown as Json, structure);
  if (fault) throw new UntypedValue(fault);
  return object;
}

const compareObjects = (
  before: KubeObject | undefined,
  after: KubeObject,
  structure: Structure,
  ignored: FieldSet,
): Differences =>
  compare((before as JsonObject | undefined) ?? beforeCreation, after as unknown as JsonObject, structure, ignored);
