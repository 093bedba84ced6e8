import { describe, expect, test } from 'vitest';
import { FieldPath } from '../../../base/field-path.ts';
import { persistentVolumeSources, podVolumeSources, validateSource } from './sources.ts';

const causes = (holder: object, known = podVolumeSources) =>
  validateSource(holder as Record<string, unknown>, known, FieldPath.of('v')).map(
    ({ field, reason }) => `${field} ${reason.slice('FieldValue'.length)}`,
  );

const item = { key: 'k', path: 'p' };

describe('a volume of a pod', () => {
  test.each<[string, object, readonly string[]]>([
    ['no source', {}, ['v Required']],
    ['an unknown field is none', { name: 'x', constructor: {} }, ['v Required']],
    ['an empty directory', { emptyDir: {} }, []],
    ['a directory of the host', { hostPath: { path: '/x', type: 'Drawer' } }, ['v.hostPath.type NotSupported']],
    ['a repository that climbs', { gitRepo: { repository: 'r', directory: '../x' } }, ['v.gitRepo.directory Invalid']],
    [
      'a disk of too many parts',
      { gcePersistentDisk: { pdName: 'd', partition: 256 } },
      ['v.persistentDisk.partition Invalid'],
    ],
    ['a relative share', { nfs: { server: 's', path: 'p' } }, ['v.nfs.path Invalid']],
    [
      'a target of another form',
      { iscsi: { targetPortal: 'p', iqn: 'x', lun: 256 } },
      ['v.iscsi.iqn Invalid', 'v.iscsi.lun Invalid'],
    ],
    [
      'a target with a secret that is not there',
      { iscsi: { targetPortal: 'p', iqn: 'iqn.2020-01.com.example:a', chapAuthSession: true } },
      ['v.iscsi.secretRef Required'],
    ],
    [
      'a tenant of no registry, and a long one',
      { quobyte: { tenant: 'x'.repeat(65) } },
      ['v.quobyte.registry Required', 'v.quobyte.volume Required'],
    ],
    ['a size below nothing', { emptyDir: { sizeLimit: '-1' } }, ['v.emptyDir.sizeLimit Forbidden']],
    ['a type without a path', { hostPath: { type: 'Drawer' } }, ['v.hostPath.path Required']],
    [
      'a file that is kept for the volume',
      { secret: { secretName: 's', items: [{ key: 'k', path: '..d' }] } },
      ['v.secret.items[0].path Invalid'],
    ],
    [
      'an option of ours',
      { flexVolume: { driver: 'd', options: { 'kubernetes.io/x': 'y' } } },
      ['v.flexVolume.options[kubernetes.io/x] Invalid'],
    ],
    [
      'options of ours without a slash and in capitals, and what only looks like one',
      { flexVolume: { driver: 'd', options: { 'k8s.io': '', 'a.K8S.io/y': '', 'notk8s.io/y': '', 'a/k8s.io': '' } } },
      ['v.flexVolume.options[k8s.io] Invalid', 'v.flexVolume.options[a.K8S.io/y] Invalid'],
    ],
    ['a registry without port', { quobyte: { registry: 'a', volume: 'v' } }, ['v.quobyte.registry Invalid']],
    ['a second source', { emptyDir: {}, downwardAPI: {} }, ['v.downwarAPI Forbidden']],
    [
      'a secret of another form',
      { csi: { driver: 'd.e', nodePublishSecretRef: { name: 'A' } } },
      ['v.csi.name Invalid'],
    ],
    [
      'a claim that says too much',
      {
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { name: 'n', ownerReferences: [] },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
          },
        },
      },
      [
        'v.ephemeral.volumeClaimTemplate.metadata.name Forbidden',
        'v.ephemeral.volumeClaimTemplate.metadata.ownerReferences Forbidden',
      ],
    ],
    ['neither name', { flocker: {} }, ['v.flocker Required']],
    ['a claim without name', { persistentVolumeClaim: {} }, ['v.persistentVolumeClaim.claimName Required']],
    ['no monitors', { rbd: { image: 'i' } }, ['v.rbd.monitors Required']],
    ['fibre without target', { fc: {} }, ['v.fc.targetWWNs Required']],
    ['fibre without number', { fc: { targetWWNs: ['w'] } }, ['v.fc.lun Required']],
    ['fibre both ways', { fc: { targetWWNs: ['w'], wwids: ['w'] } }, ['v.fc.targetWWNs Invalid', 'v.fc.lun Required']],
    [
      'a managed disk elsewhere',
      { azureDisk: { diskName: 'd', diskURI: 'https://x', kind: 'Managed' } },
      ['v.azureDisk.diskURI NotSupported'],
    ],
    [
      'a driver and a secret without names',
      { csi: { nodePublishSecretRef: {} } },
      ['v.csi.driver Required', 'v.csi.driver Invalid', 'v.csi.nodePublishSecretRef.name Required'],
    ],
    ['a driver in capitals', { csi: { driver: 'CSI.example.com' } }, []],
    [
      'a claim of its own, without size',
      { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } },
      ['v.ephemeral.volumeClaimTemplate.spec.resources[storage] Required'],
    ],
    ['a mode that is none', { secret: { secretName: 's', defaultMode: 512 } }, ['v.secret.defaultMode Invalid']],
    [
      'a file outside',
      {
        configMap: {
          name: 'm',
          items: [
            { key: 'k', path: '/etc' },
            { key: 'a b', path: 'x' },
          ],
        },
      },
      ['v.configMap.items[0].path Invalid'],
    ],
    [
      'fields of the pod',
      {
        downwardAPI: {
          items: [
            { path: 'a', fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } },
            { path: 'b' },
            { path: 'c', resourceFieldRef: { resource: 'limits.cpu', divisor: '3' } },
          ],
        },
      },
      [
        'v.downwardAPI.fieldRef.fieldPath NotSupported',
        'v.downwardAPI Required',
        'v.downwardAPI.resourceFieldRef.containerName Required',
        'v.downwardAPI.resourceFieldRef.divisor Invalid',
      ],
    ],
    [
      'several at one place',
      {
        projected: {
          sources: [
            { secret: { name: 's', items: [{ key: 'k', path: 'p' }] } },
            { serviceAccountToken: { path: 'p', expirationSeconds: 5 } },
            {},
          ],
        },
      },
      ['v.projected.sources[1].serviceAccountToken.expirationSeconds Invalid'],
    ],
    [
      'one file of two projections',
      { projected: { sources: ['secret', 'configMap'].map((kind) => ({ [kind]: { name: 's', items: [item] } })) } },
      ['v.projected Invalid'],
    ],
    [
      'two projections in one, each with its faults',
      { projected: { sources: [{ secret: {}, configMap: { name: 'm', items: [{ path: 'a' }] } }] } },
      [
        'v.projected.sources[0].secret.name Required',
        'v.projected.sources[0].configMap.items[0].key Required',
        'v.projected.sources[0] Forbidden',
      ],
    ],
    ['a token anywhere', { projected: { sources: [{ serviceAccountToken: { path: '/x/../y' } }] } }, []],
    ['a token nowhere', { projected: { sources: [{ serviceAccountToken: {} }] } }, ['v.projected.path Required']],
    [
      'a target of a form that only begins as it should',
      { iscsi: { targetPortal: 'p', iqn: 'eui-0123456789abcdef' } },
      [],
    ],
  ])('%s', (_title, holder, expected) => {
    expect(causes(holder)).toEqual(expected);
  });
});

describe('a persistent volume', () => {
  test.each<[string, object, readonly string[]]>([
    [
      'a secret without namespace',
      { cinder: { volumeID: 'v', secretRef: { name: 's' } } },
      ['v.cinder.secretRef.namespace Required'],
    ],
    [
      'a namespace that is none',
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '*' } },
      ['v.glusterfs.endpointsNamespace Invalid'],
    ],
    [
      'a secret with another name',
      { csi: { driver: 'd.e', volumeHandle: 'h', nodePublishSecretRef: { name: 'a.b', namespace: 'n' } } },
      ['v.csi.nodePublishSecretRef.name Invalid'],
    ],
    ['a long name of a driver', { csi: { driver: 'a'.repeat(64), volumeHandle: 'h' } }, ['v.csi.driver TooLong']],
  ])('%s', (_title, holder, expected) => {
    expect(causes(holder, persistentVolumeSources)).toEqual(expected);
  });
});

test('a persistent volume of a driver needs a handle', () => {
  expect(causes({ csi: { driver: 'csi.example.com' } }, persistentVolumeSources)).toEqual([
    'v.csi.volumeHandle Required',
  ]);
});
