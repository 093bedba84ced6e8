import { describe, expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { creations, type Reached, updates } from '../write-tables.fixture.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';

describe('PersistentVolumeClaim', () => {
  const claim = (fields: object = {}) => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
  });
  creations(persistentVolumeClaim, [
    ['what it needs', claim(), []],
    ['no modes', claim({ accessModes: [] }), ['spec.accessModes Required']],
    ['an unknown mode', claim({ accessModes: ['ReadSometimes'] }), ['spec.accessModes NotSupported']],
    [
      'a mode of a feature that is off',
      claim({ accessModes: ['ReadWriteOncePod'] }),
      ['spec.accessModes NotSupported'],
    ],
    ['no size', claim({ resources: {} }), ['spec.resources[storage] Required']],
    ['no size to speak of', claim({ resources: { requests: { storage: '0' } } }), ['spec.resources[storage] Invalid']],
    ['an unknown form', claim({ volumeMode: 'Tape' }), ['spec.volumeMode NotSupported']],
    ['a source of another sort', claim({ dataSource: { apiGroup: 'example.com', kind: 'K' } }), []],
    [
      'a source of another sort beside one that differs',
      claim({
        dataSource: { apiGroup: 'example.com', kind: 'K', name: 'k' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'c' },
      }),
      ['spec Invalid'],
    ],
    [
      'a reference without a name',
      claim({ dataSourceRef: { apiGroup: 'example.com', kind: 'K' } }),
      ['spec.dataSource.name Required', 'spec.dataSourceRef.name Required'],
    ],
    ['a bad class', claim({ storageClassName: 'A b' }), ['spec.storageClassName Invalid']],
  ]);
  test('for a single pod, while the feature for that is on', async () => {
    const gates = ['ReadWriteOncePod'];
    const tried = (...accessModes: string[]) =>
      tryCreate(persistentVolumeClaim, sample(persistentVolumeClaim, claim({ accessModes })), { gates });
    expect((await tried('ReadWriteOncePod')).causes).toEqual([]);
    expect((await tried('ReadWriteOncePod', 'ReadWriteOnce')).causes).toEqual(['spec.accessModes Forbidden']);
  });
  const resize = (storage: string) => (next: Reached) => Object.assign(next.spec.resources.requests, { storage });
  updates(persistentVolumeClaim, [
    ['bound to its volume', claim(), (next) => Object.assign(next.spec, { volumeName: 'v' }), []],
    ['other modes', claim(), (next) => Object.assign(next.spec, { accessModes: ['ReadOnlyMany'] }), ['spec Forbidden']],
    [
      'less, before it is bound',
      claim(),
      resize('1Mi'),
      ['spec Forbidden', 'spec.resources.requests.storage Forbidden'],
    ],
    [
      'another form',
      claim(),
      (next) => Object.assign(next.spec, { volumeMode: 'Block' }),
      ['spec Forbidden', 'volumeMode Invalid'],
    ],
    ['more, before it is bound', claim(), resize('2Gi'), ['spec Forbidden']],
    ['as much, written otherwise', claim(), resize('1073741824'), []],
    ['more, once bound', { ...claim(), status: { phase: 'Bound' } }, resize('2Gi'), []],
    [
      'nothing that is no more, once bound',
      { ...claim(), status: { phase: 'Bound' } },
      (next) => Object.assign(next.spec.resources, { requests: {} }),
      ['spec.resources[storage] Required', 'spec.resources.requests.storage Forbidden'],
    ],
    [
      'sizes that it has: any but those below nothing',
      claim(),
      (next) =>
        Object.assign(next.status, { capacity: { storage: '-1', pods: '1500m', 'example.com/disks': '1500m' } }),
      ['status.capacity[storage] Invalid'],
      'status',
    ],
    [
      'less, once bound',
      { ...claim(), status: { phase: 'Bound' } },
      resize('1Mi'),
      ['spec.resources.requests.storage Forbidden'],
    ],
  ]);

  test.each([
    ['bound to nothing', {}, {}, ['', '', '']],
    ['bound, of no known size', { volumeName: 'v' }, {}, ['v', '0', '']],
    [
      'bound',
      { volumeName: 'v' },
      { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      ['v', '1Gi', 'RWO'],
    ],
  ])('the table: %s', (_title, spec, status, cells) => {
    const bound = { ...sample(persistentVolumeClaim, claim(spec)), status };
    expect(persistentVolumeClaim.table?.cells(bound, 0).slice(2, 5)).toEqual(cells);
  });
});

describe('the class that an annotation names', () => {
  const name = 'volume.beta.kubernetes.io/storage-class';
  const make = (annotated: string | undefined, storageClassName?: string) =>
    sample(
      persistentVolumeClaim,
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          ...(storageClassName !== undefined && { storageClassName }),
        },
      },
      annotated === undefined ? {} : { annotations: { [name]: annotated } },
    );
  const other = [`metadata.annotations.${name} Invalid`];

  test.each([
    ['stays', make('fast'), make('fast'), []],
    ['does not change', make('fast'), make('slow'), other],
    ['does not go', make('fast'), make(undefined), other],
    ['does not come', make(undefined, 'fast'), make('fast', 'fast'), other],
    ['may be said by the field too', make('fast'), make('fast', 'fast'), []],
    ['may move to the field', make('fast'), make(undefined, 'fast'), []],
    ['is no other in the field', make('fast'), make('fast', 'slow'), ['spec Forbidden']],
    ['moves only once', make('fast', 'slow'), make(undefined, 'fast'), [...other, 'spec Forbidden']],
  ])('%s', async (_, stored, next, causes) => {
    persistentVolumeClaim.default?.(stored);
    const become = (object: Reached) => Object.assign(object, structuredClone(next));
    expect((await tryUpdate(persistentVolumeClaim, stored, become)).causes).toEqual(causes);
  });
});
