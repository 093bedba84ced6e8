import { beforeEach, describe, expect, test } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { atOnce } from '../../base/turns/work.ts';
import { builtIn, Story } from './story.fixture.ts';
import { trackUpdate } from './track-update.ts';

let story: Story;
beforeEach(() => {
  story = new Story();
});

describe('what a create books', () => {
  test('every leaf, and the maps and lists that came with it', async () => {
    await story.replace('poster', {
      metadata: { labels: { l: 'x' }, finalizers: ['e.com/a'] },
      data: { a: '1' },
      immutable: true,
    });
    expect(JSON.stringify(story.entries)).toBe(
      JSON.stringify([
        {
          manager: 'poster',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:01Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:data': { '.': {}, 'f:a': {} },
            'f:immutable': {},
            'f:metadata': { 'f:finalizers': { '.': {}, 'v:"e.com/a"': {} }, 'f:labels': { '.': {}, 'f:l': {} } },
          },
        },
      ]),
    );
  });

  test('parts that are always there are not noted themselves', async () => {
    story = new Story(builtIn('apps/v1', 'Deployment'));
    await story.replace('poster', {
      spec: {
        strategy: { rollingUpdate: { maxSurge: 1 } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', env: [{ name: 'E' }] }] } },
      },
    });
    expect(story.entries[0]?.fieldsV1).toEqual({
      'f:spec': {
        'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} } },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"c"}': {
                '.': {},
                'f:env': { '.': {}, 'k:{"name":"E"}': { '.': {}, 'f:name': {} } },
                'f:name': {},
                'f:resources': {},
              },
            },
          },
        },
      },
    });
  });

  test('a time that is always written is owned even when it is not set', async () => {
    story = new Story(builtIn('v1', 'Namespace'));
    await story.replace('poster', { status: { conditions: [{ type: 'X', status: 'True' }] } });
    expect(story.entries[0]?.fieldsV1).toEqual({
      'f:status': {
        'f:conditions': {
          '.': {},
          'k:{"type":"X"}': { '.': {}, 'f:lastTransitionTime': {}, 'f:status': {}, 'f:type': {} },
        },
      },
    });
  });
});

describe('what an update books', () => {
  beforeEach(() => story.replace('poster', { data: { a: '1', b: '1' } }));

  test('the same values book nothing', async () => {
    const { entries } = story;
    await story.replace('other', { data: { b: '1', a: '1' } });
    expect(story.entries).toEqual(entries);
  });

  test('removed fields leave every entry, and an entry without fields goes', async () => {
    await story.patch('other', { data: { c: '1' } });
    await story.patch('third', { data: { c: null } });
    expect(Object.keys(story.owners)).toEqual(['poster Update']);
    await story.patch('third', { data: null });
    expect(story.entries).toEqual([]);
  });

  test('an entry that only shrinks keeps its time, and may keep nothing but the map', async () => {
    await story.patch('other', { data: { a: '2', b: '2' } });
    expect(story.owners).toEqual({
      'poster Update': { 'f:data': {} },
      'other Update': { 'f:data': { 'f:a': {}, 'f:b': {} } },
    });
    expect(story.timeOf('poster')).toBe('2026-01-01T00:00:01Z');
    expect(story.timeOf('other')).toBe('2026-01-01T00:00:02Z');
  });

  test('an object that does not fit its structure is not booked at all', async () => {
    story = new Story(builtIn('v1', 'Pod'));
    const env = [{ name: 'E' }, { name: 'E' }];
    await story.replace('poster', { spec: { containers: [{ name: 'c', env }] } });
    expect(story.entries).toEqual([]);
  });
});

describe('parts that cannot be told apart inside of something atomic', () => {
  const slice = (...addresses: string[]) => ({ addressType: 'IPv4', endpoints: [{ addresses }] });
  test('keep an object from being booked', async () => {
    story = new Story(builtIn('discovery.k8s.io/v1', 'EndpointSlice'));
    await story.replace('poster', slice('192.0.2.1', '192.0.2.1'));
    expect(story.entries).toEqual([]);
    story = new Story(builtIn('discovery.k8s.io/v1', 'EndpointSlice'));
    await story.replace('poster', slice('192.0.2.1', '192.0.2.2'));
    expect(story.owners).toEqual({ 'poster Update': { 'f:addressType': {}, 'f:endpoints': {} } });
  });
});

describe('lists that are null when they are not set', () => {
  test('are not noted themselves, and belong to whoever removed them', async () => {
    story = new Story(builtIn('discovery.k8s.io/v1', 'EndpointSlice'));
    await story.replace('poster', { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] });
    await story.replace('other', { addressType: 'IPv4' });
    expect(story.owners).toEqual({
      'other Update': { 'f:endpoints': {} },
      'poster Update': { 'f:addressType': {} },
    });
  });
});

