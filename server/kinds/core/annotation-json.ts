import { isJsonObject } from '../../base/json-value.ts';

/** What annotations hold as JSON. */

/** @returns undefined for what is no JSON */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list of objects whose fields of these names hold texts, if anything. @returns undefined for anything else */
export function objectsIn(text: string, texts: readonly string[]): readonly Record<string, unknown>[] | undefined {
  const list = jsonIn(text);
  if (list === null) return [];
  const fits = (value: unknown) =>
    isJsonObject(value) && texts.every((field) => typeof (value[field] ?? '') === 'string');
  return Array.isArray(list) && list.every(fits) ? list : undefined;
}
