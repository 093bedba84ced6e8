/** The generation after this one. What came from a client may have more digits than a number holds. */
export function nextGeneration(generation: number | undefined): number {
  const next = BigInt.asIntN(64, BigInt(generation ?? 0) + 1n);
  const number = Number(next);
  // Such values are what they are wherever they come from, whatever their type says.
  return Number.isSafeInteger(number) ? number : (next as unknown as number);
}
