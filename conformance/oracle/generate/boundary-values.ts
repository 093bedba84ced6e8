import { isMap, type Json } from '../../verbs/json.ts';
import type { Field, FieldPath } from './schema.ts';
import { likeIt } from './tours/entries.ts';

/** A value to put where a field is; undefined takes the field away. */
export interface Trial {
  readonly name: string;
  readonly value: Json;
}

const long = 'x'.repeat(300);

const strings: readonly Trial[] = [
  { name: 'empty', value: '' },
  { name: 'a bad name', value: 'Not_A/Good Name!' },
  { name: 'unknown', value: 'NobodyKnowsThis' },
  { name: 'too long', value: long },
  { name: 'too long for a label', value: 'x'.repeat(64) },
  { name: 'too long for a note', value: 'x'.repeat(1025) },
  { name: 'too many bytes for a note', value: 'ä'.repeat(600) },
  { name: 'a name', value: 'some-name' },
  { name: 'a number as text', value: '12' },
  { name: 'a share', value: '50%' },
  { name: 'more than all', value: '101%' },
  { name: 'an amount', value: '1500m' },
  { name: 'a negative amount', value: '-1Gi' },
  { name: 'a path', value: '/some/../path' },
  { name: 'a domain', value: 'example.com/some' },
  { name: 'a name with a dot behind', value: 'a.example.com.' },
  { name: 'an address', value: '10.1.2.3' },
  { name: 'an address of version six', value: 'fd00::1' },
  { name: 'a range', value: '10.1.2.0/24' },
  { name: 'a moment', value: '2024-05-06T07:08:09Z' },
  { name: 'a fine moment', value: '2024-05-06T07:08:09.123456Z' },
  { name: 'spaces', value: ' a ' },
  { name: 'a number', value: 5 },
];

const numbers: readonly Trial[] = [
  0, 1, -1, 2, 101, 65_536, 2_147_483_647, 2_147_483_648, 9_007_199_254_740_991, 1.5, 1e30,
].map((value) => ({
  name: `the number ${value}`,
  value,
}));

const byType: Readonly<Record<Field['type'], readonly Trial[]>> = {
  string: strings,
  integer: [...numbers, { name: 'a text', value: 'five' }, { name: 'a number as text', value: '5' }],
  number: [...numbers, { name: 'a text', value: 'five' }],
  boolean: [
    { name: 'true', value: true },
    { name: 'false', value: false },
    { name: 'a text', value: 'true' },
    { name: 'a number', value: 1 },
  ],
  array: [
    { name: 'an empty list', value: [] },
    { name: 'a list of null', value: [null] },
    { name: 'an object', value: {} },
    { name: 'a text', value: 'text' },
    { name: 'a list of an empty object', value: [{}] },
    { name: 'a list of texts', value: ['a', 'a'] },
  ],
  object: [
    { name: 'an empty object', value: {} },
    { name: 'an unknown field', value: { touchedUnknown: 1 } },
    { name: 'a list', value: [] },
    { name: 'a text', value: 'text' },
  ],
  map: [
    { name: 'an empty map', value: {} },
    { name: 'a bad key', value: { 'Not a key!': 'v' } },
    { name: 'an empty key', value: { '': 'v' } },
    { name: 'a number in it', value: { key: 5 } },
    { name: 'a text in it', value: { key: 'value' } },
    { name: 'a long key', value: { [long]: 'v' } },
    { name: 'null in it', value: { key: null } },
    { name: 'a list', value: [] },
  ],
  any: [
    ...strings.slice(0, 8),
    ...numbers.slice(0, 3),
    { name: 'an empty object', value: {} },
    { name: 'a list', value: [] },
  ],
};

const always: readonly Trial[] = [
  { name: 'missing', value: undefined },
  { name: 'null', value: null },
];

/** The entries that there are in another order, and one of them twice. */
function otherwise(list: readonly Json[]): readonly Trial[] {
  const [first, ...rest] = list;
  if (first === undefined) return [];
  const moved = { name: 'in another order', value: [...rest, first] };
  return [...(rest.length > 0 ? [moved] : []), { name: 'an entry twice', value: [...list, first] }];
}

/** Good and bad values of a field. @param current what it has in an object that is accepted */
export function trialsOf({ type, values }: Field, current?: Json): readonly Trial[] {
  return [
    ...always,
    ...(Array.isArray(current) ? otherwise(current) : []),
    ...(values ?? []).map((value) => ({ name: `the value ${value}`, value })),
    ...(byType[type] ?? byType.any),
  ];
}

/** The object with a value at a path; containers on the way are made. */
export function withValue(object: Json, path: FieldPath, value: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const list: Json[] = Array.isArray(object) ? object : [];
    const place = Math.min(first, list.length);
    // An entry that is not there yet is like the last one.
    const inner = withValue(place > 0 && place === list.length ? likeIt(list.at(-1)) : list[place], rest, value);
    return inner === undefined ? list.toSpliced(place, 1) : list.toSpliced(place, 1, inner);
  }
  const name = first === '*' ? (Object.keys(object ?? {})[0] ?? 'key') : first;
  const inner = withValue(object?.[name], rest, value);
  const { [name]: _, ...others } = isMap(object) ? object : {};
  return inner === undefined ? others : { ...others, [name]: inner };
}

export const valueAt = (object: Json, path: FieldPath): Json =>
  path.reduce<Json>((value, member) => (member === '*' ? Object.values(value ?? {})[0] : value?.[member]), object);
