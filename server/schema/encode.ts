import type { Json } from '../base/kube-object.ts';

/** `value` as compact JSON; integers beyond a double keep all their digits. Undefined fields are left out. */
export function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The engine's encoder refuses bigints, which are rare: only then is the value walked.
    if (error instanceof TypeError) return encodeSlowly(value as Json | undefined) ?? 'null';
    throw error;
  }
}

function encodeSlowly(value: Json | undefined): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => encodeSlowly(each) ?? 'null').join(',')}]`;
  const members: string[] = [];
  for (const [key, each] of Object.entries(value)) {
    const text = encodeSlowly(each);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
