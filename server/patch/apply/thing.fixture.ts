import fc from 'fast-check';
import { isJsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Field, ListType, StructType, Structure } from '../../schema/structure.ts';
import type { StoryKind } from './story.fixture.ts';
import { isDeclaredField, memberStructure } from './typed-value.ts';

/** A made-up kind with parts of every sort, and what may be in its objects. */

const text: Structure = { type: 'scalar', scalar: 'string' };
const struct = (fields: Record<string, Structure>, atomic = false): StructType => ({
  type: 'struct',
  name: '',
  fields: new Map(Object.entries(fields).map(([name, type]): [string, Field] => [name, { type }])),
  required: [],
  atomic,
  preserveUnknown: false,
  embedded: false,
});
const list = (items: Structure, listType: ListType['listType'] = 'atomic', ...keys: string[]): ListType => ({
  type: 'list',
  items,
  listType,
  keys,
});
const map = (values: Structure, atomic = false): Structure => ({ type: 'map', values, atomic });
const part = struct({ name: text, value: text, tags: list(text, 'set') });
export const structure = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({ name: text, uid: text, labels: map(text) }),
  text,
  map: map(text),
  whole: map(text, true),
  list: list(text),
  set: list(text, 'set'),
  parts: list(part, 'map', 'name'),
  nested: struct({ text, map: map(struct({ text, other: text })) }),
});
/** As built-in kinds do: nobody owns an empty keyed list, so there is none; null is no field, or an entry with nothing. */
const settled = (value: Json, type: Structure): Json => {
  if (Array.isArray(value)) return value.map((each) => settled(each, type.type === 'list' ? type.items : type));
  if (!isJsonObject(value)) return value ?? {};
  const kept = Object.entries(value).filter(([name, each]) =>
    Array.isArray(each) ? each.length > 0 || name === 'list' : each !== null || !isDeclaredField(type, name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, settled(each, memberStructure(type, name))]));
};
export const settle = (object: object) => settled(object as Json, structure) as { [key: string]: Json };
export const kind: StoryKind = { apiVersion: 'v1', kind: 'Thing', structure, settle };

const word = fc.constantFrom('1', '2');
const key = fc.constantFrom('a', 'b', '__proto__');
const optional = <T extends object>(record: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(record, { requiredKeys: [] });
const entries = <T>(values: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(key, values), { maxLength: 3 }).map((pairs) => {
    const made: Record<string, T> = {};
    for (const [name, value] of pairs)
      Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
    return made;
  });
/** What is emptied by an apply is null then, so nobody can say of an empty map that it will be there. */
const isEmptyMap = (value: unknown) => isJsonObject(value as Json) && Object.keys(value as object).length === 0;
const withoutEmptyMaps = (value: unknown): unknown => {
  if (Array.isArray(value) || !isJsonObject(value as Json)) return value;
  const kept = Object.entries(value as object).map(([name, each]) => [name, withoutEmptyMaps(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isEmptyMap(each)));
};
export const content = optional({
  text: word,
  map: entries(word),
  whole: entries(word),
  list: fc.array(word, { maxLength: 2 }),
  set: fc.uniqueArray(word),
  parts: fc.uniqueArray(
    fc.record({ name: fc.constantFrom('p', 'q'), value: word, tags: fc.uniqueArray(word) }, { requiredKeys: ['name'] }),
    { selector: ({ name }) => name },
  ),
  nested: optional({ text: word, map: entries(optional({ text: word, other: word })) }),
}).map((value) => withoutEmptyMaps(value) as object);
