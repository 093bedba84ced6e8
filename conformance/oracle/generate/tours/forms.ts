import type { Json } from '../../../verbs/client.ts';
import { isMap } from '../../../verbs/json.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { accepts, type Form, inForm } from '../forms.ts';
import { dry, dryBeside, type KindStory, type StepParts } from '../story.ts';
import { deleteOptions } from './life.ts';

const everyForm = Object.keys(accepts) as readonly Form[];

/** Written in one form, read in every other. */
export function forms(at: KindStory): void {
  const object = objectOf(at.kind, 'a');
  const touched = (value: string): Json => ({ metadata: { resourceVersion: null, labels: { touched: value } } });
  for (const form of everyForm) at.create(object, { query: { dryRun: 'All' }, ...inForm(form), alongside: true });
  const binary = at.create(object, { query: { dryRun: 'All' }, ...inForm('protobuf') });
  for (const body of [{ bytesOf: binary }, { yaml: object }])
    for (const query of options) at.create(object, { body, query, alongside: true });
  at.create(object, { body: { bytesOf: binary } });
  // What a rehearsal shows of some kinds is no new object.
  at.create(object);
  const first = at.get('a');
  for (const form of everyForm) at.get('a', { ...inForm(form), alongside: true });
  for (const includeObject of ['None', 'Object', 'Metadata', 'Other'])
    at.get('a', { query: { includeObject }, ...inForm('table'), alongside: true });
  escaped(at);
  const stored = at.get('a', inForm('protobuf'));
  at.put('a', { bytesOf: stored }, { query: { dryRun: 'All' } });
  for (const { name, verbs } of at.kind.subresources)
    if (name === 'status' && verbs.includes('update'))
      at.put('a', { bytesOf: stored }, { query: { dryRun: 'All' } }, name);
  at.put('a', { bytesOf: stored });
  at.put('a', { bytesOf: binary });
  at.get('a');
  for (const form of everyForm) at.put('a', { answerOf: first, merge: touched(form) }, inForm(form));
  for (const form of everyForm)
    at.patch('a', 'merge', { metadata: { labels: { touched: `patch-${form}` } } }, inForm(form));
  // By now it is stale.
  at.put('a', { bytesOf: stored }, dry);
  hugeNumbers(at);
  texts(at, object);
}

/** What goes with a body, whatever form that has. */
const options: readonly Readonly<Record<string, string>>[] = [
  { dryRun: 'All' },
  { dryRun: 'All', fieldManager: 'alice' },
  { dryRun: 'All', fieldManager: 'alice', fieldValidation: 'Strict' },
  { dryRun: 'All', fieldValidation: 'Maybe' },
];

/** The name in the path, with a letter that need not be escaped and is, and the mark of escapes as itself. */
function escaped(at: KindStory): void {
  for (const [end, what] of [
    ['%61', 'escaped'],
    ['%2561', 'escaped twice'],
  ] as const)
    at.story.add(`get ${at.label} ${what}`, 'GET', at.item('a').replace(/a$/, end), { alongside: true });
}

/** More than a double tells from its neighbours, in the place of each number. */
const beyond = '9007199254740993';
const mostNumbers = 8;

