import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import type { ObjectMeta } from '../../base/kube-object.ts';
import { configMapResource, mapOf, resourceOf } from '../call.fixture.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata-rules.ts';

const fields = (metadata: Partial<ObjectMeta>, resource = configMapResource) =>
  validateMetadata(resource, mapOf('one', { namespace: 'default', ...metadata })).map(({ field }) => field);
const ownerVersion = 'metadata.ownerReferences.apiVersion';
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' };

describe('metadata', () => {
  it.each<[string, Partial<ObjectMeta>, string[]]>([
    ['is fine', {}, []],
    [
      'is fine with everything',
      { labels: { 'a.b/c': 'D_e.f' }, annotations: { x: '' }, finalizers: ['a.b/c'], ownerReferences: [owner] },
      [],
    ],
    ['needs a name', { name: '' }, ['metadata.name']],
    ['needs a namespace', { namespace: '' }, ['metadata.namespace']],
    ['has a namespace that is a label', { namespace: 'a.b' }, ['metadata.namespace']],
    ['has no name with an underscore', { name: 'a_b' }, ['metadata.name']],
    ['has no beginning of a name in capitals', { generateName: 'AB-' }, ['metadata.generateName']],
    ['may have a beginning with a hyphen', { generateName: 'a-' }, []],
    ['has no negative generation', { generation: -1 }, ['metadata.generation']],
    ['has no label with a blank', { labels: { 'a b': 'c', d: 'e f' } }, ['metadata.labels', 'metadata.labels']],
    [
      'has no annotation without a name',
      { annotations: { 'a/': '' } },
      ['metadata.annotations', 'metadata.annotations'],
    ],
    ['has capitals in the keys of annotations', { annotations: { 'A.B/C': '' } }, []],
    [
      'has annotations of a quarter of a megabyte at most',
      { annotations: { a: 'x'.repeat(262_144) } },
      ['metadata.annotations'],
    ],
    ['has finalizers with a domain', { finalizers: ['mine'] }, ['metadata.finalizers[0]']],
    ['knows some finalizers without one', { finalizers: ['orphan', 'kubernetes'] }, []],
    ['is not left and taken along at once', { finalizers: ['orphan', 'foregroundDeletion'] }, ['metadata.finalizers']],
    ['has owners with a name', { ownerReferences: [{ ...owner, name: '' }] }, ['metadata.ownerReferences.name']],
    ['has owners with a group alone', { ownerReferences: [{ ...owner, apiVersion: 'a/' }] }, [ownerVersion]],
    ['has owners of one group', { ownerReferences: [{ ...owner, apiVersion: 'a/b/v1' }] }, [ownerVersion]],
    ['has owners whose group may be empty', { ownerReferences: [{ ...owner, apiVersion: '/v1' }] }, []],
    ['is owned by no event', { ownerReferences: [{ ...owner, kind: 'Event' }] }, ['metadata.ownerReferences']],
    [
      'has one controller',
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: 'v', controller: true },
        ],
      },
      ['metadata.ownerReferences'],
    ],
  ])('%s', (_, metadata, expected) => {
    expect(fields(metadata)).toEqual(expected);
  });

  it('of a cluster-scoped kind has no namespace', () => {
    expect(fields({ namespace: 'x' }, resourceOf('', 'v1', 'nodes'))).toEqual(['metadata.namespace']);
  });

  it('is judged whatever it holds', () => {
    const text = fc.string();
    const metadata = fc.record({
      name: text,
      namespace: text,
      generateName: text,
      labels: fc.dictionary(text, text),
      annotations: fc.dictionary(text, text),
      finalizers: fc.array(text),
    });
    fc.assert(fc.property(metadata, (each) => void fields(each)));
  });
});

describe('kinds that ask less of metadata', () => {
  const ruled = (rules: object) => ({ ...configMapResource, rules: { ...configMapResource.rules, ...rules } });
  const metadata = { name: 'n', namespace: 'ns' };
  it.each<[string, object, Partial<ObjectMeta>, string[]]>([
    ['bare finalizers', { bareFinalizers: true }, { finalizers: ['hold'] }, []],
    ['any segment for a name', { plainMetadata: () => true }, { name: 'A b', finalizers: ['hold'] }, []],
    ['no other version', { plainMetadata: (version: string) => version !== 'v1' }, { name: 'A b' }, ['metadata.name']],
    ['a slash is none', { plainMetadata: () => true }, { name: 'a/b' }, ['metadata.name']],
    ['a finalizer is still a name', { bareFinalizers: true }, { finalizers: ['a b'] }, ['metadata.finalizers']],
  ])('%s', (_title, rules, given, told) => {
    expect(fields({ ...metadata, ...given }, ruled(rules))).toEqual(told);
  });

  it('takes any segment for the beginning of a name once there is one', () => {
    const loose = ruled({ loosePrefixOnUpdate: true });
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, generateName: 'A' } };
    expect(validateMetadata(loose, object as never)).toHaveLength(1);
    expect(validateMetadata(loose, object as never, { updating: true })).toEqual([]);
  });
});

describe('a change of metadata', () => {
  const change = (from: Partial<ObjectMeta>, to: Partial<ObjectMeta>) =>
    validateMetadataUpdate(mapOf('one', to), mapOf('one', from)).map(({ field }) => field);

  it.each<[Partial<ObjectMeta>, Partial<ObjectMeta>, string[]]>([
    [{ uid: 'a' }, { uid: 'a' }, []],
    [{ uid: 'a' }, { uid: 'b' }, ['metadata.uid']],
    [{ namespace: 'a' }, { namespace: 'b' }, ['metadata.namespace']],
    [{ deletionTimestamp: '2024-01-02T03:04:05Z' }, {}, ['metadata.deletionTimestamp']],
    [{}, { finalizers: ['a.b/c'] }, []],
    [
      { deletionTimestamp: 'x', finalizers: ['a.b/c'] },
      { deletionTimestamp: 'x', finalizers: ['a.b/c', 'a.b/d'] },
      ['metadata.finalizers'],
    ],
    [{ deletionTimestamp: 'x', finalizers: ['a.b/c'] }, { deletionTimestamp: 'x' }, []],
  ])('from %j to %j', (from, to, expected) => {
    expect(change(from, to)).toEqual(expected);
  });

  it('of many finalizers takes no longer than they are many', () => {
    const many = (letter: string) => Array.from({ length: 60_000 }, (_, number) => `a.b/${letter}${number}`);
    const began = worked();
    const going = { deletionTimestamp: 'x' };
    expect(change({ ...going, finalizers: many('c') }, { ...going, finalizers: many('d') })).toHaveLength(1);
    expect(worked() - began).toBeLessThan(1500);
  });
});
