import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations, updates } from '../write-tables.fixture.ts';
import { persistentVolume } from './persistent-volume.ts';

describe('PersistentVolume', () => {
  const volume = (fields: object = {}) => ({
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' }, ...fields },
  });
  const target = { targetPortal: 'p'.repeat(63), iqn: 'iqn.2020-01.com.example:a' };
  creations(persistentVolume, [
    ['what it needs', volume(), []],
    ['no capacity', volume({ capacity: {} }), ['spec.capacity Required', 'spec.capacity NotSupported']],
    [
      'a mode of a feature that is off',
      volume({ accessModes: ['ReadWriteOncePod'] }),
      ['spec.accessModes NotSupported'],
    ],
    ['two sources', volume({ nfs: { server: 's', path: '/p' } }), ['spec.nfs Forbidden']],
    ['a local disk of no node', volume({ hostPath: undefined, local: { path: '/d' } }), ['spec.nodeAffinity Required']],
    [
      'an unknown policy',
      volume({ persistentVolumeReclaimPolicy: 'Burn' }),
      ['spec.persistentVolumeReclaimPolicy NotSupported'],
    ],
    [
      'the whole disk to be recycled',
      volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      ['spec.persistentVolumeReclaimPolicy Forbidden'],
    ],
    [
      'the whole disk by a longer way',
      volume({ hostPath: { path: '//./' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      ['spec.persistentVolumeReclaimPolicy Forbidden'],
    ],
    ['a folder of dots', volume({ hostPath: { path: '/...' }, persistentVolumeReclaimPolicy: 'Recycle' }), []],
    [
      'a capacity besides, which is not looked at further',
      volume({ capacity: { storage: '1Gi', 'example.com/disks': '1500m' } }),
      ['spec.capacity NotSupported'],
    ],
    [
      'a target that is too far away for an initiator of its own',
      volume({ hostPath: undefined, iscsi: { ...target, initiatorName: target.iqn } }),
      ['spec.iscsi.targetportal Invalid'],
    ],
    ['a target that is far away', volume({ hostPath: undefined, iscsi: target }), []],
  ]);
  updates(persistentVolume, [
    ['another policy', volume(), (next) => Object.assign(next.spec, { persistentVolumeReclaimPolicy: 'Delete' }), []],
    [
      'another source',
      volume(),
      (next) => Object.assign(next.spec, { hostPath: { path: '/other' } }),
      ['spec.persistentvolumesource Forbidden'],
    ],
    [
      'a secret to grow with, where there is none yet',
      volume({ hostPath: undefined, csi: { driver: 'd', volumeHandle: 'v' } }),
      (next) => Object.assign(next.spec.csi, { controllerExpandSecretRef: { name: 's', namespace: 'n' } }),
      [],
    ],
    [
      'another one',
      volume({
        hostPath: undefined,
        csi: { driver: 'd', volumeHandle: 'v', controllerExpandSecretRef: { name: 's', namespace: 'n' } },
      }),
      (next) => Object.assign(next.spec.csi.controllerExpandSecretRef, { name: 't' }),
      ['spec.persistentvolumesource Forbidden'],
    ],
    [
      'another handle beside one',
      volume({ hostPath: undefined, csi: { driver: 'd', volumeHandle: 'v' } }),
      (next) =>
        Object.assign(next.spec.csi, {
          volumeHandle: 'w',
          controllerExpandSecretRef: { name: 's', namespace: 'n' },
        }),
      ['spec.persistentvolumesource Forbidden'],
    ],
    ['another form', volume(), (next) => Object.assign(next.spec, { volumeMode: 'Block' }), ['volumeMode Invalid']],
  ]);

  test.each([
    [{ hostPath: { path: '/data' } }, ['metadata.annotations.volume.beta.kubernetes.io/mount-options Forbidden']],
    [{ nfs: { server: 's', path: '/p' } }, []],
  ])('mount options in an annotation beside %j', async (source, causes) => {
    const annotations = { 'volume.beta.kubernetes.io/mount-options': 'ro' };
    const given = sample(persistentVolume, volume({ hostPath: undefined, ...source }), { annotations });
    expect((await tryCreate(persistentVolume, given)).causes).toEqual(causes);
  });
});
