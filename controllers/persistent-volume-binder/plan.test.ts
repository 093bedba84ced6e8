import { describe, expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../runtime/resources.ts';
import { bindCompletedAnnotation, phaseOf, planClaim, selectedNodeAnnotation } from './plan.ts';

const volume = (name: string, storage: string, spec: object = {}, labels: object = {}): PersistentVolume =>
  ({
    metadata: { name, labels },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], storageClassName: 'slow', ...spec },
  }) as unknown as PersistentVolume;

const claim = (spec: object = {}, annotations: object = {}): PersistentVolumeClaim =>
  ({
    metadata: { namespace: 'ns', name: 'c', uid: 'u', annotations },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'slow',
      resources: { requests: { storage: '2Gi' } },
      ...spec,
    },
  }) as unknown as PersistentVolumeClaim;

const ours = { namespace: 'ns', name: 'c', uid: 'u' };
const selected = claim({}, { [selectedNodeAnnotation]: 'n' });
const late = { provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer' };
const chosen = (subject: PersistentVolumeClaim, volumes: readonly PersistentVolume[], storageClass?: StorageClass) => {
  const plan = planClaim(subject, volumes, { storageClass, unscheduled: [] });
  return plan.do === 'bind' ? plan.volume.metadata?.name : plan.do;
};

describe('a claim', () => {
  test.each<[string, PersistentVolumeClaim, readonly PersistentVolume[], string]>([
    [
      'takes the smallest that is large enough',
      claim(),
      [volume('l', '5Gi'), volume('m', '2048Mi'), volume('s', '1Gi')],
      'm',
    ],
    [
      'takes one that can be used in no more ways than it asks, before a smaller one',
      claim(),
      [volume('m', '2Gi'), volume('l', '5Gi', { accessModes: ['ReadWriteOnce'] })],
      'l',
    ],
    ['waits for a large enough one', claim(), [volume('s', '1Gi')], 'wait'],
    ['takes none of another class', claim(), [volume('v', '2Gi', { storageClassName: 'fast' })], 'wait'],
    ['takes none without its modes of access', claim({ accessModes: ['ReadWriteMany'] }), [volume('v', '2Gi')], 'wait'],
    ['takes no block device for files', claim(), [volume('v', '2Gi', { volumeMode: 'Block' })], 'wait'],
    [
      'takes what its selector fits',
      claim({ selector: { matchLabels: { a: 'b' } } }),
      [volume('v', '2Gi'), volume('w', '9Gi', {}, { a: 'b' })],
      'w',
    ],
    [
      'takes none that is another’s',
      claim(),
      [volume('v', '2Gi', { claimRef: { namespace: 'ns', name: 'other' } })],
      'wait',
    ],
    [
      'takes the one that is kept for it',
      claim(),
      [volume('v', '2Gi'), volume('w', '9Gi', { claimRef: { namespace: 'ns', name: 'c' } })],
      'w',
    ],
    ['takes the one that it names', claim({ volumeName: 'w' }), [volume('v', '2Gi'), volume('w', '9Gi')], 'w'],
    ['waits where the one that it names is too small', claim({ volumeName: 'w' }), [volume('w', '1Gi')], 'wait'],
    [
      'waits where the one that it names has not its modes of access',
      claim({ volumeName: 'w', accessModes: ['ReadWriteMany'] }),
      [volume('w', '9Gi')],
      'wait',
    ],
    [
      'that is bound gets back the volume that has forgotten it',
      claim({ volumeName: 'v' }, { [bindCompletedAnnotation]: 'yes' }),
      [volume('v', '1Gi')],
      'v',
    ],
    ['stays with the one that it has', claim({ volumeName: 'v' }), [volume('v', '2Gi', { claimRef: ours })], 'v'],
    ['waits for the one that it names', claim({ volumeName: 'w' }), [volume('v', '2Gi')], 'wait'],
    ['is lost with its volume', claim({ volumeName: 'v' }, { [bindCompletedAnnotation]: 'yes' }), [], 'lose'],
    [
      'is lost when its volume is another’s',
      claim({ volumeName: 'v' }, { [bindCompletedAnnotation]: 'yes' }),
      [volume('v', '2Gi', { claimRef: { ...ours, uid: 'x' } })],
      'lose',
    ],
  ])('%s', (_, subject, volumes, expected) => expect(chosen(subject, volumes)).toBe(expected));

  test('of a class that waits for a pod takes only what is kept for it', () => {
    expect(chosen(claim(), [volume('v', '2Gi')], late)).toBe('wait');
    expect(chosen(claim(), [volume('v', '2Gi', { claimRef: { namespace: 'ns', name: 'c' } })], late)).toBe('v');
  });

  test('of a class that waits for a pod takes nothing that is free: the scheduler knows what is near its node', () => {
    expect(chosen(selected, [volume('v', '2Gi')], late)).toBe('wait');
  });

  const waiting = { do: 'wait', provisioner: 'p', reason: 'ExternalProvisioning' };
  const noClass = claim({ storageClassName: '' });
  const byHand = { provisioner: 'kubernetes.io/no-provisioner' };
  test.each<[string, PersistentVolumeClaim, StorageClass | undefined, readonly string[], object]>([
    ['of a class', claim(), { provisioner: 'p' }, [], waiting],
    ['for which a node was selected', selected, late, ['p'], waiting],
    ['that no pod uses', claim(), late, [], { reason: 'WaitForFirstConsumer' }],
    ['whose pod has no node', claim(), late, ['a'], { note: 'waiting for pod a to be scheduled' }],
    ['whose pods have no node', claim(), late, ['a', 'b'], { note: 'waiting for pods a,b to be scheduled' }],
    ['of a class that is not there', claim(), undefined, [], { type: 'Warning', reason: 'ProvisioningFailed' }],
    ['of a class by hand', claim(), byHand, ['p'], { reason: 'FailedBinding' }],
    ['of no class', noClass, undefined, [], { reason: 'FailedBinding' }],
  ])(
    '%s without a volume waits for who may make one, or has to be there first',
    (_, subject, storageClass, ...rest) => {
      const [unscheduled, expected] = rest;
      const plan = planClaim(subject, [], { storageClass, unscheduled });
      expect(plan).toMatchObject(expected);
      expect('provisioner' in plan).toBe('provisioner' in expected);
    },
  );
});

test.each<[string, object, PersistentVolumeClaim | undefined]>([
  ['Available', {}, undefined],
  ['Available', { claimRef: { namespace: 'ns', name: 'c' } }, claim()],
  ['Bound', { claimRef: ours }, claim()],
  ['Released', { claimRef: ours }, undefined],
  ['Released', { claimRef: { ...ours, uid: 'x' } }, claim()],
  ['Failed', { claimRef: ours, persistentVolumeReclaimPolicy: 'Delete' }, undefined],
])('a volume is %s with %j', (phase, spec, found) =>
  expect(phaseOf(volume('v', '1Gi', spec), found).phase).toBe(phase),
);
