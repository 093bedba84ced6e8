import { apiVersionOf, type KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { carryOut, known, type Work } from '../base/turns/work.ts';
import type { Conversion, KindRules } from '../kinds/strategy.ts';
import type { StructType } from '../schema/structure.ts';
import { keyBelow, namespacePrefix } from '../store/object-keys.ts';
import type { Stored } from '../store/store.ts';
import { StoredValue } from '../store/stored-value.ts';

/** One version in which a resource is served. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  /** `group/version` as objects carry it. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly structure: StructType;
  /** Missing: the version has the storage version's form. */
  readonly conversion?: AsyncConversion;
}

/** Like a kind's Conversion; custom resources may ask a webhook. */
export interface AsyncConversion {
  toStorage(object: KubeObject): KubeObject | Promise<KubeObject>;
  fromStorage(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** From any version, with all that the object has, also what this one does not know. Missing: the others lose nothing. */
  relabel?(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Others convert, who may have learnt better the next time. */
  readonly asksOthers?: boolean;
}

export interface SubresourceInfo {
  readonly name: string;
  /** The kind that bodies and answers have. */
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: ReadonlySet<string>;
}

/** One resource as it is served in one group and version: what a request's path leads to. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  readonly subresources: ReadonlyMap<string, SubresourceInfo>;
  readonly served: ServedVersion;
  readonly storage: ServedVersion;
  readonly rules: KindRules;
  /** Store keys of all its objects begin with this. Resources that show the same objects share it. */
  readonly prefix: string;
  /** Has a `status` subresource, so the main path leaves status alone. */
  readonly splitsStatus: boolean;
  /** Made from a CustomResourceDefinition: metadata is all that `/status` and the main path have in common. */
  readonly custom?: CustomTraits;
  /** Text of a warning with every answer: this version is to go. */
  readonly deprecation?: string;
}

/** What a definition adds to the common path. Its rules take objects in the version of the request. */
export interface CustomTraits {
  readonly definition: CustomDefinition;
  /** The definition is being deleted: creates answer 405. */
  readonly terminating: boolean;
  /** Any version that is defined, also one that is not served, in which somebody may have written while it was. */
  version(name: string): ServedVersion | undefined;
  /** Aborted once the definition says something else, or is gone: what goes on and on has to begin anew. */
  readonly lasts: AbortSignal;
}

/** A definition in the store. */
export interface CustomDefinition {
  readonly key: string;
  readonly uid: string | undefined;
  /** Whether its objects are being deleted, as it says now. */
  isTerminating(now: KubeObject): boolean;
}

/** The store key of an object; `namespace` is empty for cluster-scoped kinds. */
export const keyOf = (resource: Resource, namespace: string, name: string) =>
  keyBelow(resource.prefix, namespace, name);

/** The store key of the object that a path names. @throws 400 for a name that would lead elsewhere */
export function pathKey(resource: Resource, namespace: string, name: string): string {
  if (name === '.' || name === '..') {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be '${name}'`);
  }
  return keyBelow(resource.prefix, namespace, name);
}

export const prefixOf = (resource: Resource, namespace: string) => namespacePrefix(resource.prefix, namespace);

/** Not-found and conflict errors speak of the plural, validation errors of the Kind. */
export const subjectOf = (resource: Resource) => ({ group: resource.group, resource: resource.plural });
export const kindSubjectOf = ({ group, served, rules }: Resource) => ({
  group: rules.validationGroup ?? group,
  resource: served.kind,
});

/** The object in the storage version. Without a conversion it is the same object. */
export function toStorage({ served }: Resource, object: KubeObject): KubeObject | Promise<KubeObject> {
  return served.conversion ? served.conversion.toStorage(object) : object;
}

/** The object in the request's version. Without a conversion it is the same object. */
export function fromStorage(resource: Resource, object: KubeObject): KubeObject | Promise<KubeObject> {
  return resource.served.conversion ? resource.served.conversion.fromStorage(object) : object;
}

/** Whether the rules of the kind take objects in another version than that of the request: in the store's. */
export const rulesConvert = ({ served, custom }: Resource): boolean => served.conversion !== undefined && !custom;

const inMemory = new WeakMap<Stored, Views>();
/** Views that others converted. */
const fromOthers = new WeakSet<object>();

/**
 * A stored object in the version of the request. Converted once per version and kept as long as the stored one; a
 * definition that changes brings new versions, whose views are their own.
 */
export function view({ served }: Resource, stored: Stored): Stored | Promise<Stored> {
  if (!served.conversion) return stored;
  let views = inMemory.get(stored);
  if (!views) {
    views = new WeakMap();
    inMemory.set(stored, views);
  }
  const there = views.get(served);
  if (there) return there;
  const made = carryOut(convert(served, stored, views));
  if (made instanceof Promise) {
    views.set(served, made);
    made.catch(() => views.delete(served));
  }
  return made;
}

/** The same for who asks how it is now: what others convert is converted anew. The last view stays until they have. */
export function viewNow(resource: Resource, stored: Stored): Stored | Promise<Stored> {
  const { served } = resource;
  const views = served.conversion?.asksOthers ? inMemory.get(stored) : undefined;
  const last = views?.get(served);
  return views && last && fromOthers.has(last) ? carryOut(convert(served, stored, views)) : view(resource, stored);
}

type Views = WeakMap<ServedVersion, Stored | Promise<Stored>>;

function* convert(served: ServedVersion, stored: Stored, views: Views): Work<Stored> {
  const value = yield* known(served.conversion?.fromStorage(stored.value) ?? stored.value);
  // What is stored just as it is shown needs no second encoding.
  const shown = value === stored.value ? stored : new StoredValue(stored.key, stored.revision, value);
  views.set(served, shown);
  if (served.conversion?.asksOthers && stored.value.apiVersion !== served.apiVersion) fromOthers.add(shown);
  return shown;
}

/** @param structureOf asked when the first object comes: most servers never see most kinds */
export function servedVersion(
  { group, version, kind }: Pick<ServedVersion, 'group' | 'version' | 'kind'>,
  structureOf: () => StructType,
  conversion?: Conversion | AsyncConversion,
): ServedVersion {
  return {
    group,
    version,
    kind,
    get structure() {
      const value = structureOf();
      Object.defineProperty(this, 'structure', { value });
      return value;
    },
    apiVersion: apiVersionOf(group, version),
    ...(conversion && { conversion }),
  };
}
