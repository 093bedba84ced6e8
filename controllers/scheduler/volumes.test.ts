import { expect, test } from 'vitest';
import { selectedNodeAnnotation } from '../persistent-volume-binder/plan.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../runtime/resources.ts';
import { type Claim, provisionsOn, volumeObjection } from './volumes.ts';

const near: Node = { metadata: { name: 'near', labels: { zone: 'a' } } };
const late = (provisioner: string, more: object = {}): StorageClass => ({
  ...{ metadata: { name: 'late' }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' },
  ...more,
});
const byHand = late('kubernetes.io/no-provisioner');
const made = late('p');
const inZone = (zone: string) => ({ matchLabelExpressions: [{ key: 'zone', values: [zone] }] });

const volume = (name: string, zone: string, spec: object = {}): PersistentVolume => ({
  metadata: { name },
  spec: {
    ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'late', ...spec },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
    },
  },
});

const keptFor = (name: string, zone: string) =>
  volume('kept', zone, { claimRef: { namespace: 'ns', name, uid: name } });

const claim = (name: string, storageClass: StorageClass, annotations: Record<string, string> = {}): Claim => {
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'late' };
  const found: PersistentVolumeClaim = { metadata: { namespace: 'ns', name, uid: name, annotations }, spec };
  return { name, storageClass, claim: found };
};
const bound = (to: string): Claim => ({ name: 'c', storageClass: made, claim: { spec: { volumeName: to } } });
const selected = (node: string) => claim('c', made, { [selectedNodeAnnotation]: node });

const conflict = 'node(s) had volume node affinity conflict';
const nothing = "node(s) didn't find available persistent volumes to bind";

test.each<[string, readonly Claim[], readonly PersistentVolume[], string | undefined]>([
  ['that has no claims', [], [], undefined],
  ['whose volume is near it', [bound('v')], [volume('v', 'a')], undefined],
  ['whose volume is elsewhere', [bound('v')], [volume('v', 'b')], conflict],
  ['for which a volume is made', [claim('c', made)], [], undefined],
  [
    'for which a volume is made in its zone',
    [claim('c', late('p', { allowedTopologies: [inZone('a')] }))],
    [],
    undefined,
  ],
  ['for which one is made elsewhere', [claim('c', late('p', { allowedTopologies: [inZone('b')] }))], [], nothing],
  ['for which one is free near it', [claim('c', byHand)], [volume('v', 'a')], undefined],
  ['for which one is free elsewhere', [claim('c', byHand)], [volume('v', 'b')], nothing],
  ['for whose claims there are too few', [claim('c', byHand), claim('d', byHand)], [volume('v', 'a')], nothing],
  ['for whose claim one is kept elsewhere', [claim('c', made)], [keptFor('c', 'b'), volume('v', 'a')], nothing],
  ['for whose claim it was selected', [selected('near')], [], undefined],
  ['for whose claim another was selected', [selected('far')], [], nothing],
])('a node is well for a pod %s, or is not', (_, claims, all, expected) => {
  expect(volumeObjection({ claims, all }, near)).toBe(expected);
});

test('each claim has a volume of its own that is near, one that was kept for it before, or is to have one made', () => {
  const claims = [claim('c', made), claim('k', made), claim('d', made), claim('e', made)];
  const all = [keptFor('k', 'a'), volume('far', 'b'), volume('v', 'a'), volume('w', 'a')];
  const provisions = provisionsOn(near, { claims, all }) ?? [];
  expect(provisions.map((each) => [each.claim.metadata?.name, each.volume?.metadata?.name])).toEqual([
    ['c', 'v'],
    ['d', 'w'],
    ['e', undefined],
  ]);
});
