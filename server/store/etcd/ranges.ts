/** The first key after this one. */
export const rangeEndOf = (key: Buffer): Buffer => Buffer.concat([key, Buffer.from([0])]);

/** All keys that begin with the text. */
export function rangeOf(prefix: string): { key: Buffer; rangeEnd: Buffer } {
  const key = Buffer.from(prefix);
  const rangeEnd = Buffer.from(key);
  for (let last = rangeEnd.length - 1; last >= 0; last--) {
    const byte = rangeEnd[last] ?? 0;
    if (byte === 0xff) continue;
    rangeEnd[last] = byte + 1;
    return { key, rangeEnd: rangeEnd.subarray(0, last + 1) };
  }
  return { key: key.length > 0 ? key : Buffer.from([0]), rangeEnd: Buffer.from([0]) };
}
