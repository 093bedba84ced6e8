import type { Json } from '../../../verbs/client.ts';
import { dryBeside } from '../story.ts';
import { type TypeStory, version } from './type-story.ts';

const text = { type: 'string', maxLength: 20 };
const entries = { type: 'object', required: ['k'], properties: { k: text, v: text } };
const lists = { type: 'array', maxItems: 5 };

/** A field as it was and as it becomes; what was stored and is not good any more, and what may come instead. */
const fields: readonly {
  readonly was: Json;
  readonly is: Json;
  readonly stored: Json;
  readonly values: readonly Json[];
}[] = [
  {
    was: { ...lists, items: text },
    is: { ...lists, items: text, 'x-kubernetes-list-type': 'set' },
    stored: ['a', 'a'],
    values: [['a', 'a', 'b'], ['b', 'b'], ['a']],
  },
  {
    was: { ...lists, items: entries },
    is: { ...lists, items: entries, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    stored: [{ k: 'a' }, { k: 'a', v: 'x' }],
    values: [[{ k: 'a' }, { k: 'a' }, { k: 'b' }], [{ k: 'b' }, { k: 'b' }], [{ k: 'a' }]],
  },
  { was: { type: 'integer' }, is: { type: 'integer', maximum: 5 }, stored: 7, values: [8, 4] },
  { was: text, is: { ...text, enum: ['a', 'b'] }, stored: 'c', values: ['d', 'a'] },
  {
    was: { type: 'integer' },
    is: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 5' }] },
    stored: 7,
    values: [8, 4],
  },
  { was: text, is: { type: 'integer' }, stored: 'c', values: ['d', 4] },
];

/** What was good when it was stored is so no more, each field by itself: what may become of the object, and of a new one. */
export function tightening(at: TypeStory): void {
  const all = (of: 'was' | 'is'): Json => Object.fromEntries(fields.map((field, place) => [`f${place}`, field[of]]));
  at.define([version('v1', { storage: true, properties: all('was') })]);
  at.await('v1');
  for (const [place, { stored }] of fields.entries()) at.create('v1', `o${place}`, { [`f${place}`]: stored });
  at.redefine({ versions: [version('v1', { storage: true, properties: all('is') })] });
  at.create('v1', 'new', { f2: 7 }, { query: { dryRun: 'All' }, awaits: 422 });
  for (const place of fields.keys()) followed(at, place);
}

function followed(at: TypeStory, place: number): void {
  const { stored, values } = fields[place] as (typeof fields)[number];
  const [name, field] = [`o${place}`, `f${place}`];
  const now = at.get('v1', name);
  at.create('v1', 'new', { [field]: stored }, dryBeside);
  for (const merge of [
    { metadata: { labels: { touched: 'yes' } } },
    ...values.map((value) => ({ spec: { [field]: value } })),
  ]) {
    at.put('v1', name, now, merge, '', dryBeside);
    at.patch('v1', name, 'merge', merge, '', dryBeside);
  }
  at.patch('v1', name, 'merge', { status: { seen: 1 } });
  at.patch('v1', name, 'merge', { spec: { [field]: values.at(-1) as Json } });
  at.patch('v1', name, 'merge', { spec: { [field]: stored } });
  at.get('v1', name);
}
