import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { configMaps, customResourceDefinitions, events } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { define, make } from './custom-kinds.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

describe('garbage collection', () => {
  const create = async (name: string, owners: readonly KubeObject[] = [], where = namespace) => {
    const ownerReferences = owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata?.name ?? '',
      uid: metadata?.uid ?? '',
      blockOwnerDeletion: true,
    }));
    return cluster.client.create(configMaps, { metadata: { name, ownerReferences } }, { namespace: where });
  };

  const createOwned = (name: string, kind: string, owner: string, uid: string | undefined) => {
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind, name: owner, uid }];
    return cluster.client.create(configMaps, { metadata: { name, ownerReferences } }, { namespace });
  };

  test.each(['Background', 'Foreground'] as const)(
    '%s: dependents of dependents go as well',
    async (propagationPolicy) => {
      const suffix = propagationPolicy.toLowerCase();
      const grandparent = await create(`grandparent-${suffix}`);
      const parent = await create(`parent-${suffix}`, [grandparent]);
      await create(`child-${suffix}`, [parent]);
      await cluster.client.delete(configMaps, { namespace, name: `grandparent-${suffix}` }, { propagationPolicy });
      await cluster.gone(configMaps, `child-${suffix}`);
      await cluster.gone(configMaps, `grandparent-${suffix}`);
    },
  );

  test('Orphan: dependents stay and lose the reference', async () => {
    const parent = await create('leaver');
    await create('orphan', [parent]);
    await cluster.client.delete(configMaps, { namespace, name: 'leaver' }, { propagationPolicy: 'Orphan' });
    await cluster.gone(configMaps, 'leaver');
    expect(
      (await cluster.client.get(configMaps, { namespace, name: 'orphan' })).metadata?.ownerReferences,
    ).toBeUndefined();
  });

  test('who has another owner left stays', async () => {
    const [one, two] = [await create('one'), await create('two')];
    await create('shared', [one, two]);
    await cluster.client.delete(configMaps, { namespace, name: 'one' });
    const shared = await eventually(async () => {
      const object = await cluster.client.get(configMaps, { namespace, name: 'shared' });
      return object.metadata?.ownerReferences?.length === 1 ? object : undefined;
    });
    expect(shared.metadata?.ownerReferences?.[0]?.name).toBe('two');
  });

  test('a circle of owners is deleted in the foreground', async () => {
    const first = await create('circle-1');
    const second = await create('circle-2', [first]);
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'circle-2',
      uid: second.metadata?.uid,
      blockOwnerDeletion: true,
    };
    await cluster.client.patch(
      configMaps,
      { namespace, name: 'circle-1' },
      { metadata: { ownerReferences: [reference] } },
    );
    await cluster.client.delete(configMaps, { namespace, name: 'circle-1' }, { propagationPolicy: 'Foreground' });
    await cluster.gone(configMaps, 'circle-2');
    await cluster.gone(configMaps, 'circle-1');
  });

  test('an owner in another namespace is no owner', async () => {
    const foreign = await create('foreign', [], 'kube-public');
    await create('claimant', [foreign]);
    await cluster.gone(configMaps, 'claimant');
    await eventually(async () => {
      const { items } = await cluster.client.list(events, { namespace });
      const told = items.filter(({ reason }) => reason === 'OwnerRefInvalidNamespace');
      return told.some(({ metadata }) => metadata?.name?.startsWith('claimant.')) ? true : undefined;
    });
    expect((await cluster.client.get(configMaps, { namespace: 'kube-public', name: 'foreign' })).metadata?.name).toBe(
      'foreign',
    );
  });

  test('custom resources are collected like others', async () => {
    const kites = await define(cluster.client, 'kites', 'Kite');
    const parent = await create('kite-flyer');
    const { uid = '' } = parent.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'kite-flyer', uid }];
    await make(cluster.client, kites, { name: 'red', ownerReferences });
    await cluster.client.delete(configMaps, { namespace, name: 'kite-flyer' });
    await cluster.gone(kites, 'red');
  });

  test('what a custom resource owned goes when its kind goes, however much it is', async () => {
    const balloons = await define(cluster.client, 'balloons', 'Balloon');
    const { metadata } = await make(cluster.client, balloons, { name: 'big' });
    const names = Array.from({ length: 200 }, (_, index) => `passenger-${index}`);
    await forEach(names, (name) => createOwned(name, 'Balloon', 'big', metadata?.uid));
    await cluster.client.delete(customResourceDefinitions, { name: 'balloons.example.com' });
    for (const name of names) await cluster.gone(configMaps, name);
  });

  test('an owner of a kind that nobody serves is asked for when somebody does', async () => {
    await createOwned('tail', 'Comet', 'gone', '00000000-0000-4000-8000-000000000000');
    // Whatever is created later is judged later.
    const parent = await create('later');
    await create('later-child', [parent]);
    await cluster.client.delete(configMaps, { namespace, name: 'later' });
    await cluster.gone(configMaps, 'later-child');
    expect((await cluster.client.get(configMaps, { namespace, name: 'tail' })).metadata?.name).toBe('tail');
    await define(cluster.client, 'comets', 'Comet');
    await cluster.gone(configMaps, 'tail');
  });
});
