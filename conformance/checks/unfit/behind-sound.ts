import type { Json } from '../../verbs/json.ts';

/** The parts with what stands alone in a list put behind the first of the sample's, once for each such list. */
export function behindSound(sample: Json, parts: Json): Json[] {
  if (Array.isArray(parts)) {
    const [first] = Array.isArray(sample) ? sample : [];
    if (first === undefined || parts.length !== 1) return [];
    return [[first, parts[0]], ...behindSound(first, parts[0]).map((one) => [one])];
  }
  if (parts === null || typeof parts !== 'object') return [];
  return Object.keys(parts).flatMap((key) =>
    behindSound(sample?.[key], parts[key]).map((one) => ({ ...parts, [key]: one })),
  );
}
