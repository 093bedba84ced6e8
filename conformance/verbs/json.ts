// biome-ignore lint/suspicious/noExplicitAny: what a judged server answers can be anything
export type Json = any;

/** What a text says; undefined where it is no JSON. */
export function jsonOf(text: string | Buffer): Json {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

/** Whether it has members by name: no list, and not null. */
export const isMap = (value: Json): boolean => value !== null && typeof value === 'object' && !Array.isArray(value);
