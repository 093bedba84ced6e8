import { describe, expect, test } from 'vitest';
import { sample, tryCreate, tryUpdate } from '../kind-write.fixture.ts';
import { creations, type Reached, updates } from '../write-tables.fixture.ts';
import { csiDriver } from './csi-driver.ts';
import { csiNode } from './csi-node.ts';
import { csiStorageCapacity } from './csi-storage-capacity.ts';
import { storageClass } from './storage-class.ts';
import { volumeAttachment } from './volume-attachment.ts';

describe('StorageClass', () => {
  const stored = { provisioner: 'example.com/disk', parameters: { a: 'b' } };
  creations(storageClass, [
    ['a provisioner', stored, []],
    ['none', {}, ['provisioner Required']],
    ['a provisioner that is no name', { provisioner: 'a/b/c' }, ['provisioner Invalid']],
    [
      'unknown words',
      { ...stored, reclaimPolicy: 'Recycle', volumeBindingMode: 'Later' },
      ['reclaimPolicy NotSupported', 'volumeBindingMode NotSupported'],
    ],
    ['a parameter without name', { ...stored, parameters: { '': 'x' } }, ['parameters Invalid']],
    ['too many words', { ...stored, parameters: { a: 'x'.repeat(262_144) } }, ['parameters TooLong']],
    [
      'a place of no value',
      { ...stored, allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone' }] }] },
      ['allowedTopologies[0].matchLabelExpressions[0].values Required'],
    ],
  ]);
  updates(storageClass, [
    ['whether volumes may grow', stored, (next) => Object.assign(next, { allowVolumeExpansion: true }), []],
    ['parameters', stored, (next) => Object.assign(next, { parameters: {} }), ['parameters Forbidden']],
    [
      'provisioner, policy and mode',
      stored,
      (next) =>
        Object.assign(next, { provisioner: 'p', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' }),
      ['provisioner Forbidden', 'reclaimPolicy Forbidden', 'volumeBindingMode Invalid'],
    ],
  ]);

  test('the table marks the default', () => {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    expect(storageClass.table?.cells(sample(storageClass, stored, { annotations }), 0)[0]).toBe('x (default)');
  });
});

describe('VolumeAttachment', () => {
  const spec = (fields: object = {}) => ({
    spec: { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' }, ...fields },
  });
  creations(volumeAttachment, [
    ['what it needs', spec(), []],
    [
      'nothing',
      {},
      [
        'spec.attacher Required',
        'spec.source Required',
        'spec.nodeName Invalid',
        'spec.attacher Required',
        'spec.attacher Invalid',
      ],
    ],
    [
      'a volume of its own that is none of a driver',
      spec({ source: { inlineVolumeSpec: { capacity: { storage: '1Gi' }, hostPath: { path: '/p' } } } }),
      [
        'spec.source.inlineVolumeSpec.capacity Forbidden',
        'spec.source.inlineVolumeSpec.csi Required',
        'spec.source.inlineVolumeSpec.accessModes Required',
      ],
    ],
    [
      'a volume of its own with what changes nothing',
      spec({
        source: {
          inlineVolumeSpec: {
            accessModes: ['ReadWriteOnce'],
            csi: { driver: 'd', volumeHandle: 'h' },
            persistentVolumeReclaimPolicy: 'Retain',
            volumeMode: 'Filesystem',
          },
        },
      }),
      [],
    ],
    [
      'a volume of its own with what would',
      spec({
        source: {
          inlineVolumeSpec: {
            accessModes: ['ReadWriteOnce'],
            csi: { driver: 'd', volumeHandle: 'h' },
            persistentVolumeReclaimPolicy: 'Delete',
            volumeMode: 'Block',
          },
        },
      }),
      [
        'spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy Forbidden',
        'spec.source.inlineVolumeSpec.volumeMode Forbidden',
      ],
    ],
    ['two sources', spec({ source: { persistentVolumeName: 'v', inlineVolumeSpec: {} } }), ['spec.source Forbidden']],
    [
      'a name that is empty beside a volume of its own',
      spec({ source: { persistentVolumeName: '', inlineVolumeSpec: {} } }),
      ['spec.source Forbidden', 'spec.source.persistentVolumeName Invalid'],
    ],
  ]);
  updates(volumeAttachment, [
    ['its node', spec(), (next) => Object.assign(next.spec, { nodeName: 'm' }), ['spec Invalid']],
    [
      'a very long error',
      spec(),
      (next) => Object.assign(next.status, { attachError: { message: 'x'.repeat(1025) } }),
      ['status.attachError.message TooLong'],
      'status',
    ],
  ]);

  test('keeps its metadata when its status is written', async () => {
    const { object: stored } = await tryCreate(volumeAttachment, sample(volumeAttachment, spec()));
    const change = (next: Reached) => {
      next.metadata.labels = { a: 'b' };
      next.status.attached = true;
    };
    const { object } = await tryUpdate(volumeAttachment, stored, change, { subresource: 'status' });
    expect(object).toMatchObject({ status: { attached: true } });
    expect(object.metadata.labels).toBeUndefined();
  });
});

describe('CSIDriver', () => {
  creations(csiDriver, [
    ['nothing', {}, []],
    [
      'unknown words',
      { spec: { fsGroupPolicy: 'x', volumeLifecycleModes: ['y'] } },
      ['spec.fsGroupPolicy NotSupported', 'spec.volumeLifecycleModes NotSupported'],
    ],
    [
      'tokens twice, of which no more is told, and short ones',
      {
        spec: {
          tokenRequests: [{ audience: 'a' }, { audience: 'a', expirationSeconds: 5 }, { expirationSeconds: 5 }],
        },
      },
      ['spec.tokenRequests[1].audience Duplicate', 'spec.tokenRequests[2].expirationSeconds Invalid'],
    ],
  ]);
  updates(csiDriver, [
    ['capacity', {}, (next) => Object.assign(next.spec, { storageCapacity: true }), []],
    [
      'attachment',
      {},
      (next) => Object.assign(next.spec, { attachRequired: false }),
      ['spec.attachedRequired Invalid'],
    ],
  ]);

  test('gets its defaults', async () => {
    const { object } = await tryCreate(csiDriver, sample(csiDriver));
    expect(object.spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      requiresRepublish: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
    });
  });
});

describe('CSINode', () => {
  const drivers = (...list: object[]) => ({ spec: { drivers: list } });
  const driver = { name: 'csi.example.com', nodeID: 'n' };
  creations(csiNode, [
    ['a driver', drivers(driver), []],
    ['a driver twice', drivers(driver, driver), ['spec.drivers[1].name Duplicate']],
    [
      'a driver without names',
      drivers({}),
      ['spec.drivers[0].name Required', 'spec.drivers[0].name Invalid', 'spec.drivers[0].nodeID Required'],
    ],
    [
      'two drivers without names, which are one name',
      drivers({ nodeID: 'n' }, { nodeID: 'm' }),
      [
        'spec.drivers[0].name Required',
        'spec.drivers[0].name Invalid',
        'spec.drivers[1].name Required',
        'spec.drivers[1].name Invalid',
        'spec.drivers[1].name Duplicate',
      ],
    ],
    [
      'room for less than nothing',
      drivers({ ...driver, allocatable: { count: -1 } }),
      ['spec.drivers[0].allocatable.count Invalid'],
    ],
  ]);
  updates(csiNode, [
    ['a driver goes', drivers(driver), (next) => Object.assign(next.spec, { drivers: [] }), []],
    [
      'a driver has another name for the node',
      drivers(driver),
      (next) => Object.assign(next.spec.drivers[0], { nodeID: 'm' }),
      ['CSINodeDriver Invalid'],
    ],
  ]);
});

describe('CSIStorageCapacity', () => {
  creations(csiStorageCapacity, [
    ['what it needs', { storageClassName: 'fast', capacity: '1Gi' }, []],
    ['nothing', {}, ['storageClassName Invalid']],
    ['less than nothing', { storageClassName: 'fast', capacity: '-1' }, ['capacity Invalid']],
  ]);
  updates(csiStorageCapacity, [
    ['capacity', { storageClassName: 'a' }, (next) => Object.assign(next, { capacity: '2Gi' }), []],
    [
      'class',
      { storageClassName: 'a' },
      (next) => Object.assign(next, { storageClassName: 'b' }),
      ['storageClassName Invalid'],
    ],
  ]);
});
