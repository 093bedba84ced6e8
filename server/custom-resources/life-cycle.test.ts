import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { objectKey } from '../store/object-keys.ts';
import { relabel } from './conversion.ts';
import type { CustomResource } from './custom-resource.ts';
import { cleanupFinalizer, conditionOf, type Definition } from './definition-shape.ts';
import { CustomResourceLifeCycle } from './life-cycle.ts';

const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
const group = 'shop.example.com';

const definition = (plural: string, kind: string, more: Partial<Definition['spec']> = {}): Definition => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: `${plural}.${group}`, uid: `uid-${plural}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    conversion: { strategy: 'None' },
    ...more,
  },
  status: { storedVersions: ['v1'] },
});

const keyOf = ({ metadata }: KubeObject) => objectKey(definitions, '', metadata.name ?? '');

describe('the life cycle of definitions', () => {
  let store: MemoryStore;
  let timers: ManualTimers;
  let published: readonly CustomResource[];
  let reported: unknown[];
  let cycle: CustomResourceLifeCycle;

  const plurals = () => published.map(({ plural }) => plural);
  const stored = async (name: string) =>
    (await store.get(objectKey(definitions, '', `${name}.${group}`)))?.value as Definition;
  const begin = async () => {
    cycle = new CustomResourceLifeCycle({
      store,
      timers,
      clock: { now: () => 1_000_000 },
      definitions,
      converterOf: () => relabel,
      publish: (resources) => {
        published = resources;
      },
      report: (error) => reported.push(error),
    });
    await cycle.start();
  };
  const create = (object: Definition) => store.create(keyOf(object), object);
  const markDeleted = (name: string) =>
    store.update(objectKey(definitions, '', `${name}.${group}`), ({ value }) => ({
      write: {
        ...value,
        metadata: { ...value.metadata, finalizers: [cleanupFinalizer], deletionTimestamp: '2020-01-01T00:00:00Z' },
      },
    }));

  beforeEach(async () => {
    store = new MemoryStore({ freeze: true });
    timers = new ManualTimers();
    published = [];
    reported = [];
    await begin();
    return () => cycle.stop();
  });

  it('serves a definition as soon as its create has returned', async () => {
    await create(definition('ducks', 'Duck'));
    expect(plurals()).toEqual(['ducks']);
    expect(published[0]?.served.apiVersion).toBe(`${group}/v1`);
  });

  it('writes accepted names, conditions and their manager afterwards', async () => {
    const made = definition('ducks', 'Duck');
    const owned = { operation: 'Update', apiVersion: made.apiVersion, fieldsType: 'FieldsV1' } as const;
    const managedFields = [{ ...owned, manager: 'm', time: '2100-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } }];
    await create({ ...made, metadata: { ...made.metadata, managedFields } });
    await cycle.idle();
    const { status, metadata } = await stored('ducks');
    expect(status?.acceptedNames).toEqual({ plural: 'ducks', singular: 'duck', kind: 'Duck', listKind: 'DuckList' });
    expect(status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason])).toEqual([
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ]);
    expect(metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource])).toEqual([
      ['kube-apiserver', 'status'],
      ['m', undefined],
    ]);
  });

  it.each([
    ['https://example.com/approved', 'True', 'ApprovedAnnotation', 'approved in https://example.com/approved'],
    ['unapproved, for now', 'False', 'UnapprovedAnnotation', 'not approved: "unapproved, for now"'],
  ])('tells whether a group of the community is approved: %s', async (text, status, reason, message) => {
    const ours = definition('ducks', 'Duck', { group: 'x.k8s.io' });
    const annotations = { 'api-approved.kubernetes.io': text };
    await create({ ...ours, metadata: { ...ours.metadata, annotations } });
    await cycle.idle();
    const type = 'KubernetesAPIApprovalPolicyConformant';
    expect(conditionOf(await stored('ducks'), type)).toMatchObject({ status, reason, message });
  });

  it('refuses names that are in use until the other definition goes', async () => {
    await create(definition('ducks', 'Duck'));
    await create(definition('geese', 'Duck'));
    await cycle.idle();
    const refused = await stored('geese');
    expect(conditionOf(refused, 'NamesAccepted')).toMatchObject({ status: 'False', reason: 'ListKindConflict' });
    expect(conditionOf(refused, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
    expect(refused.status?.acceptedNames).toEqual({ plural: 'geese', kind: '' });
    expect(plurals()).toEqual(['ducks']);
    await markDeleted('ducks');
    await cycle.idle();
    expect(plurals()).toEqual(['geese']);
    expect(conditionOf(await stored('geese'), 'Established')?.status).toBe('True');
  });

  it('removes the objects of a deleted definition, waits for those that are held, and then removes it', async () => {
    await create(definition('ducks', 'Duck'));
    const duck = (name: string, finalizers?: string[]): KubeObject => ({
      kind: 'Duck',
      apiVersion: `${group}/v1`,
      metadata: { name, ...(finalizers && { finalizers }) },
    });
    await store.create(`${group}/ducks/ns/one`, duck('one'));
    await store.create(`${group}/ducks/ns/held`, duck('held', ['example.com/hold']));
    await markDeleted('ducks');
    await cycle.idle();
    expect(await store.get(`${group}/ducks/ns/one`)).toBeUndefined();
    expect((await store.get(`${group}/ducks/ns/held`))?.value.metadata.deletionTimestamp).toBeDefined();
    expect(published[0]?.custom?.terminating).toBe(true);
    expect(conditionOf(await stored('ducks'), 'Terminating')?.status).toBe('True');
    await store.update(`${group}/ducks/ns/held`, () => ({ remove: true }));
    await cycle.idle();
    expect(await stored('ducks')).toBeUndefined();
    expect(published).toEqual([]);
  });

  it('keeps a definition that others hold, without the finalizer of its own', async () => {
    await create({ ...definition('ducks', 'Duck'), metadata: { name: `ducks.${group}`, uid: 'u' } });
    await store.update(objectKey(definitions, '', `ducks.${group}`), ({ value }) => ({
      write: {
        ...value,
        metadata: { ...value.metadata, finalizers: ['example.com/x', cleanupFinalizer], deletionTimestamp: 'now' },
      },
    }));
    await cycle.idle();
    expect((await stored('ducks')).metadata.finalizers).toEqual(['example.com/x']);
  });

  it('serves after a restart what was served before, and goes on with a deletion', async () => {
    await create(definition('ducks', 'Duck'));
    await create(definition('geese', 'Goose'));
    await cycle.idle();
    await cycle.stop();
    await markDeleted('geese');
    published = [];
    await begin();
    expect(plurals()).toEqual(['ducks', 'geese']);
    await cycle.idle();
    expect(plurals()).toEqual(['ducks']);
  });

  it('keeps what it compiled as long as the definition says the same', async () => {
    await create(definition('ducks', 'Duck'));
    const [before] = published;
    await cycle.idle();
    expect(published[0]).toBe(before);
  });

  it('says when a definition says something else, once that is served, and when it is gone', async () => {
    await create(definition('ducks', 'Duck'));
    const first = published[0]?.custom?.lasts;
    const seen: (string | undefined)[] = [];
    first?.addEventListener('abort', () => seen.push(published[0]?.kind));
    await cycle.idle();
    await markDeleted('ducks');
    expect(first?.aborted).toBe(false);
    await cycle.idle();
    expect([first?.aborted, ...seen]).toEqual([true, undefined]);
  });

  it('tries again after a growing delay when the store fails', async () => {
    const update = store.update.bind(store);
    let broken = true;
    store.update = (key, change) => (broken ? Promise.reject(new Error('down')) : update(key, change));
    await create(definition('ducks', 'Duck'));
    await cycle.idle();
    expect(reported).toHaveLength(1);
    broken = false;
    timers.advance(100);
    await cycle.idle();
    expect(conditionOf(await stored('ducks'), 'Established')?.status).toBe('True');
  });
});
