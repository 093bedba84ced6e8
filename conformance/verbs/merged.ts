import { isMap, type Json } from './json.ts';

/** Fills gaps of `base` with nothing and lets `over` win; lists are taken whole, undefined removes. */
export function merged(base: Json, over: Json): Json {
  if (!isMap(base) || !isMap(over)) return over;
  const result: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
