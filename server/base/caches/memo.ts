/** A value that is made when it is first asked for, and then kept. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What follows from an object alone: made once for each, and kept as long as the object is. */
export function perObject<K extends object, V>(make: (object: K) => V): (object: K) => V {
  const kept = new WeakMap<K, V>();
  return (object) => {
    const known = kept.get(object);
    if (known !== undefined || kept.has(object)) return known as V;
    const made = make(object);
    kept.set(object, made);
    return made;
  };
}

/** What follows from a key alone: made once, and kept as long as it is among the `atMost` that were made last. */
export function perKey<K, V>(make: (key: K) => V, atMost = Number.POSITIVE_INFINITY): (key: K) => V {
  const kept = new Map<K, V>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined || kept.has(key)) return known as V;
    const made = make(key);
    if (kept.size >= atMost) kept.delete(kept.keys().next().value as K);
    kept.set(key, made);
    return made;
  };
}
