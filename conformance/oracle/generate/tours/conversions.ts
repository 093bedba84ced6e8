import type { Json } from '../../../verbs/client.ts';
import { oddWords } from '../../play/conversions.ts';
import type { Scenario } from '../../play/scenario.ts';
import { inForm } from '../forms.ts';
import { TypeStory, terms, version, words } from './type-story.ts';

/** By each of two versions that differ by a name, which a webhook knows how to convert. */
function converting(at: TypeStory): void {
  at.await('v1');
  at.await('v2');
  at.create('v1', 'a', { word: 'one', count: 1 });
  at.create('v2', 'b', { term: 'two', count: 2 });
  at.create('v2', 'b', { term: 'two', count: 0 }, { query: { dryRun: 'All' } });
  for (const one of ['v1', 'v2']) {
    for (const name of ['a', 'b']) at.get(one, name);
    at.list(one);
    at.list(one, { query: { limit: '1', labelSelector: 'app=<own>' }, walk: true });
    at.watch(one);
  }
  written(at);
  oddlyConverted(at);
  unspoken(at);
}

/** The webhook changes more than a name, or answers nothing that fits, as some words ask it to. */
function oddlyConverted(at: TypeStory): void {
  for (const word of oddWords) {
    at.create('v1', word, { word });
    at.get('v2', word);
    at.list('v2', { query: { fieldSelector: `metadata.name=${word}` } });
    at.patch('v2', word, 'merge', { metadata: { annotations: { touched: 'yes' } } });
    at.get('v1', word);
    at.remove('v1', word);
    at.create('v2', word, { term: word });
  }
}

function written(at: TypeStory): void {
  const seen = at.get('v2', 'a');
  at.put('v2', 'a', seen, { spec: { term: 'put' } });
  at.put('v1', 'a', seen, { spec: { term: null, word: 'stale' } });
  at.patch('v2', 'a', 'merge', { spec: { term: 'patched' } });
  at.patch('v2', 'a', 'json', [{ op: 'replace', path: '/spec/term', value: 'replaced' }]);
  at.get('v1', 'a');
  at.apply('v2', 'a', { term: 'applied' });
  at.apply('v1', 'a', { word: 'again' });
  at.apply('v2', 'c', { term: 'new' });
  for (const one of ['v1', 'v2']) {
    at.list(one);
    at.get(one, 'c', inForm('metadata'));
  }
}

/** What cannot be converted can be read as it is stored, and deleted as that. */
function unspoken(at: TypeStory): void {
  at.create('v1', 'd', { word: 'unspoken' });
  at.create('v2', 'e', { term: 'unspoken' });
  for (const one of ['v1', 'v2']) at.get(one, 'd');
  for (const one of ['v1', 'v2']) at.list(one);
  at.patch('v2', 'd', 'merge', { spec: { term: 'said' } });
  at.remove('v2', 'd');
  at.remove('v1', 'd');
  at.story.add('delete collection things', 'DELETE', at.collection('v2'), { query: { labelSelector: 'app=<own>' } });
  at.list('v2');
  at.end('v1');
}

const subresources: Json = {
  status: {},
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.seen' },
};

/** What is below an object is written through the version that does not store it. */
function throughDoors(at: TypeStory): void {
  at.await('v1');
  at.await('v2');
  at.create('v1', 'a', { word: 'one', count: 1 });
  const seen = at.get('v2', 'a', {}, '/status');
  at.put('v2', 'a', seen, { spec: { term: 'by status' }, status: { seen: 3 } }, '/status');
  at.patch('v2', 'a', 'merge', { status: { seen: 4 } }, '/status');
  for (const one of ['v1', 'v2']) {
    at.get(one, 'a', {}, '/scale');
    at.patch(one, 'a', 'merge', { spec: { replicas: one === 'v1' ? 5 : 6 } }, '/scale');
    at.get(one === 'v1' ? 'v2' : 'v1', 'a');
    at.list(one, inForm('table'));
    at.get(one, 'a', inForm('yaml'));
  }
  at.patch('v1', 'a', 'merge', { spec: { word: 'lost' } });
  at.patch('v2', 'a', 'merge', { status: { seen: 8 } }, '/status');
  at.get('v2', 'a', {}, '/scale');
  at.patch('v2', 'a', 'merge', { spec: { replicas: 7 } }, '/scale');
  at.get('v1', 'a');
  at.patch('v1', 'a', 'merge', { spec: { word: 'said' } });
  at.heard();
}

