import type { KubeObject } from '../base/kube-object.ts';
import { pin } from '../base/pinned.ts';
import type { Structure } from '../schema/structure.ts';
import type { ServedVersion } from './resource.ts';

/**
 * A map of bytes (`data` of a Secret) can hold a key in two ways: with no bytes, or with nothing. Both are read as empty
 * text. Whoever sends the whole object writes no bytes; a strategic merge patch and an apply write nothing for each
 * empty value, whoever set it. So the two are different writes, although nothing that is read tells them apart.
 */
const withNothing = new WeakSet<KubeObject>();

const isByteMap = (type: Structure) =>
  type.type === 'map' && type.values.type === 'scalar' && type.values.scalar === 'bytes';

const byteMaps = new WeakMap<Structure, readonly string[]>();

function findByteMaps({ structure }: ServedVersion): readonly string[] {
  const names = [...structure.fields].filter(([, { type }]) => isByteMap(type)).map(([name]) => name);
  byteMaps.set(structure, names);
  return names;
}

const emptyKeys = (map: unknown): string[] =>
  Object.entries((map ?? {}) as object).flatMap(([key, value]) => (value === '' ? [key] : []));

export function hasEmptyBytes(served: ServedVersion, object: KubeObject): boolean {
  const names = byteMaps.get(served.structure) ?? findByteMaps(served);
  for (const name of names) if (object[name] && emptyKeys(object[name]).length > 0) return true;
  return false;
}

/** The object with something else for each empty value of a map of bytes, for what compares it with what is stored. */
export function withoutBytes(served: ServedVersion, object: KubeObject, nothing: null | string = null): KubeObject {
  const shown: KubeObject = { ...object };
  for (const name of byteMaps.get(served.structure) ?? findByteMaps(served)) {
    const nulls = emptyKeys(object[name]).map((key) => [key, nothing] as const);
    if (nulls.length > 0) shown[name] = { ...(object[name] as object), ...Object.fromEntries(nulls) };
  }
  return shown;
}

/** Remembers how an object was written, as long as it is held in memory. */
export function markWithNothing(object: KubeObject): void {
  withNothing.add(object);
  pin(object);
}

export const isWithNothing = (object: KubeObject): boolean => withNothing.has(object);
