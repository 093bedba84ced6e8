import type { Json } from '../../verbs/json.ts';
import { embedded, free, intOrString, keyed, listOf, objectOf, text } from '../custom/schema-parts.ts';
import type { Parts } from './judged-kind.ts';

const ruled = (rule: string, more: Json = { type: 'integer' }, said: Json = {}): Json => ({
  ...more,
  'x-kubernetes-validations': [{ rule, ...said }],
});

/** What is said of a value that no type may say. */
const unfitSchemas: Parts = {
  'a value without a type': {},
  'an unknown type': { type: 'float' },
  'a type by another letter': { type: 'String' },
  'a list of nothing': { type: 'array' },
  'a list of anything': listOf({}),
  'a list of several': { type: 'array', items: [text] },
  'members and others': objectOf({ a: text }, { additionalProperties: text }),
  'a member without a type': objectOf({ a: {} }),
  'others without a type': { type: 'object', additionalProperties: {} },
  'another schema': { ...text, $ref: '#/definitions/x' },
  'what depends on another': objectOf({ a: text }, { dependencies: { a: ['b'] } }),
  'members by a pattern': objectOf({ a: text }, { patternProperties: { '^a': text } }),
  'nothing twice': listOf(text, { uniqueItems: true }),
  'further items': listOf(text, { additionalItems: true }),
  'that nothing is kept': { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  'a text that is an object': { ...text, 'x-kubernetes-embedded-resource': true },
  'an object of no type': { 'x-kubernetes-embedded-resource': true, ...free },
  'an object of nothing': embedded,
  'an object whose kind is a number': { ...embedded, ...free, properties: { kind: { type: 'integer' } } },
  'no pattern': { ...text, pattern: '(' },
  'a pattern that looks back': { ...text, pattern: '(a)\\1' },
  'a type of one branch': { ...text, allOf: [text] },
  'a title of one branch': { ...text, anyOf: [{ title: 'a' }] },
  'a default of one branch': { ...text, oneOf: [{ default: 'a' }] },
  'that one branch may be null': { ...text, not: { nullable: true } },
  'others of one branch': {
    ...{ type: 'object', additionalProperties: text, allOf: [{ additionalProperties: { maxLength: 1 } }] },
  },
  'branches of types': { anyOf: [{ type: 'integer' }, text] },
};

const unfitLists: Parts = {
  'an unknown sort of list': listOf(text, { 'x-kubernetes-list-type': 'bag' }),
  'a list that is an object': { type: 'object', 'x-kubernetes-list-type': 'set' },
  'a set of objects': listOf(objectOf({ a: text }), { 'x-kubernetes-list-type': 'set' }),
  'a set with null': listOf({ ...text, nullable: true }, { 'x-kubernetes-list-type': 'set' }),
  'a set of sets': listOf(listOf(text, { 'x-kubernetes-list-type': 'set' }), { 'x-kubernetes-list-type': 'set' }),
  'a list by no key': keyed({ k: text }, ['k'], []),
  'a list by an unknown key': keyed({ k: text }, ['k'], ['x']),
  'a list by a key that may be missing': keyed({ k: text }, [], ['k']),
  'a list by a key that may be null': keyed({ k: { ...text, nullable: true } }, ['k'], ['k']),
  'a list of null by a key': keyed({ k: text }, ['k'], ['k'], { nullable: true }),
  'a list by an object': keyed({ k: objectOf({ a: text }) }, ['k'], ['k']),
  'a list by a list': keyed({ k: listOf(text) }, ['k'], ['k']),
  'a list by a key twice': keyed({ k: text }, ['k'], ['k', 'k']),
  'keys of no list': objectOf({ k: text }, { 'x-kubernetes-list-map-keys': ['k'] }),
  'keys of a plain list': listOf(objectOf({ k: text }, { required: ['k'] }), { 'x-kubernetes-list-map-keys': ['k'] }),
  'texts by a key': listOf(text, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
  'an unknown sort of map': objectOf({ a: text }, { 'x-kubernetes-map-type': 'other' }),
  'a list as a map': listOf(text, { 'x-kubernetes-map-type': 'atomic' }),
};

const unfitDefaults: Parts = {
  'a default of another type': { type: 'integer', default: 'text' },
  'a default that is half': { type: 'integer', default: 1.5 },
  'a default with one of another type': { ...listOf(text), default: [1] },
  'a default with what is not known': objectOf({ a: text }, { default: { a: 'x', b: 1 } }),
  'a default with what is not known within': objectOf(
    { a: objectOf({ c: text }) },
    { default: { a: { c: 'x', d: 1 } } },
  ),
  'a default without what has to be': objectOf({ a: text }, { required: ['a'], default: {} }),
  'a default of no choice': { ...text, enum: ['a', 'b'], default: 'c' },
  'a default that looks otherwise': { ...text, pattern: '^a$', default: 'b' },
  'a default of another form': { ...text, format: 'date-time', default: 'b' },
  'a default beyond the last': { type: 'integer', maximum: 2, default: 3 },
  'a default of no kind': { ...embedded, ...free, default: { apiVersion: 'v1' } },
};

/** Of a whole number; no words, no types, no functions, and no more than one line that the language does not have. */
const unfitWords: readonly string[] = [
  ...['   ', 'self\n > 1', 'self is 1', "self == 'a", 'true;', 'if self > 1', 'self @ 1', 'self.foo()', 'foo(self)'],
  ...['self.a > 1', 'size(self) > 1', '[self] == ["a"]', '(self > 1 ? 1 : "a") == 1', 'self && true'],
  ...['[1].all(1, true)', 'has(self)', '!self', 'self in 1', '1 + "a" == 2', '1.5 + 1 == 2.5'],
  ...[
    '[1] + ["a"] == []',
    'true + true',
    "-'a' == 'a'",
    '[1, "a"].size() == 2',
    '1 == 1.0',
    'isURL(self)',
    'self || self',
    '[1].all(x, x)',
    '[1].filter(x, x + 1) == []',
    '[1].exists_one(x, "a")',
  ],
];

/** Rules for values, which types may have since v1.25. */
export const unfitRules: Parts = {
  ...Object.fromEntries(unfitWords.map((rule) => [`the rule ${rule}`, ruled(rule)])),
  'no rule': ruled(''),
  'half a rule': ruled('self >'),
  'a rule of numbers on a text': ruled('self > 1', text),
  'a rule that says no more than a number': ruled('self + 1'),
  'a rule with a pattern that is none': ruled("self.matches('(')", text),
  'a rule with a number that is none': ruled("int('a') == self"),
  'a rule with a time that is none': ruled("self == duration('soon')", { ...text, format: 'duration' }),
  'a rule on what is not there': ruled('self.b == 1', objectOf({ a: { type: 'integer' } })),
  'a rule on a word that nobody knows': ruled('other > 1'),
  'a rule told in two lines': ruled('self > 1', { type: 'integer' }, { message: 'a\nb' }),
  'a rule on what went before in a list': listOf(ruled('self > oldSelf')),
  'a rule of one branch': { ...text, allOf: [ruled('true', {})] },
  'a default that breaks a rule': ruled('self > 1', { type: 'integer', default: 1 }),
};

export const fittingRules: Parts = {
  'a rule of what went before': ruled('self >= oldSelf'),
  'no rules': { ...text, 'x-kubernetes-validations': [] },
};

export const unfitValues: Parts = { ...unfitSchemas, ...unfitLists, ...unfitDefaults };

/** What is said of a value that a type may say. */
export const fittingValues: Parts = {
  'no members': { type: 'object', properties: null },
  'a number or a text, in other words': { ...intOrString, anyOf: [{ type: 'integer' }, text] },
  'a number or a text, and more': {
    ...intOrString,
    allOf: [{ anyOf: [{ type: 'integer' }, text] }, { pattern: '^a' }],
  },
  'a default where null may be': { ...text, nullable: true, default: 'd' },
  'a default of a number or a text': { ...intOrString, default: 'd' },
  'a default of an object': { ...embedded, ...free, default: { apiVersion: 'v1', kind: 'Pod' } },
  'an object within an object': { ...embedded, properties: { spec: objectOf({ t: { ...embedded, ...free } }) } },
  'an unknown form': { ...text, format: 'other' },
  'limits of another type': { ...text, minimum: 3 },
  'limits that nothing meets': { type: 'integer', minimum: 3, maximum: 2 },
  'empty branches': { ...text, anyOf: [{}] },
  'what it is good for': {
    ...text,
    title: 'T',
    description: 'D',
    example: { a: [1] },
    externalDocs: { url: 'http://x' },
  },
};

/** What is said of a value in vain, and what is stored of it. */
export const vainValues: Readonly<Record<string, readonly [said: Json, stored: Json]>> = {
  'no default': [{ ...text, default: null }, text],
  'no default where null may be': [
    { ...text, nullable: true, default: null },
    { ...text, nullable: true },
  ],
  'no choices': [{ ...text, enum: [] }, text],
  'nothing that has to be': [objectOf({ a: text }, { required: [] }), objectOf({ a: text })],
  'no default within': [objectOf({ a: listOf({ ...text, default: null }) }), objectOf({ a: listOf(text) })],
};

/** What a version says beside its schema. */
const column = (more: Json): Json => ({
  additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a', ...more }],
});
const scale = (more: Json): Json => ({
  subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', ...more } },
});

export const unfitVersions: Parts = {
  'a column without a name': column({ name: '' }),
  'a column of an unknown type': column({ type: 'int' }),
  'a column of no type': column({ type: '' }),
  'a column of an unknown form': column({ format: 'other' }),
  'a column from nowhere': column({ jsonPath: '' }),
  'a column by a word': column({ jsonPath: 'spec.a' }),
  'a column in braces': column({ jsonPath: '{.spec.a}' }),
  'a scale of no wish': scale({ specReplicasPath: undefined }),
  'a scale of no state': scale({ statusReplicasPath: undefined }),
  'a state that is a wish': scale({ statusReplicasPath: '.spec.n' }),
  'a wish by a word': scale({ specReplicasPath: 'spec.n' }),
  'a wish that is everything': scale({ specReplicasPath: '.spec' }),
  'a selector elsewhere': scale({ labelSelectorPath: '.metadata.s' }),
  'a warning without a reason': { deprecationWarning: 'use another' },
  'no warning': { deprecated: true, deprecationWarning: '' },
  'a warning of two lines': { deprecated: true, deprecationWarning: 'a\nb' },
  'a long warning': { deprecated: true, deprecationWarning: 'a'.repeat(257) },
};

export const fittingVersions: Parts = {
  ...Object.fromEntries(
    ['.spec.l[*].a', '.status.conditions[?(@.type=="Ready")].status', '.metadata.labels.a\\.b'].map((jsonPath) => [
      `a column ${jsonPath}`,
      column({ jsonPath }),
    ]),
  ),
  ...Object.fromEntries(
    ['integer', 'number', 'boolean', 'date'].map((type) => [`a column of type ${type}`, column({ type })]),
  ),
  ...Object.fromEntries(
    ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'].map((format) => [
      `a column of format ${format}`,
      column({ format }),
    ]),
  ),
  'a column of low priority': column({ priority: -1 }),
  'a scale with a selector': scale({ labelSelectorPath: '.status.s' }),
  'a scale with a selector of its wish': scale({ labelSelectorPath: '.spec.s' }),
  'a deep scale': scale({ specReplicasPath: '.spec.a.b.c', statusReplicasPath: '.status.a.b' }),
  'a warning': { deprecated: true, deprecationWarning: 'a'.repeat(256) },
  'that nobody is served': { served: false },
};

