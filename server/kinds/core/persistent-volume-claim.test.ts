import { describe } from 'vitest';
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
    ['more, once bound', { ...claim(), status: { phase: 'Bound' } }, resize('2Gi'), []],
    [
      'less, once bound',
      { ...claim(), status: { phase: 'Bound' } },
      resize('1Mi'),
      ['spec.resources.requests.storage Forbidden'],
    ],
  ]);
});
