import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { provisionedByAnnotation, selectedNodeAnnotation } from '../persistent-volume-binder/plan.ts';
import { silentLog } from '../runtime/log.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { PersistentVolume, PersistentVolumeClaim, Resource, StorageClass } from '../runtime/resources.ts';
import { persistentVolumeClaims, persistentVolumes, storageClasses } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { directoryClass, folderToRemove, provisioner, volumeFor } from './plan.ts';
import { directoryProvisionerLoops } from './reconcile.ts';

const folder = temporaryFolder();
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['*', 'directory-provisioner'], volumesDir: folder });
});
afterAll(() => cluster.stop());

test('a claim of no class gets a folder, which goes with it', async () => {
  const { client } = cluster;
  await cluster.there(storageClasses, 'directory', '');
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await client.create(persistentVolumeClaims, { metadata: { name: 'c' }, spec }, { namespace });
  const claim = await eventually(async () => {
    const found = await client.get(persistentVolumeClaims, { namespace, name: 'c' });
    return found.status?.phase === 'Bound' ? found : undefined;
  });
  expect(claim.spec?.storageClassName).toBe('directory');
  expect(claim.metadata?.annotations).toMatchObject({ 'volume.kubernetes.io/storage-provisioner': provisioner });
  const name = claim.spec?.volumeName ?? '';
  const path = join(folder, name);
  expect(existsSync(path)).toBe(true);
  writeFileSync(join(path, 'file'), 'data');
  await client.delete(persistentVolumeClaims, { namespace, name: 'c' });
  await cluster.gone(persistentVolumes, name, '');
  expect(existsSync(path)).toBe(false);
});

const claim = (spec: object = {}): PersistentVolumeClaim =>
  ({ metadata: { name: 'c', namespace: 'n', uid: 'u' }, spec: { storageClassName: 'directory', ...spec } }) as never;
const ours: StorageClass = directoryClass([]);

test.each<[string, PersistentVolumeClaim, StorageClass | undefined, boolean]>([
  ['of the class', claim(), ours, true],
  ['of another provisioner', claim(), { ...ours, provisioner: 'other' }, false],
  ['of a class that is not there', claim(), undefined, false],
  ['that has a volume', claim({ volumeName: 'v' }), ours, false],
  ['that chooses among volumes', claim({ selector: {} }), ours, false],
  ['for a block device', claim({ volumeMode: 'Block' }), ours, false],
  ['that is bound', { ...claim(), status: { phase: 'Bound' } }, ours, false],
  ['that is going', { ...claim(), metadata: { deletionTimestamp: '2024-05-06T07:08:09Z' } }, ours, false],
  ['that waits for a pod', claim(), { ...ours, volumeBindingMode: 'WaitForFirstConsumer' }, false],
])('a claim %s', (_title, subject, storageClass, expected) => {
  expect(Boolean(volumeFor(subject, storageClass, '/f'))).toBe(expected);
});

test('a claim that waits for a pod has a volume once that one has a node, of the name and for the claim that it is made for', () => {
  const late = { ...ours, volumeBindingMode: 'WaitForFirstConsumer' };
  const annotations = { [selectedNodeAnnotation]: 'n' };
  const selected = { ...claim(), metadata: { ...claim().metadata, annotations } };
  expect(volumeFor(selected, late, '/f')).toMatchObject({
    metadata: { name: 'pvc-u', annotations: { [provisionedByAnnotation]: provisioner } },
    spec: { hostPath: { path: '/f/pvc-u' }, claimRef: { namespace: 'n', name: 'c', uid: 'u' } },
  });
});

test.each([
  ['has none yet gets one', undefined, ['pvc-u']],
  ['has one that is not bound yet gets no other', { metadata: { name: 'pvc-u' } }, []],
])('a claim that %s', async (_, found, made) => {
  const [, loop] = directoryProvisionerLoops({ volumesDir: folder, log: silentLog } as never);
  const told: string[] = [];
  const read = ({ kind }: Resource) => ({
    find: () => ({ StorageClass: ours, PersistentVolumeClaim: claim(), PersistentVolume: found })[kind],
    in: () => [],
  });
  const write = () => ({ create: async ({ metadata }: PersistentVolume) => told.push(metadata?.name ?? '') });
  await loop?.reconcile(requestOf({ key: 'n/c', read, write, events: { record: () => {} } }));
  expect(told).toEqual(made);
});

test('the class is the default one while there is no other', () => {
  const isDefault = (others: StorageClass[]) =>
    directoryClass(others).metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'];
  expect(isDefault([])).toBe('true');
  expect(isDefault([ours])).toBe('false');
});

const volume = (path: string, phase = 'Released', policy = 'Delete', by = provisioner): PersistentVolume => ({
  metadata: { name: 'v', annotations: { [provisionedByAnnotation]: by } },
  spec: { hostPath: { path }, persistentVolumeReclaimPolicy: policy },
  status: { phase },
});

test.each<[string, PersistentVolume, string | undefined]>([
  ['released', volume('/f/v'), '/f/v'],
  ['bound', volume('/f/v', 'Bound'), undefined],
  ['to be kept', volume('/f/v', 'Released', 'Retain'), undefined],
  ['made by others', volume('/f/v', 'Released', 'Delete', 'other'), undefined],
  ['that says it is elsewhere', volume('/etc'), undefined],
])('the folder of a volume %s', (_title, subject, expected) => {
  expect(folderToRemove(subject, '/f')).toBe(expected);
});
