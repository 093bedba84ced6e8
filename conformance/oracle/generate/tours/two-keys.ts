import type { Json } from '../../../verbs/client.ts';
import { type PatchType, patchTypes } from '../../../verbs/patch-types.ts';
import type { Scenario } from '../../play/scenario.ts';
import type { StepParts } from '../story.ts';
import { group, TypeStory, version } from './type-story.ts';

const strings = { type: 'string' };

/** Entries of two keys, one of which may be left out, or none; of keys of other types; and such entries in entries. */
const properties: Json = {
  ports: mapOf(['name', 'protocol'], {
    ...{ name: strings, protocol: { ...strings, default: 'TCP' }, value: { type: 'integer' }, note: strings },
    inner: mapOf(['a', 'b'], { a: { type: 'integer' }, b: { type: 'boolean' }, value: strings }, ['a', 'b']),
  }),
  pairs: mapOf(['left', 'right'], { left: strings, right: strings, value: { type: 'integer' } }, ['left', 'right']),
};

function mapOf(keys: readonly string[], members: Json, required: readonly string[] = ['name']): Json {
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items: { type: 'object', required, properties: members },
  };
}

/** Of the first key alone two entries may be alike. */
const [plain, other, third]: readonly Json[] = [
  { name: 'a', protocol: 'TCP', value: 1 },
  { name: 'a', protocol: 'UDP', value: 2 },
  { name: 'b', protocol: 'UDP', value: 3 },
];
const inner: Json = [
  { a: 1, b: true, value: 'x' },
  { a: 1, b: false, value: 'y' },
];

const object = (spec: Json, name = 'a'): Json => ({
  ...{ apiVersion: `${group}/v1`, kind: 'Thing', spec },
  metadata: { name, labels: { app: '<own>' } },
});

function apply(at: TypeStory, manager: string, spec: Json, query: Readonly<Record<string, string>> = {}): void {
  const json = { ...object(spec), metadata: { name: 'a' } };
  const headers = { 'content-type': patchTypes.apply };
  at.patch('v1', 'a', 'apply', json, '', { headers, query: { fieldManager: manager, ...query } });
}

/** Each holds entries and members of entries; what nobody holds any more goes. */
function shared(at: TypeStory): void {
  const force = { force: 'true' };
  apply(at, 'alice', { ports: [plain, other], pairs: [{ left: 'l', right: 'r', value: 1 }] });
  apply(at, 'bob', { ports: [{ name: 'a', protocol: 'UDP', note: 'of bob' }, third] });
  apply(at, 'bob', { ports: [{ name: 'a', protocol: 'UDP', value: 9 }] });
  apply(at, 'bob', { ports: [{ name: 'a', value: 9 }] });
  apply(at, 'bob', { ports: [{ name: 'a', value: 9 }] }, { ...force, dryRun: 'All' });
  apply(at, 'bob', { ports: [{ name: 'a', protocol: 'UDP', value: 9 }, third] }, force);
  apply(at, 'carol', { ports: [{ name: 'a', inner }], pairs: [{ left: 'r', right: 'l' }] });
  apply(at, 'dave', { ports: [{ name: 'a', inner: [{ a: 1, b: false, value: 'z' }] }] });
  apply(at, 'dave', { ports: [{ name: 'a', inner: [{ a: 2, b: false }] }] });
  apply(at, 'alice', { ports: [other] });
  apply(at, 'alice', { ports: [{ name: 'a', protocol: 'UDP' }] });
  apply(at, 'carol', { ports: [{ name: 'a', inner: [inner[1]] }] });
  apply(at, 'bob', {});
  at.get('v1', 'a');
}

/** Said twice, or without what tells them apart. */
const odd: readonly Json[] = [
  { ports: [plain, plain] },
  { ports: [plain, { ...plain, value: 7 }] },
  { ports: [{ name: 'a' }, { name: 'a', protocol: 'TCP' }] },
  { ports: [{ name: 'a', inner: [inner[0], inner[0]] }] },
  { ports: [{ protocol: 'TCP' }] },
  { ports: [{ name: 'a', protocol: null }, plain] },
  { ports: [{ name: null, protocol: 'TCP' }] },
  { ports: [{ name: 1, protocol: 'TCP' }] },
  { pairs: [{ left: 'l' }, { right: 'l' }] },
  {
    pairs: [
      { left: 'l', right: '' },
      { left: '', right: 'l' },
      { left: 'l', right: '' },
    ],
  },
  { ports: [third, other, plain] },
  { ports: [] },
  { ports: null },
];

/** By each way to write, as rehearsals. */
function oddly(at: TypeStory, now: string): void {
  const dry = { dryRun: 'All' };
  const parts: StepParts = { query: dry, alongside: true };
  for (const spec of odd) {
    at.create('v1', 'b', spec, parts);
    at.put('v1', 'a', now, { spec }, '', parts);
    patchAs(at, 'merge', { spec }, dry);
    patchAs(at, 'apply', { ...object(spec), metadata: { name: 'a' } }, { ...dry, fieldManager: 'erin' });
    patchAs(
      at,
      'apply',
      { ...object(spec), metadata: { name: 'a' } },
      { ...dry, fieldManager: 'alice', force: 'true' },
    );
  }
  patchAs(at, 'strategic', { spec: { ports: [plain] } }, dry);
  for (const path of ['/spec/ports/-', '/spec/ports/0'])
    for (const value of [plain, third]) patchAs(at, 'json', [{ op: 'add', path, value }], dry);
}

function patchAs(at: TypeStory, type: PatchType, json: Json, query: Readonly<Record<string, string>>): void {
  const headers = { 'content-type': patchTypes[type] };
  at.patch('v1', 'a', type, json, '', { headers, query, alongside: true });
}

/** What others than appliers write of entries, and who owns them then. */
function changed(at: TypeStory): void {
  at.put('v1', 'a', at.get('v1', 'a'), { spec: { ports: [third, other] } });
  at.get('v1', 'a');
  at.patch('v1', 'a', 'merge', { spec: { ports: [other, { name: 'c', inner }] } });
  at.patch('v1', 'a', 'json', [{ op: 'replace', path: '/spec/ports/0/value', value: 8 }]);
  apply(at, 'alice', { ports: [{ name: 'a', protocol: 'UDP', value: 2 }, plain] });
  apply(at, 'alice', { ports: [{ name: 'c', inner: [{ a: 1, b: true, value: 'other' }] }] }, { force: 'true' });
  at.patch('v1', 'a', 'json', [{ op: 'remove', path: '/spec/ports/0' }]);
  at.get('v1', 'a');
}

/** Lists whose entries are told apart by two keys. */
export function twoKeysScenario(): Scenario {
  const at = new TypeStory();
  at.define([version('v1', { storage: true, properties })]);
  at.await('v1');
  shared(at);
  oddly(at, at.get('v1', 'a'));
  changed(at);
  return at.story.scenario('a type of entries with two keys', 'sequences', 2);
}
