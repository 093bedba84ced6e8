/** Whether two JSON values hold the same content; the order of object keys does not matter. Depth is the values' own. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  return sameMembers(a, b);
}

type Members = Readonly<Record<string, unknown>>;

/** Whether two objects have the same members. @param apart the name of one that is not looked at */
export function sameMembers(a: object, b: object, apart?: string): boolean {
  const keys = Object.keys(a);
  let others = Object.keys(b).length;
  if (apart === undefined && keys.length !== others) return false;
  if (apart !== undefined && Object.hasOwn(b, apart)) others--;
  for (const key of keys) {
    if (key === apart) continue;
    if (!Object.hasOwn(b, key) || !deepEqual((a as Members)[key], (b as Members)[key])) return false;
    others--;
  }
  return others === 0;
}