/** What the schema of a whole object may say only where its status is a part of it like any other. */
export const notWithStatus: Parts = {
  'that it has members': { minProperties: 1 },
  'that it has few members': { maxProperties: 9 },
  'all of several things': { allOf: [{ required: ['spec'] }] },
  'any of several things': { anyOf: [{ required: ['spec'] }, { required: ['status'] }] },
  'one of several things': { oneOf: [{ required: ['spec'] }, { required: ['status'] }] },
  'what it is not': { not: { required: ['other'] } },
};

const hook = (clientConfig: Json, versions: Json = ['v1']): Json => ({
  conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: versions, clientConfig } },
});
const url = 'https://a.example/c';
const service = (more: Json): Json => ({ service: { namespace: 'a', name: 'b', ...more } });

export const unfitConversions: Parts = {
  'an unknown way to convert': { conversion: { strategy: 'Other' } },
  'a webhook of no address': { conversion: { strategy: 'Webhook' } },
  'a webhook of no client': hook({}),
  'a webhook of no versions': hook({ url }, []),
  'a webhook of unknown versions': hook({ url }, ['v9']),
  'a webhook of a bad version': hook({ url }, ['1-', 'v1']),
  'a webhook by two ways': hook({ url, ...service({}) }),
  ...Object.fromEntries(
    ['http://a', 'https://u@a', 'https://a?x', 'https://a#x', 'https:///x'].map((other) => [
      `a webhook at ${other}`,
      hook({ url: other }),
    ]),
  ),
  'a webhook of a service of no namespace': hook(service({ namespace: '' })),
  'a webhook of a service beyond the last port': hook(service({ port: 70_000 })),
  'a webhook of a service at no path': hook(service({ path: 'x' })),
};

export const fittingConversions: Parts = {
  'no way to convert': { conversion: { strategy: 'None' } },
  'a webhook': hook({ url }),
  'a webhook of older versions': hook({ url }, ['v1beta1', 'v1']),
  'a webhook of an older version alone': hook({ url }, ['v1beta1']),
  'a webhook of a service': hook(service({})),
  'a webhook of a service somewhere': hook(service({ port: 8443, path: '/x' })),
};

/** Where a group belongs to the project itself, who said that a type may be in it. */
export const approvals: Readonly<Record<string, 201 | 422>> = {
  ...{ '': 422, x: 422, 'mailto:a': 422, '/a': 422 },
  ...{ 'unapproved, experimental': 201, 'https://a.example/b': 201 },
};
