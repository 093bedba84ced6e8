import type { Json } from '../../../verbs/client.ts';
import { mergePatchHeaders, patchTypes } from '../../../verbs/patch-types.ts';
import { ownLabels } from '../../play/scenario.ts';
import { mark } from '../end-mark.ts';
import { type StepParts, Story } from '../story.ts';

export const group = '<own>.touchstone.example';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const definitionPath = `${definitions}/things.${group}`;

/** Of whatever sort it is. */
const anything: Json = { 'x-kubernetes-preserve-unknown-fields': true };

interface VersionParts {
  readonly storage?: boolean;
  readonly served?: boolean;
  readonly properties?: Json;
  readonly rest?: Json;
}

export const words: Json = { word: { type: 'string', default: 'some' }, count: { type: 'integer', minimum: 1 } };
export const terms: Json = { term: { type: 'string', default: 'any' }, count: { type: 'integer', minimum: 1 } };

export const version = (
  name: string,
  { storage = false, served = true, properties = words, rest = {} }: VersionParts,
): Json => ({
  ...{ name, storage, served },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties },
        status: { type: 'object', properties: { seen: { type: 'integer' }, chosen: anything } },
      },
    },
  },
  ...rest,
});

export const definition = (versions: readonly Json[], more: Json = {}): Json => ({
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
export class TypeStory {
  readonly story = new Story();

  define(versions: readonly Json[], more: Json = {}): string {
    return this.story.add('define a type', 'POST', definitions, { body: { json: definition(versions, more) } });
  }

  redefine(spec: Json, parts: StepParts = {}): void {
    this.story.add('redefine a type', 'PATCH', definitionPath, {
      body: { json: { spec } },
      headers: mergePatchHeaders,
      ...parts,
    });
    this.story.add('get a type', 'GET', definitionPath, { awaitsRest: {} });
  }

  collection(version: string): string {
    return `/apis/${group}/${version}/namespaces/<own>-1/things`;
  }

  /** Until a version is served, or is no more. */
  await(version: string, awaits = 200): void {
    this.story.add(`await a type ${awaits}`, 'GET', this.collection(version), { awaits });
  }

  /** Until its definition, and then its group, tell of it by this name. */
  awaitSingular(version: string, value: string): void {
    this.story.add('get a renamed type', 'GET', definitionPath, {
      awaitsValue: { path: 'status.acceptedNames.singular', value },
    });
    this.story.add('discover a renamed type', 'GET', `/apis/${group}/${version}`, {
      awaitsValue: { path: 'resources.0.singularName', value },
    });
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

  put(version: string, name: string, answerOf: string, merge: Json, sub = '', parts: StepParts = {}): string {
    return this.story.add(`update things${sub}`, 'PUT', `${this.collection(version)}/${name}${sub}`, {
      body: { answerOf, merge: { apiVersion: `${group}/${version}`, ...merge } },
      ...parts,
    });
  }

  patch(
    version: string,
    name: string,
    type: keyof typeof patchTypes,
    json: Json,
    sub = '',
    parts: StepParts = {},
  ): string {
    const query = type === 'apply' ? { fieldManager: 'alice', force: 'true' } : {};
    return this.story.add(`${type} patch things${sub}`, 'PATCH', `${this.collection(version)}/${name}${sub}`, {
      ...{ body: { json }, headers: { 'content-type': patchTypes[type] }, query },
      ...parts,
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

  /** Until the story tells its end. */
  watch(version: string): void {
    this.story.add('watch things', 'GET', this.collection(version), {
      query: { watch: '1', resourceVersion: '0' },
      watch: { until: mark },
    });
  }

  /** Until it is deleted: then its type may go, and nobody says what becomes of a stream of that. */
  watchLife(version: string, name: string): void {
    this.story.add('watch one of things', 'GET', this.collection(version), {
      query: { watch: '1', resourceVersion: '0', fieldSelector: `metadata.name=${name}` },
      watch: { until: '"DELETED"', last: 'DELETED' },
    });
  }

  /** What streams are read to. */
  end(version: string): void {
    this.create(version, mark, {});
  }

  /** What webhooks were asked since they were last asked for it. */
  heard(): void {
    this.story.add('what converts is asked', 'GET', '/heard', { heard: true });
  }

  remove(version: string, name: string): string {
    return this.story.add('delete things', 'DELETE', `${this.collection(version)}/${name}`);
  }

  discover(...versions: readonly string[]): void {
    this.story.add('discover a group', 'GET', `/apis/${group}`);
    for (const one of versions) this.story.add('discover a version', 'GET', `/apis/${group}/${one}`);
  }
}
