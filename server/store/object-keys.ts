/**
 * How the keys of objects are spelt: `<group>/<resource>/<namespace>/<name>`, with nothing between the slashes for the
 * core group and for cluster-scoped objects. So all of a kind, and all of one namespace, are one contiguous range.
 */

export interface StoredKind {
  /** Empty: the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
}

export const groupPrefix = (group: string) => `${group}/`;

export const kindPrefix = ({ group, resource }: StoredKind) => `${groupPrefix(group)}${resource}/`;

/** Of one namespace below a kind's prefix; of all of them when it is empty. */
export const namespacePrefix = (prefix: string, namespace: string) => (namespace ? `${prefix}${namespace}/` : prefix);

/** Of one object below a kind's prefix; `namespace` is empty for cluster-scoped kinds. */
export const keyBelow = (prefix: string, namespace: string, name: string) => `${prefix}${namespace}/${name}`;

export const objectKey = (kind: StoredKind, namespace: string, name: string) =>
  keyBelow(kindPrefix(kind), namespace, name);

/** The plural and the name that a key holds. */
export const resourceIn = (key: string) => key.split('/', 2)[1] ?? '';
export const nameIn = (key: string) => key.slice(key.lastIndexOf('/') + 1);
