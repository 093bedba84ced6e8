import { createHash } from 'node:crypto';

/** JSON with the keys in order, so that equal values give equal texts. */
export const orderedText = (value: unknown): string => JSON.stringify(ordered(value));

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, ordered(each)]),
  );
};

/** Ten characters, good for names, that stand for a text. */
export const shortHash = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 13)}`)
    .toString(36)
    .slice(0, 10);
