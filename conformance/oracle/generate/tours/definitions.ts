import type { Json } from '../../../verbs/client.ts';
import { ownLabels, type Scenario } from '../../play/scenario.ts';
import { inForm } from '../forms.ts';
import { interleaved } from '../interleave.ts';
import { conversionScenarios } from './conversions.ts';
import { tightening } from './tightening.ts';
import { definition, definitionPath, definitions, group, TypeStory, terms, version, words } from './type-story.ts';

/** Versions come, become that of the store, and go; fields come and get defaults; subresources open. */
function changing(at: TypeStory): void {
  at.define([version('v1', { storage: true })]);
  at.await('v1');
  at.discover('v1', 'v2');
  at.create('v1', 'a', { count: 2, extra: 'x' });
  at.create('v1', 'b', { count: 0 });
  at.redefine({ versions: [version('v1', { storage: true }), version('v2', { properties: { ...words, ...terms } })] });
  at.await('v2');
  at.discover('v1', 'v2');
  const seen = at.get('v2', 'a');
  at.put('v2', 'a', seen, { spec: { term: 'put', word: 'other' } });
  at.get('v1', 'a');
  at.create('v2', 'c', { term: 'kept?' });
  for (const one of ['v1', 'v2']) at.list(one);
  at.redefine({ versions: [version('v1', {}), version('v2', { storage: true, properties: terms })] });
  at.patch('v2', 'a', 'merge', { spec: { term: 'stored' } });
  for (const one of ['v1', 'v2']) at.get(one, 'a');
  at.redefine({ versions: [version('v1', { served: false }), version('v2', { storage: true, properties: terms })] });
  at.await('v1', 404);
  at.discover('v1', 'v2');
  at.get('v2', 'a');
  at.redefine({ versions: [version('v2', { storage: true, properties: terms })] });
  opened(at);
  ended(at);
}