/** What was stored in one version is stored in the other with the next write, be it of nothing. */
function moved(at: TypeStory): void {
  at.await('v2');
  for (const name of ['a', 'b', 'c']) at.create('v1', name, { word: name });
  at.redefine({ versions: [version('v1', {}), version('v2', { storage: true, properties: terms })] });
  for (const one of ['v1', 'v2']) at.list(one);
  at.heard();
  const seen = at.get('v2', 'a');
  at.put('v2', 'a', seen, {});
  at.patch('v1', 'b', 'merge', {});
  at.patch('v1', 'c', 'merge', { spec: { word: 'changed' } });
  for (const one of ['v1', 'v2']) for (const name of ['a', 'b', 'c']) at.get(one, name);
  at.create('v1', 'd', { word: 'labelled' });
  at.create('v1', 'e', { word: 'renamed' });
  at.get('v2', 'd');
  at.heard();
  at.redefine({ conversion: { strategy: 'None', webhook: null } });
  at.get('v1', 'a');
  at.get('v2', 'a');
  at.put('v1', 'a', seen, { metadata: { resourceVersion: null }, spec: { word: 'both' } });
  at.get('v2', 'a');
}

/** Nobody can convert: what needs no conversion goes on, and what does says why not. */
function unreached(at: TypeStory): void {
  at.await('v1');
  at.await('v2');
  at.create('v1', 'a', { word: 'one' });
  at.create('v2', 'b', { term: 'two' });
  for (const one of ['v1', 'v2']) {
    at.get(one, 'a');
    at.list(one);
    at.get(one, 'a', inForm('metadata'));
    at.list(one, inForm('table'));
    at.patch(one, 'a', 'merge', { spec: { count: 2 } });
    at.apply(one, 'a', { count: 3 });
    at.get(one, 'none');
    at.remove(one, 'none');
  }
  at.remove('v2', 'a');
  at.remove('v1', 'a');
}

const clientConfig: Json = { url: '<hook-conversion:url>', caBundle: '<hook-conversion:caBundle>' };

/** A story of a type with two versions. @param asked how the webhook is asked @param rest members of both versions */
function converted(name: string, tell: (at: TypeStory) => void, asked: Json = {}, rest: Json = {}): Scenario {
  const at = new TypeStory();
  const webhook = { clientConfig, conversionReviewVersions: ['v1'], ...asked };
  const versions = [
    version('v1', { storage: true, properties: words, rest }),
    version('v2', { properties: terms, rest }),
  ];
  at.define(versions, { conversion: { strategy: 'Webhook', webhook } });
  tell(at);
  const { steps, ...scenario } = at.story.scenario(name, 'sequences', 2);
  // Where the webhook is reached is not the same for both.
  return { ...scenario, prepare: steps.slice(0, 1), steps: steps.slice(1), hooks: ['conversion'] };
}

/** Types with versions that a webhook converts, well or not, or should. */
export const conversionScenarios = (): readonly Scenario[] => [
  converted('versions that a webhook converts', converting),
  converted('doors of versions that a webhook converts', throughDoors, {}, { subresources }),
  converted('versions that a webhook of old converts', converting, {
    conversionReviewVersions: ['v9', 'v1beta1', 'v1'],
  }),
  converted('versions that change places', moved),
  converted('versions that nobody converts', unreached, { clientConfig: { url: clientConfig.url } }),
];
