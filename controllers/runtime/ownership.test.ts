import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { controllerOf, type KubeObject, nameOf, uidOf } from './kube-object.ts';
import { planOwnership } from './ownership.ts';
import { deployments, pods, replicaSets } from './resources.ts';

describe('the plan', () => {
  const child = (name: string, app: string, more: object = {}): KubeObject => ({
    metadata: { name, labels: { app }, ...more },
  });
  const selector = { matchLabels: { app: 'a' } };
  const owner = { metadata: { name: 'o', uid: 'u' } };
  const plan = (by: KubeObject, owned: KubeObject[], orphans: KubeObject[]) => {
    const { keep, adopt, release } = planOwnership(by, selector, { owned, orphans });
    return [keep, adopt, release].map((each) => each.map(nameOf).join());
  };
  const leaving = { deletionTimestamp: 'now' };

  test.each([
    ['owned and fitting: kept', plan(owner, [child('x', 'a')], []), ['x', '', '']],
    ['owned and not fitting: released', plan(owner, [child('x', 'b')], []), ['', '', 'x']],
    ['an orphan that fits is adopted', plan(owner, [], [child('x', 'a')]), ['', 'x', '']],
    ['an orphan that does not is left', plan(owner, [], [child('x', 'b')]), ['', '', '']],
    ['an orphan that is going is left', plan(owner, [], [child('x', 'a', leaving)]), ['', '', '']],
    [
      'an owner that is going changes nothing',
      plan({ metadata: { ...owner.metadata, ...leaving } }, [child('x', 'b')], [child('y', 'a')]),
      ['', '', ''],
    ],
  ])('%s', (_, made, expected) => expect(made).toEqual(expected));
});

describe('beside a server', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const labels = { app: 'kept' };
  const selector = { matchLabels: labels };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };
  const running = async () => {
    const { items } = await cluster.client.list(pods, { namespace, labelSelector: 'app=kept' });
    return items.filter(({ metadata }) => !metadata?.deletionTimestamp);
  };
  const ownedBy = (uid: string, count: number) =>
    eventually(async () => {
      const found = await running();
      return found.length === count && found.every((pod) => controllerOf(pod)?.uid === uid) ? found : undefined;
    });

  test('a deployment that comes back takes over what the one before left behind', async () => {
    const deployment = { metadata: { name: 'kept' }, spec: { replicas: 3, selector, template } };
    const setOf = async (count: number) =>
      eventually(async () => {
        const { items } = await cluster.client.list(replicaSets, { namespace, labelSelector: 'app=kept' });
        return items.length === count ? items[0] : undefined;
      });
    await cluster.client.create(deployments, deployment, { namespace });
    const set = await setOf(1);
    const before = (await ownedBy(uidOf(set ?? {}), 3)).map(nameOf).sort();
    await cluster.client.delete(deployments, { namespace, name: 'kept' }, { propagationPolicy: 'Orphan' });
    await cluster.gone(deployments, 'kept');
    const made = await cluster.client.create(deployments, deployment, { namespace });
    await eventually(async () => (controllerOf((await setOf(1)) ?? {})?.uid === uidOf(made) ? true : undefined));
    expect((await running()).map(nameOf).sort()).toEqual(before);
    await cluster.client.delete(deployments, { namespace, name: 'kept' });
    await eventually(async () => ((await running()).length === 0 ? true : undefined));
  });

  test('a pod that gets other labels is released and replaced, and comes back with its labels', async () => {
    const set = { metadata: { name: 'kept' }, spec: { replicas: 2, selector, template } };
    const { metadata } = await cluster.client.create(replicaSets, set, { namespace });
    const [first] = await ownedBy(metadata?.uid ?? '', 2);
    const place = { namespace, name: nameOf(first ?? {}) };
    await cluster.client.patch(pods, place, { metadata: { labels: { app: 'other' } } });
    await eventually(async () => (controllerOf(await cluster.client.get(pods, place)) ? undefined : true));
    await ownedBy(metadata?.uid ?? '', 2);
    await cluster.client.patch(pods, place, { metadata: { labels: { app: 'kept' } } });
    await ownedBy(metadata?.uid ?? '', 2);
  });
});
