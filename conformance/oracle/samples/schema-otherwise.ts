import type { Json } from '../../verbs/client.ts';

/** Schemas of a custom type that a server has to refuse or to take as they are, each of the field `spec`. */

const text = { type: 'string' };
const whole = { type: 'integer' };
const named = { type: 'object', required: ['name'], properties: { name: text, value: whole } };
const keyed = (more: Json, items: Json = named): Json => ({
  ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items, ...more },
});
const setOf = (items: Json): Json => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });
const ruled = (rule: string, schema: Json = { type: 'object', properties: { a: text, n: whole } }): Json => ({
  ...schema,
  'x-kubernetes-validations': [{ rule }],
});
const holding = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const embedded = (more: Json): Json => ({ type: 'object', 'x-kubernetes-embedded-resource': true, ...more });

const lists: readonly Json[] = [
  keyed({}),
  keyed({ 'x-kubernetes-list-map-keys': [] }),
  keyed({ 'x-kubernetes-list-map-keys': ['name', 'name'] }),
  keyed({ 'x-kubernetes-list-map-keys': ['none'] }),
  keyed({ 'x-kubernetes-list-map-keys': ['value'] }),
  keyed({ 'x-kubernetes-list-type': 'atomic' }),
  keyed({ 'x-kubernetes-list-type': 'other' }),
  keyed({ items: undefined }),
  keyed({}, { ...named, nullable: true }),
  keyed({}, text),
  keyed({}, { ...named, properties: { name: { ...text, nullable: true } } }),
  keyed({}, { ...named, required: [], properties: { name: { ...text, default: 'a' } } }),
  setOf(text),
  setOf({ ...text, nullable: true }),
  setOf(named),
  setOf({ ...named, 'x-kubernetes-map-type': 'atomic' }),
  setOf({ type: 'array', items: text }),
  setOf({ type: 'array', 'x-kubernetes-list-type': 'atomic', items: text }),
  { ...named, 'x-kubernetes-map-type': 'other' },
  { ...text, 'x-kubernetes-list-type': 'set' },
];

const defaults: readonly Json[] = [
  holding({ a: { ...text, default: null } }),
  holding({ a: text }, { default: { a: 'a', b: 'b' } }),
  holding({ a: text }, { default: { a: 5 } }),
  holding({ a: { ...text, maxLength: 2, default: 'long' } }),
  holding({ a: holding({ b: { ...whole, default: 3 } }) }, { default: { a: {} } }),
  { type: 'array', items: { ...whole, minimum: 4 }, default: [1, 5] },
  { type: 'object', additionalProperties: { ...whole, default: 5 }, default: { a: 'b' } },
  embedded({ properties: { metadata: holding({ name: { ...text, default: 'a' } }) } }),
  embedded({ properties: { metadata: holding({ labels: { type: 'object', default: { a: 'b' } } }) } }),
  embedded({ 'x-kubernetes-preserve-unknown-fields': true, default: { metadata: { name: 5 } } }),
  embedded({
    ...{ 'x-kubernetes-preserve-unknown-fields': true },
    default: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, more: 1 },
  }),
  ruled("self.a == 'x'", holding({ a: text }, { default: { a: 'y' } })),
];

const forms: readonly Json[] = [
  { 'x-kubernetes-int-or-string': true },
  { type: 'string', 'x-kubernetes-int-or-string': true },
  { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
  {
    allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }],
    'x-kubernetes-int-or-string': true,
  },
  { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  holding({ a: text }, { anyOf: [{ required: ['a'] }, { properties: { a: { minLength: 2 } } }] }),
  holding({ a: text }, { allOf: [{ properties: { b: { minLength: 2 } } }] }),
  holding({ a: text }, { oneOf: [{ properties: { a: { type: 'string' } } }] }),
  holding({ a: text }, { not: { properties: { a: { default: 'a' } } } }),
  holding({ a: text }, { not: { required: ['a'] } }),
  holding({ a: text }, { anyOf: [{ title: 'a', description: 'b', nullable: true }] }),
  { type: 'array', items: text, anyOf: [{ items: { minLength: 2 } }] },
  { type: 'object', additionalProperties: text, anyOf: [{ additionalProperties: { minLength: 2 } }] },
  embedded({}),
  embedded({ properties: { kind: whole } }),
  embedded({ additionalProperties: text }),
  { type: 'string', 'x-kubernetes-embedded-resource': true },
  holding({ a: text }, { additionalProperties: true }),
  holding({ a: text }, { dependencies: { a: ['b'] } }),
  holding({ a: text }, { patternProperties: { '^a': text } }),
  holding({ a: { ...text, uniqueItems: true } }),
  { type: 'array', items: text, uniqueItems: true },
  holding({ a: { ...text, enum: ['a', 5, null] } }),
  holding({ a: { ...whole, minimum: 5, maximum: 3, multipleOf: 0 } }),
  holding({ a: { ...text, minLength: -1, maxLength: -2 } }),
  holding({ a: { $ref: '#/other' } }),
  holding({ a: { type: 'null' } }),
  holding({ a: { ...text, format: 'some', example: { any: 1 }, externalDocs: { url: 'https://example.com' } } }),
  holding({ a: { ...whole, exclusiveMaximum: true } }),
];

const rules: readonly Json[] = [
  ruled('self.a'),
  ruled('self.a + 1 == 2'),
  ruled('nobody(self.a)'),
  ruled('self.n in self.a'),
  ruled("self.a.matches('(')"),
  ruled('self.a == oldSelf.a'),
  ruled('self == '),
  ruled('has(self)'),
  ruled('has(self.a.b)'),
  ruled('self.all(x, true)', { type: 'array', items: text }),
  ruled('self.all(x, self.all(y, self.all(z, x == y)))', { type: 'array', items: text }),
  ruled('self.all(x, x.all(y, true))', { type: 'array', items: text }),
  ruled("self.size() > 'a'", text),
  ruled('self.b > 1', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  ruled('self > 5', { 'x-kubernetes-int-or-string': true }),
  ruled('self == {}', { type: 'object', additionalProperties: text }),
  ruled('x == 1', whole),
  { type: 'array', items: ruled('self == oldSelf', text) },
  keyed({}, { ...named, 'x-kubernetes-validations': [{ rule: 'self.value == oldSelf.value' }] }),
  { ...text, 'x-kubernetes-validations': [{ rule: 'true' }, { rule: 'true' }] },
  { ...text, 'x-kubernetes-validations': [{ rule: 'true', message: 'a\nb' }] },
  { ...text, 'x-kubernetes-validations': [{ rule: 'true', message: ' ' }] },
  { ...text, 'x-kubernetes-validations': [{ rule: 'tr\nue' }] },
  { ...text, 'x-kubernetes-validations': [{ message: 'alone' }] },
];

/** What of a whole object its schema may not speak of. */
export const outerSchemas: readonly Json[] = [
  holding({ metadata: holding({ name: { ...text, pattern: '^a' } }) }),
  holding({ metadata: holding({ labels: { type: 'object' } }) }),
  holding({ metadata: { type: 'string' } }),
  holding({ kind: whole }),
  holding({ apiVersion: { ...text, enum: ['a'] } }),
  { type: 'object', additionalProperties: text },
  holding({}, { 'x-kubernetes-embedded-resource': true }),
  ruled("self.metadata.name == 'a'", holding({ spec: text })),
  ruled('self.metadata.labels == {}', holding({ spec: text })),
];

export const fieldSchemas: readonly Json[] = [...lists, ...defaults, ...forms, ...rules];
