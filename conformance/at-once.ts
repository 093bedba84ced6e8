/** Does this with all of the items, so many at once, begun in their order. Gives what comes of each, in that order, too. */
export async function atOnce<T, R>(
  most: number,
  items: readonly T[],
  act: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await act(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return results;
}