/** The object as text, once for each of its numbers with a huge one in its place. */
const withHuge = (object: Json): readonly string[] => {
  const text = JSON.stringify(object);
  const numbers = [...text.matchAll(/(?<=":)\d+(?=[,}\]])/g)].slice(0, mostNumbers);
  return numbers.map(({ index, 0: number }) => `${text.slice(0, index)}${beyond}${text.slice(index + number.length)}`);
};

function hugeNumbers(at: KindStory): void {
  const parts = dryBeside;
  const object = objectOf(at.kind, 'b');
  for (const text of withHuge(object)) at.create(object, { ...parts, body: { text } });
  for (const text of withHuge(objectOf(at.kind, 'a'))) {
    at.put('a', { text }, parts);
    for (const type of ['merge', 'strategic'] as const) at.patch('a', type, {}, { ...parts, body: { text } });
  }
}

/** Bodies that are no JSON. */
function texts(at: KindStory, object: Json): void {
  at.put('a', { yaml: { ...object, metadata: { ...object.metadata, labels: { app: '<own>', touched: 'yaml' } } } });
  at.get('a');
  const patch = { ...object, metadata: { name: object.metadata.name, labels: { touched: 'applied' } } };
  at.story.add(`apply patch ${at.label} yaml`, 'PATCH', at.item('a'), {
    body: { yaml: patch },
    headers: { 'content-type': 'application/apply-patch+yaml' },
    query: { fieldManager: 'alice', force: 'true' },
  });
  at.get('a');
  at.delete('a', { body: { yaml: deleteOptions({ propagationPolicy: 'Background' }) }, ...inForm('yaml') });
  at.create(object, { body: { yaml: object }, ...inForm('yaml') });
  at.get('a', inForm('tableOrJson'));
  at.delete('a', inForm('protobuf'));
  at.get('a', inForm('protobuf'));
  at.get('a', inForm('yaml'));
}

const odd = (kind: Json, change: Json): readonly Json[] => [
  { ...kind, touchedUnknown: 1 },
  { ...kind, metadata: { ...kind.metadata, touchedUnknown: 1 } },
  { ...kind, spec: { ...kind.spec, touchedUnknown: { deep: 1 } } },
  { ...kind, ...change, status: { touchedUnknown: 1 } },
  manyOfOneName(kind),
  inEntries(kind),
];

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none', touchedUnknown: 1 };

/** In several entries of a list, and wherever else one may stand. */
const manyOfOneName = (kind: Json): Json => ({
  ...{ ...kind, touchedUnknown: 1, spec: { ...kind.spec, touchedUnknown: 1 } },
  metadata: { ...kind.metadata, touchedUnknown: 1, ownerReferences: [owner, { ...owner, uid: 'other' }] },
});

/** In each entry of each list, at any depth; what is of no entry stays as it is. */
function inEntries(value: Json): Json {
  if (Array.isArray(value))
    return value.map((entry) => (isMap(entry) ? { ...inEntries(entry), touchedUnknown: 1 } : entry));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries<Json>(value).map(([name, member]) => [name, inEntries(member)]));
}

/** The same member twice, as only a text can have it. */
const twice = (object: Json): string => {
  const text = JSON.stringify(object);
  return text.replace('"metadata":{', '"metadata":{"annotations":{"a":"1"},"annotations":{"a":"2"},');
};

/** Fields that nobody knows, and fields told twice, by every verb and for every way to treat them. */
export function fieldChecks(at: KindStory): void {
  const object = objectOf(at.kind, 'a');
  const { change = {} } = sampleOf(at.kind) ?? {};
  const first = at.create(object);
  for (const fieldValidation of ['Strict', 'Warn', 'Ignore', 'None', '']) {
    const parts = { query: { dryRun: 'All', ...(fieldValidation ? { fieldValidation } : {}) }, alongside: true };
    for (const json of odd(objectOf(at.kind, 'b'), change)) at.create(json, parts);
    at.create(object, { ...parts, body: { text: twice(objectOf(at.kind, 'b')) } });
    at.put('a', { answerOf: first, merge: unknown }, parts);
    at.put('a', { text: twice(object) }, parts);
    at.patch('a', 'merge', unknown, parts);
    at.patch('a', 'strategic', unknown, parts);
    throughDoors(at, first, parts);
    at.patch('a', 'json', unknownInJson, parts);
    at.patch(
      'a',
      'apply',
      { ...object, touchedUnknown: 1 },
      { ...parts, query: { ...parts.query, fieldManager: 'alice', force: 'true' } },
    );
    repeated(at, object, parts);
  }
  at.create({ ...objectOf(at.kind, 'b'), ...veryMany }, dry);
  at.create({ ...objectOf(at.kind, 'b'), touchedUnknown: 1 }, { query: { fieldValidation: 'Warn' } });
  at.get('b');
}

/** More than anybody is warned of one by one. */
const veryMany = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`touchedUnknown${at}`, at]));

type Rehearsed = Omit<StepParts, 'query'> & { readonly query: Readonly<Record<string, string>> };

/** The same member twice, by each way to write, and in YAML. */
function repeated(at: KindStory, object: Json, parts: Rehearsed): void {
  const { query, ...beside } = parts;
  const applied = { ...query, fieldManager: 'alice', force: 'true' };
  const body = { text: twice({ ...object, metadata: { name: object.metadata.name } }) };
  const yaml = { 'content-type': 'application/yaml' };
  for (const type of ['merge', 'strategic'] as const) at.patch('a', type, {}, { ...beside, query, body });
  at.patch('a', 'apply', {}, { ...beside, query: applied, body });
  at.put('a', body, { ...beside, query, headers: yaml });
  at.create(object, { ...beside, query, headers: yaml, body: { text: twice(objectOf(at.kind, 'b')) } });
}

const unknownInJson: Json = [{ op: 'add', path: '/touchedUnknown', value: 1 }];
const unknown: Json = { metadata: { labels: { touched: 'yes' } }, touchedUnknown: 1, spec: { touchedUnknown: 2 } };

function throughDoors(at: KindStory, first: string, parts: StepParts): void {
  for (const { name, verbs } of at.kind.subresources) {
    if (verbs.includes('update')) at.put('a', { answerOf: first, merge: unknown }, parts, name);
    if (!verbs.includes('patch')) continue;
    at.patch('a', 'merge', unknown, parts, name);
    at.patch('a', 'strategic', unknown, parts, name);
    at.patch('a', 'json', unknownInJson, parts, name);
  }
}