describe('entries that clients send', () => {
  const entry: ManagedFieldsEntry = {
    manager: 'made-up',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  };
  const send = (managedFields: unknown, data: object = { a: '1' }) =>
    story.replace('poster', { data, metadata: { managedFields } });
  beforeEach(() => story.replace('poster', { data: { a: '1' } }));

  test.each<readonly [string, ManagedFieldsEntry[]]>([
    ['an empty list', []],
    ['a list of one empty entry', [{}]],
  ])('%s clears', async (_name, managedFields) => {
    const live = story.live as KubeObject;
    const next = { ...live, metadata: { ...live.metadata, managedFields } };
    const structure = builtIn('v1', 'ConfigMap').structure;
    const update = { live, next, structure, manager: 'x', apiVersion: 'v1', subresource: '' };
    expect(atOnce(trackUpdate(update))).toEqual([]);
  });

  test.each<readonly [string, unknown]>([
    ['null', null],
    ['two empty entries', [{}, {}]],
    ['an unknown operation', [{ ...entry, operation: 'Bogus' }]],
    ['an unknown fieldsType', [{ ...entry, fieldsType: 'FieldsV2' }]],
    ['no fieldsType', [{ ...entry, fieldsType: '' }]],
    ['no apiVersion', [{ ...entry, apiVersion: '' }]],
    ['fields that cannot be read', [{ ...entry, fieldsV1: { bad: {} } }]],
    ['fields of text', [{ ...entry, fieldsV1: { 'f:a': 'x' } }]],
    ['keys that are no JSON', [{ ...entry, fieldsV1: { 'k:{"a"': {} } }]],
  ])('%s is ignored', async (_name, managedFields) => {
    const { entries } = story;
    await send(managedFields);
    expect(story.entries).toEqual(entries);
  });

  test('entries that can be read are stored as they are', async () => {
    const other = { ...entry, manager: 'other', fieldsV1: { 'f:data': { 'f:absent': {} } } };
    await send([entry, other]);
    expect(story.entries).toEqual([entry, other]);
  });

  test('a write through a subresource cannot change them', async () => {
    const { entries } = story;
    await story.replace(
      'poster',
      { data: { a: '1' }, metadata: { managedFields: [entry] } },
      { subresource: 'status' },
    );
    expect(story.entries).toEqual(entries);
  });

  test('thousands of them, as a client may send them, become few in no time', async () => {
    story = new Story();
    const managedFields = Array.from({ length: 6000 }, (_, index) => ({
      ...entry,
      manager: `m${index}`,
      fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
    }));
    const began = worked();
    await send(managedFields);
    expect(worked() - began).toBeLessThan(3000);
    const bucket = story.owners['ancient-changes Update'] as { readonly 'f:data': object };
    expect(Object.keys(story.owners)).toHaveLength(10);
    expect(Object.keys(bucket['f:data'])).toHaveLength(6000 - 8);
  });

  test('those of a create are the beginning, and its manager takes what it sets', async () => {
    story = new Story();
    await send([entry], { a: '1', b: '1' });
    expect(story.owners).toEqual({ 'poster Update': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } } });
  });
});

describe('many managers', () => {
  test('at most ten update entries stay; the oldest become one', async () => {
    await story.apply('applier', { data: { applied: '1' } });
    for (let index = 0; index < 14; index++) {
      await story.patch(`m${String(index).padStart(2, '0')}`, { data: { [`k${index}`]: '1' } });
    }
    const owners = story.owners;
    const updaters = Object.keys(owners).filter((owner) => owner.endsWith('Update'));
    expect(updaters).toHaveLength(10);
    expect(owners['ancient-changes Update']).toEqual({
      'f:data': { 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {}, 'f:k4': {} },
    });
    expect(updaters).toContain('m05 Update');
    expect(owners['applier Apply']).toEqual({ 'f:data': { 'f:applied': {} } });
  });

  test('Apply comes before Update, then the older, then by name', async () => {
    await story.replace('z', { data: { u: '1' } });
    for (const manager of ['c', 'b']) await story.apply(manager, { data: { [manager]: '1' } });
    await story.patch('a', { data: { v: '1' } });
    expect(Object.keys(story.owners)).toEqual(['c Apply', 'b Apply', 'z Update', 'a Update']);
    await story.apply('c', { data: { c: '2' } });
    expect(Object.keys(story.owners)).toEqual(['b Apply', 'c Apply', 'z Update', 'a Update']);
  });
});
