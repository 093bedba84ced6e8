import type { V1ObjectMeta, V1OwnerReference } from '@kubernetes/client-node';

/**
 * A type of the client library as its objects really travel: times are RFC 3339 texts, not Dates. Controllers work on
 * what came over the wire, so nothing that a newer server added is lost when an object is sent back.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer E)[]
    ? Wire<E>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

/** What every object of every kind has. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: Wire<V1ObjectMeta>;
}

export type OwnerReference = Wire<V1OwnerReference>;

export const nameOf = (object: KubeObject): string => object.metadata?.name ?? '';
export const namespaceOf = (object: KubeObject): string => object.metadata?.namespace ?? '';
export const uidOf = (object: KubeObject): string => object.metadata?.uid ?? '';
export const versionOf = (object: KubeObject): string => object.metadata?.resourceVersion ?? '';
export const labelsOf = (object: KubeObject): Readonly<Record<string, string>> => object.metadata?.labels ?? {};
export const annotationOf = (object: KubeObject, name: string): string | undefined => {
  const all = object.metadata?.annotations ?? {};
  return Object.hasOwn(all, name) ? all[name] : undefined;
};
export const isDeleting = (object: KubeObject): boolean => Boolean(object.metadata?.deletionTimestamp);
export const hasFinalizer = (object: KubeObject, finalizer: string): boolean =>
  object.metadata?.finalizers?.includes(finalizer) ?? false;

/** `namespace/name`, or the name alone for cluster-scoped objects: what queues and caches know an object by. */
export const keyOf = (object: KubeObject): string => keyFor(namespaceOf(object), nameOf(object));
export const keyFor = (namespace: string, name: string): string => (namespace ? `${namespace}/${name}` : name);

/** The one owner that manages an object, if it has one. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata?.ownerReferences?.find((owner) => owner.controller);

/** The reference by which another object goes with `owner`. */
export const ownedBy = (owner: KubeObject, apiVersion: string, kind: string): OwnerReference => ({
  apiVersion,
  kind,
  name: nameOf(owner),
  uid: uidOf(owner),
});

/** The reference by which `owner` manages another object. */
export const managedBy = (owner: KubeObject, apiVersion: string, kind: string): OwnerReference => ({
  ...ownedBy(owner, apiVersion, kind),
  controller: true,
  blockOwnerDeletion: true,
});

/** Milliseconds of a time on the wire; undefined when it is missing or no time. */
export function millisecondsOf(time: string | null | undefined): number | undefined {
  const milliseconds = time ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** When an object was made, in milliseconds; 0 where it does not say. */
export const createdAt = (object: KubeObject): number => millisecondsOf(object.metadata?.creationTimestamp) ?? 0;

/** Sorts by when objects were made; what does not say it comes first. */
export const olderFirst = (one: KubeObject, other: KubeObject): number => createdAt(one) - createdAt(other);
