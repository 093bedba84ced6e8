import { describe } from 'vitest';
import { creations, updates } from '../write-tables.fixture.ts';
import { persistentVolume } from './persistent-volume.ts';

describe('PersistentVolume', () => {
  const volume = (fields: object = {}) => ({
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' }, ...fields },
  });
  creations(persistentVolume, [
    ['what it needs', volume(), []],
    ['no capacity', volume({ capacity: {} }), ['spec.capacity Required', 'spec.capacity NotSupported']],
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
  ]);
  updates(persistentVolume, [
    ['another policy', volume(), (next) => Object.assign(next.spec, { persistentVolumeReclaimPolicy: 'Delete' }), []],
    [
      'another source',
      volume(),
      (next) => Object.assign(next.spec, { hostPath: { path: '/other' } }),
      ['spec.persistentvolumesource Forbidden'],
    ],
    ['another form', volume(), (next) => Object.assign(next.spec, { volumeMode: 'Block' }), ['volumeMode Invalid']],
  ]);
});
