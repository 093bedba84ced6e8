import type { Json } from '../../verbs/client.ts';
import { guessOf, holdsMembers, typeOf } from './guess.ts';
import { resolved, type Schemas } from './schema.ts';
import { ownTold, toldOf } from './told-words.ts';

/** Values of the right type for a member, good and bad ones: a server reads all of them, and then says which will do. */

const texts: readonly string[] = [
  ...['', 'some-name', 'Not_A/Good Name!', 'Upper', 'a_b', 'a.b', 'x'.repeat(64), 'x'.repeat(254), 'NobodyKnowsThis'],
  ...['0', '12', '50%', '101%', '-5%', '1500m', '-1Gi', '/', '/some', '/some/../path', 'some/path', '..', '../up'],
  ...['example.com/some', 'a.example.com', '*.example.com', 'Example.com/Some', 'https://example.com/a?b=c', ' a '],
  ...['10.1.2.3', '010.1.2.3', '127.0.0.1', 'fd00::1', '10.1.2.0/24', '10.1.2.3/24', 'fd00::/64', 'http', 'TCP'],
  ...['a.example.com.', 'ä'.repeat(600)],
  ...['$(SOME)', 'a:b', 'a=b', 'a,b', 'line\nline', '2024-05-06T07:08:09Z'],
];

const wholes: readonly number[] = [
  ...[0, 1, -1, 2, 5, 10, 50, 99, 100, 101, 255, 256, 300, 511, 512, 600, 1000, 1023, 1024, 1800, 1801, 3600, 3601],
  ...[30_000, 32_767, 65_535, 65_536, 86_400, 86_401, 2_147_483_647, -2_147_483_648],
];

const quantities: readonly Json[] = [
  ...['0', '1', '100', '1500m', '0.5', '1.5', '-1', '1Gi', '1.5Gi', '0.5Ki', '1e3', '5E', '1u', '100n', '2k', '1024'],
  ...['0.1m', '1e-3', '+1', '12345678901234567890', 2],
];

const moments: readonly string[] = [
  ...['2024-05-06T07:08:09Z', '2024-05-06T07:08:09+02:00', '2024-05-06T07:08:09.123456Z', '0001-01-01T00:00:00Z'],
];

const byFormat: Readonly<Record<string, readonly Json[]>> = {
  'date-time': moments,
  byte: ['', 'YQ==', 'YWJj\nZGVm'],
  'int-or-string': [...wholes.slice(0, 12), 65_536, ...texts.slice(0, 16)],
};

const byName: readonly (readonly [ending: string, values: readonly Json[]])[] = [
  ['.Quantity', quantities],
  ['.IntOrString', byFormat['int-or-string'] as readonly Json[]],
];

/** None of what holds members that are told of by themselves, and of what may be anything. */
export function valuesOfType(given: Json, schemas: Schemas): readonly Json[] {
  const { name, schema } = resolved(given, schemas);
  const named = byName.find(([ending]) => name.endsWith(ending));
  if (named) return named[1];
  const { type, format, enum: words, items, additionalProperties, properties } = schema;
  if (words) return [...words, 'NobodyKnowsThis', ''];
  if (format in byFormat) return byFormat[format] as readonly Json[];
  if (properties) return [{}, guessOf(given, schemas, 1), guessOf(given, schemas, 2)];
  if (type === 'array') return lists(items, schemas);
  if (typeof additionalProperties === 'object') return maps(additionalProperties, schemas);
  return plain[type] ?? [];
}

/** Words that a text or a number of that name has in some sample; those that have to be read as something else, none. */
export function toldFor(kind: string, member: string, given: Json, schemas: Schemas): readonly Json[] {
  const { name, schema } = resolved(given, schemas);
  if (byName.some(([ending]) => name.endsWith(ending)) || schema.format in byFormat) return [];
  const type = typeOf(schema);
  if (type === 'text') return toldOf(kind, member, 'string');
  return type === 'number'
    ? toldOf(kind, member, 'number').filter((value) => schema.type === 'number' || isWhole(value))
    : [];
}

const mostWords = 8;

/** The few words that a text may be, by its schema or by samples of the kind; none where those say all sorts of things. */
export function wordsOf(kind: string, member: string, given: Json, schemas: Schemas): readonly Json[] {
  const { name, schema } = resolved(given, schemas);
  if (schema.enum) return schema.enum;
  if (typeOf(schema) !== 'text' || schema.format || byName.some(([ending]) => name.endsWith(ending))) return [];
  const words = ownTold(kind, member).filter((word) => /^[A-Z][A-Za-z]+$/.test(word));
  return words.length > mostWords ? [] : words;
}

/** Of 32 bits: no whole number of a schema is read as less. */
const isWhole = (value: Json): boolean => Math.abs(value) < 2 ** 31 && Number.isInteger(value);

const plain: Readonly<Record<string, readonly Json[]>> = {
  string: texts,
  integer: wholes,
  number: [0, 1, -1, 0.5, 1.5, 100.25],
  boolean: [true, false],
  object: [{}],
};

const mostInLists = 12;

function lists(items: Json, schemas: Schemas): readonly Json[] {
  if (holdsMembers(items, schemas)) return [[], [guessOf(items, schemas, 1)], [guessOf(items, schemas, 2)]];
  const values = valuesOfType(items, schemas).slice(0, mostInLists);
  const [one, other] = values;
  return [[], ...values.map((value) => [value]), [one, other], [other, one], [other, other]];
}

const oddKeys: readonly string[] = ['', 'Not a key!', 'x'.repeat(64), 'a/b/c', 'example.com/a', 'Example.com/a', 'a.b'];

function maps(values: Json, schemas: Schemas): readonly Json[] {
  const all = holdsMembers(values, schemas) ? [guessOf(values, schemas, 1)] : valuesOfType(values, schemas);
  const [one] = all;
  return [{}, ...all.slice(0, mostInLists).map((value) => ({ key: value })), ...oddKeys.map((key) => ({ [key]: one }))];
}
