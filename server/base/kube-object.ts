/** Any JSON value as it was decoded. */
export type Json = string | number | boolean | bigint | null | Json[] | { [key: string]: Json };

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: { [key: string]: Json };
  subresource?: string;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  /** Undefined: none. */
  resourceVersion?: string | undefined;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/**
 * An API object. What the store hands out is shared and must not be changed; a writer works on a copy of its own
 * (`structuredClone` or fresh decode) until it gives it to the store.
 */
export interface KubeObject {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** `group/version`, or just the version for the core group. */
export const apiVersionOf = (group: string, version: string) => (group ? `${group}/${version}` : version);

/** The parts of an `apiVersion`. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}
