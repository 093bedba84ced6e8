import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  type StatefulSet,
  statefulSets,
} from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { ownersOf } from './claim-retention.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({}, { featureGates: ['StatefulSetAutoDeletePVC=true'] });
});
afterAll(() => cluster.stop());

const setWith = (whenDeleted: string, whenScaled: string) =>
  ({
    metadata: { namespace: 'ns', name: 'db', uid: 'set' },
    spec: { replicas: 1, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } },
  }) as unknown as StatefulSet;
const pod = (ordinal: number): Pod => ({ metadata: { namespace: 'ns', name: `db-${ordinal}`, uid: 'pod' } });
const claim = (...owners: string[]): PersistentVolumeClaim => ({
  metadata: { ownerReferences: owners.map((uid) => ({ apiVersion: 'v1', kind: 'Any', name: uid, uid })) },
});

test.each<[string, StatefulSet, number, string[], string[] | undefined]>([
  ['that is to stay has no owner', setWith('Retain', 'Retain'), 0, ['set', 'pod'], []],
  ['that is to stay stays as it is', setWith('Retain', 'Retain'), 1, [], undefined],
  ['goes with the set', setWith('Delete', 'Retain'), 0, [], ['set']],
  ['goes with the set, of a pod too many as well', setWith('Delete', 'Retain'), 1, [], ['set']],
  ['goes with its pod once that is one too many', setWith('Retain', 'Delete'), 1, [], ['pod']],
  ['does not go with a pod that is wanted', setWith('Retain', 'Delete'), 0, [], undefined],
  ['goes with the pod in place of the set', setWith('Delete', 'Delete'), 1, ['set'], ['pod']],
  ['goes with the set again once its pod is wanted again', setWith('Delete', 'Delete'), 0, ['pod'], ['set']],
  ['keeps its other owners', setWith('Delete', 'Delete'), 1, ['other', 'set'], ['other', 'pod']],
])('a claim %s', (_, set, ordinal, before, expected) => {
  expect(ownersOf(set, pod(ordinal), claim(...before))?.map(({ uid }) => uid)).toEqual(expected);
});

test('an owner that a claim goes with does not manage it', () => {
  expect(ownersOf(setWith('Delete', 'Delete'), pod(0), claim())).toEqual([
    { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'set' },
  ]);
});

test('claims go with pods that are too many, and the rest with their set', async () => {
  const { client, gone } = cluster;
  const labels = { app: 'db' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const spec = {
    ...{ serviceName: 'db', replicas: 2, selector: { matchLabels: labels }, template },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec }],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
  };
  await client.create(statefulSets, { metadata: { name: 'db' }, spec }, { namespace });
  const owned = async () => {
    const { items } = await client.list(persistentVolumeClaims, { namespace });
    return items.filter(({ metadata }) => metadata?.ownerReferences?.[0]?.kind === 'StatefulSet').length;
  };
  await eventually(async () => (await owned()) === 2 || undefined);
  await client.patch(statefulSets, { namespace, name: 'db' }, { spec: { replicas: 1 } });
  await gone(persistentVolumeClaims, 'data-db-1');
  expect(await owned()).toBe(1);
  await client.delete(statefulSets, { namespace, name: 'db' });
  await gone(persistentVolumeClaims, 'data-db-0');
});
