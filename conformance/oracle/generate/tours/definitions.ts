import type { Json } from '../../../verbs/client.ts';
import { ownLabels, type Scenario } from '../../play/scenario.ts';
import { inForm } from '../forms.ts';
import { patchTypes, type StepParts, Story } from '../story.ts';

const group = '<own>.touchstone.example';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definitionPath = `${definitions}/things.${group}`;

interface VersionParts {
  readonly storage?: boolean;
  readonly served?: boolean;
  readonly properties?: Json;
  readonly rest?: Json;
}

const words: Json = { word: { type: 'string', default: 'some' }, count: { type: 'integer', minimum: 1 } };
const terms: Json = { term: { type: 'string', default: 'any' }, count: { type: 'integer', minimum: 1 } };

const version = (
  name: string,
  { storage = false, served = true, properties = words, rest = {} }: VersionParts,
): Json => ({
  ...{ name, storage, served },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties },
        status: { type: 'object', properties: { seen: { type: 'integer' } } },
      },
    },
  },
  ...rest,
});

const definition = (versions: readonly Json[], more: Json = {}): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}`, labels: ownLabels },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', categories: ['all'] },
    versions,
    ...more,
  },
});

/** A story of a type that is defined in it. */
class TypeStory {
  readonly story = new Story();

  define(versions: readonly Json[], more: Json = {}): string {
    return this.story.add('define a type', 'POST', definitions, { body: { json: definition(versions, more) } });
  }

  redefine(spec: Json, parts: StepParts = {}): void {
    this.story.add('redefine a type', 'PATCH', definitionPath, {
      body: { json: { spec } },
      headers: { 'content-type': patchTypes.merge },
      ...parts,
    });
    this.story.add('get a type', 'GET', definitionPath);
  }

  collection(version: string): string {
    return `/apis/${group}/${version}/namespaces/<own>-1/things`;
  }

  /** Until a version is served, or is no more. */
  await(version: string, awaits = 200): void {
    this.story.add(`await a type ${awaits}`, 'GET', this.collection(version), { awaits });
  }

  create(version: string, name: string, spec: Json, parts: StepParts = {}): string {
    const json = {
      apiVersion: `${group}/${version}`,
      kind: 'Thing',
      metadata: { name, labels: { app: '<own>' } },
      spec,
    };
    return this.story.add('create things', 'POST', this.collection(version), { body: { json }, ...parts });
  }

  get(version: string, name: string, parts: StepParts = {}, sub = ''): string {
    return this.story.add(`get things${sub}`, 'GET', `${this.collection(version)}/${name}${sub}`, parts);
  }

  list(version: string, parts: StepParts = {}): string {
    return this.story.add('list things', 'GET', this.collection(version), parts);
  }

  put(version: string, name: string, answerOf: string, merge: Json, sub = ''): string {
    return this.story.add(`update things${sub}`, 'PUT', `${this.collection(version)}/${name}${sub}`, {
      body: { answerOf, merge: { apiVersion: `${group}/${version}`, ...merge } },
    });
  }

  patch(version: string, name: string, type: keyof typeof patchTypes, json: Json, sub = ''): string {
    const query = type === 'apply' ? { fieldManager: 'alice', force: 'true' } : {};
    return this.story.add(`${type} patch things${sub}`, 'PATCH', `${this.collection(version)}/${name}${sub}`, {
      ...{ body: { json }, headers: { 'content-type': patchTypes[type] }, query },
    });
  }

  apply(version: string, name: string, spec: Json): string {
    return this.patch(version, name, 'apply', {
      apiVersion: `${group}/${version}`,
      kind: 'Thing',
      metadata: { name },
      spec,
    });
  }

  watch(version: string): string {
    return this.story.add('watch things', 'GET', this.collection(version), {
      query: { watch: '1', resourceVersion: '0' },
      watch: {},
    });
  }

  remove(version: string, name: string): string {
    return this.story.add('delete things', 'DELETE', `${this.collection(version)}/${name}`);
  }

  discover(...versions: readonly string[]): void {
    this.story.add('discover a group', 'GET', `/apis/${group}`);
    for (const one of versions) this.story.add('discover a version', 'GET', `/apis/${group}/${one}`);
  }
}

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
    scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.seen' },
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
  at.redefine({ scope: 'Cluster' });
  at.redefine({ names: { plural: 'others' } });
  at.redefine({ names: { shortNames: ['th<own>'] } });
}

/** It goes with all there is of it, and what comes by its name is another. */
function ended(at: TypeStory): void {
  at.watch('v2');
  at.patch('v2', 'a', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.story.add('delete a type', 'DELETE', definitionPath, { query: { dryRun: 'All' } });
  at.get('v2', 'a');
  at.story.add('delete a type', 'DELETE', definitionPath);
  at.create('v2', 'late', {});
  at.patch('v2', 'a', 'merge', { metadata: { finalizers: null } });
  at.await('v2', 404);
  at.story.add('await the end of a type', 'GET', definitionPath, { awaits: 404 });
  at.define([version('v2', { storage: true })]);
  at.await('v2');
  at.list('v2');
  at.create('v2', 'a', { count: 2 });
}

/** A type whose versions differ by a name, and a webhook that knows how. */
function converting(at: TypeStory): void {
  const [earlier, later] = [version('v1', { storage: true }), version('v2', { properties: terms })];
  const clientConfig = { url: '<hook-conversion:url>', caBundle: '<hook-conversion:caBundle>' };
  at.define([earlier, later], {
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
  });
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
  unspoken(at);
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
}

/** Types that are defined, change and go. @param hooked with a webhook that converts */
export function definitionScenarios(hooked: boolean): readonly Scenario[] {
  const [one, other] = [new TypeStory(), new TypeStory()];
  changing(one);
  converting(other);
  const { steps, ...converted } = other.story.scenario('versions that a webhook converts', 'sequences', 2);
  // Where the webhook is reached is not the same for both.
  const hook = { ...converted, prepare: steps.slice(0, 1), steps: steps.slice(1), hooks: ['conversion'] };
  return [one.story.scenario('a type that changes', 'sequences', 2), ...(hooked ? [hook] : [])];
}