const doors: Json = {
  subresources: {
    status: {},
    scale: {
      ...{ specReplicasPath: '.spec.count', statusReplicasPath: '.status.seen' },
      labelSelectorPath: '.status.chosen.by',
    },
  },
  additionalPrinterColumns: [
    { name: 'Term', type: 'string', jsonPath: '.spec.term', description: 'what it is called' },
    { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};

/** From now on it has a status of its own, a scale, columns, and a field that has to be there. */
function opened(at: TypeStory): void {
  const strict = version('v2', {
    storage: true,
    properties: { ...terms, must: { type: 'string', default: 'be' } },
    rest: doors,
  });
  at.redefine({ versions: [version('v1', { served: false }), strict] });
  at.story.add('await a scale', 'GET', `${at.collection('v2')}/a/status`, { awaits: 200 });
  at.discover('v2');
  const status = at.get('v2', 'a', {}, '/status');
  at.put('v2', 'a', status, { spec: { term: 'by status' }, status: { seen: 3 } }, '/status');
  at.put('v2', 'a', status, { metadata: { resourceVersion: null }, spec: { count: 4 }, status: { seen: 9 } });
  at.get('v2', 'a');
  at.get('v2', 'a', {}, '/scale');
  at.patch('v2', 'a', 'merge', { spec: { replicas: 7 } }, '/scale');
  at.get('v2', 'a', inForm('table'));
  at.list('v2', inForm('table'));
  unscaled(at);
  at.redefine({ scope: 'Cluster' });
  at.redefine({ names: { plural: 'others' } });
  renamed(at);
}

/** What a scale shows is not there, or of another sort. */
function unscaled(at: TypeStory): void {
  at.create('v2', 'unscaled', { term: 'alone' });
  for (const chosen of [{}, { by: '' }, { by: 'app=x' }, { by: 5 }, { by: { matchLabels: { app: 'x' } } }, 'text'])
    at.patch('v2', 'unscaled', 'merge', { status: { seen: 1, chosen } }, '/status');
  at.get('v2', 'unscaled', {}, '/scale');
  at.patch('v2', 'unscaled', 'merge', { spec: { replicas: 2 } }, '/scale');
  at.patch('v2', 'unscaled', 'merge', { spec: { replicas: null } }, '/scale');
  at.get('v2', 'unscaled');
}

/** The names that may change do, one after another, and what is told of the type with them. */
function renamed(at: TypeStory): void {
  for (const names of [
    { singular: 'thingy', shortNames: ['th<own>'] },
    { singular: 'thingo', shortNames: ['tg<own>', 'ti<own>'], categories: ['all', 'some'], listKind: 'Things' },
    { singular: 'thing', shortNames: null, categories: null, listKind: 'ThingList' },
  ]) {
    at.redefine({ names });
    at.awaitSingular('v2', names.singular);
    at.list('v2');
  }
}

/** It goes with all there is of it, and what comes by its name is another. */
function ended(at: TypeStory): void {
  for (const name of ['a', 'c']) at.watchLife('v2', name);
  at.patch('v2', 'a', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.story.add('delete a type', 'DELETE', definitionPath, { query: { dryRun: 'All' } });
  at.get('v2', 'a');
  at.story.add('delete a type', 'DELETE', definitionPath);
  at.get('v2', 'a', { awaitsMember: 'metadata.deletionTimestamp' });
  at.create('v2', 'late', {});
  at.patch('v2', 'a', 'merge', { metadata: { finalizers: null } });
  at.await('v2', 404);
  at.story.add('await the end of a type', 'GET', definitionPath, { awaits: 404 });
  at.define([version('v2', { storage: true })]);
  at.await('v2');
  at.list('v2');
  at.create('v2', 'a', { count: 2 });
}

/** Two versions say the same of an object: what it is stored as changes with the next write, be it of nothing. */
function storedAnew(at: TypeStory): void {
  const stored = (storage: string): Json[] => ['v1', 'v2'].map((name) => version(name, { storage: name === storage }));
  const names = ['a', 'b', 'c', 'd'];
  at.define(stored('v1'));
  for (const one of ['v1', 'v2']) at.await(one);
  for (const name of names) at.create('v1', name, { word: name });
  for (const [storage, other] of [
    ['v2', 'v1'],
    ['v1', 'v2'],
  ] as const) {
    at.redefine({ versions: stored(storage) });
    at.put(storage, 'a', at.get(storage, 'a'), {});
    at.put(other, 'b', at.get(other, 'b'), {});
    at.patch(storage, 'c', 'merge', {});
    at.patch(other, 'd', 'json', []);
    for (const name of names) {
      at.patch(other, name, 'merge', {});
      for (const one of ['v1', 'v2']) at.get(one, name);
    }
  }
}

const many = [
  'v1',
  'v2',
  'v10',
  'v9',
  'v1beta1',
  'v2beta10',
  'v2beta9',
  'v11alpha2',
  'v3alpha1',
  'x1',
  'v1gamma1',
  'a',
];

/** Versions of every sort in no order, some of which had better not be used any more; and another type beside it. */
function crowded(at: TypeStory): void {
  const warned: Json = { v2: { deprecated: true }, v9: { deprecated: true, deprecationWarning: 'use another' } };
  at.define(many.map((name) => version(name, { storage: name === 'v1', rest: warned[name] ?? {} })));
  for (const name of many) at.await(name);
  at.discover(...many);
  at.story.add('discover groups', 'GET', `/apis/${group}/`);
  for (const name of ['v1', 'v2', 'v9']) {
    at.create(name, `of-${name}`, { count: 1 });
    at.get(name, `of-${name}`);
    at.list(name);
    at.watch(name);
    at.patch(name, `of-${name}`, 'merge', { metadata: { labels: { touched: 'yes' } } });
    at.apply(name, `of-${name}`, { count: 2 });
  }
  at.end('v1');
  for (const names of [
    { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList', shortNames: ['thing'] },
    { plural: 'others', singular: 'thing', kind: 'Other', listKind: 'OtherList' },
    { plural: 'others', singular: 'other', kind: 'Thing', listKind: 'OtherList' },
    { plural: 'others', singular: 'other', kind: 'Other', listKind: 'ThingList' },
    { plural: 'others', singular: 'other', kind: 'ThingList', listKind: 'OtherList' },
    { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList', shortNames: ['o1', 'o2'] },
  ])
    beside(at, names);
}

/** Another type of the group by these names, and what becomes of it. */
function beside(at: TypeStory, names: Json): void {
  const path = `${definitions}/others.${group}`;
  const { spec, ...rest } = definition([version('v1', { storage: true })]);
  const metadata = { name: `others.${group}`, labels: ownLabels };
  const json = { ...rest, metadata, spec: { ...spec, names } };
  at.story.add('define another type', 'POST', definitions, { body: { json } });
  at.story.add('get another type', 'GET', path, { awaitsMember: 'status.conditions.1' });
  at.discover('v1');
  at.story.add('delete another type', 'DELETE', path);
  at.story.add('await the end of another type', 'GET', path, { awaits: 404 });
}

/** Types that are defined, change and go. @param hooked with a webhook that converts */
export function definitionScenarios(hooked: boolean): readonly Scenario[] {
  const [one, several, narrower, anew] = [new TypeStory(), new TypeStory(), new TypeStory(), new TypeStory()] as const;
  changing(one);
  crowded(several);
  tightening(narrower);
  storedAnew(anew);
  const alone = [
    one.story.scenario('a type that changes', 'sequences', 2),
    narrower.story.scenario('a type that gets stricter', 'sequences', 1),
    several.story.scenario('a type of many versions', 'sequences', 2),
    anew.story.scenario('a type that is stored anew', 'sequences', 1),
  ];
  return [...interleaved([hooked ? conversionScenarios() : [], alone])];
}
