/** Acts on all items, so many at once. Waits for all, then throws the first failure. */
export async function forEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>, atOnce = 16): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const item = items[next++] as T;
      await act(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/**
 * Acts on one item, then two, four, eight at once, and stops after the first group with a failure: a request that every
 * item would fail with, over quota say, is not made a thousand times.
 */
export async function inGrowingGroups<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0, size = 1; from < items.length; from += size, size = Math.min(size * 2, 64)) {
    if (from > 0 && size > items.length) size = items.length;
    await forEach(items.slice(from, from + size), act, size);
  }
}
