import type { Json } from '../verbs/client.ts';

/** A copy with one part exchanged; undefined removes it. */
export function edited(value: Json, [step, ...rest]: readonly string[], change: (old: Json) => Json): Json {
  if (step === undefined) return change(value);
  if (value === null || typeof value !== 'object') return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const key of step === '*' ? Object.keys(copy) : [step]) {
    const next = edited(copy[key], rest, change);
    if (next === undefined) delete copy[key];
    else copy[key] = next;
  }
  return Array.isArray(copy) ? copy.filter((element) => element !== undefined) : copy;
}

/** Another value of the same type. */
export function spoiled(value: Json): Json {
  if (typeof value === 'string') return /^\d+$/.test(value) ? String(Number(value) + 1) : `${value}-spoiled`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.slice(1);
  return 'spoiled';
}
