import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEach } from '../runtime/many.ts';
import { customResourceDefinitions, defineResource, pods, resourceQuotas } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['resourcequota', 'serviceaccount', 'garbagecollector'] });
});
afterAll(() => cluster.stop());

/** Waits until the quota says that so much is used. */
const used = (name: string, limit: string, amount: string) =>
  eventually(async () => {
    const { status } = await cluster.client.get(resourceQuotas, { namespace, name });
    return status?.used?.[limit] === amount || undefined;
  });

test('however many come at once, a quota lets in as many as it says', async () => {
  const { client } = cluster;
  await client.create(resourceQuotas, { metadata: { name: 'few' }, spec: { hard: { pods: '10' } } }, { namespace });
  await used('few', 'pods', '0');
  const numbers = [...Array(40).keys()];
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const outcomes: string[] = [];
  await forEach(numbers, async (number) => {
    const made = client.create(pods, { metadata: { name: `p${number}` }, spec }, { namespace });
    outcomes.push(await made.then(() => 'made').catch(({ code }) => String(code)));
  });
  expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(10);
  expect(new Set(outcomes)).toEqual(new Set(['made', '403']));
  const { items } = await client.list(pods, { namespace });
  await forEach(items, ({ metadata }) => client.delete(pods, { namespace, name: metadata?.name ?? '' }));
  await used('few', 'pods', '0');
});

test('a kind is counted soon after its definition', async () => {
  const { client } = cluster;
  const [group, plural] = ['counted.example.com', 'beans'];
  const key = `count/${plural}.${group}`;
  await client.create(resourceQuotas, { metadata: { name: 'beans' }, spec: { hard: { [key]: '1' } } }, { namespace });
  const names = { plural, kind: 'Bean' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const version = { name: 'v1', served: true, storage: true, schema };
  const spec = { group, names, scope: 'Namespaced', versions: [version] };
  const began = Date.now();
  await client.create(customResourceDefinitions, { metadata: { name: `${plural}.${group}` }, spec }, {});
  await used('beans', key, '0');
  expect(Date.now() - began).toBeLessThan(5_000);
});

describe('a custom kind is counted on', () => {
  const [group, plural] = ['changing.example.com', 'peas'];
  const name = `${plural}.${group}`;
  const key = `count/${name}`;
  const isServed = (version: string) => () =>
    cluster.client.read(`/apis/${group}/${version}/${plural}`).then(
      () => true as const,
      () => undefined,
    );
  const define = async (...versions: readonly string[]) => {
    const schema = { openAPIV3Schema: { type: 'object' } };
    const spec = {
      group,
      names: { plural, kind: 'Pea' },
      scope: 'Namespaced',
      versions: versions.map((each, index) => ({ name: each, served: index === 0, storage: index === 0, schema })),
    };
    await cluster.client.apply(
      customResourceDefinitions,
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec } as never,
      'test',
    );
    await eventually(isServed(versions[0] ?? ''));
  };
  /** Whether an object that comes and goes is seen to do both. */
  const comesAndGoes = async (version: string) => {
    await used('peas', key, '0');
    const peas = defineResource(group, version, plural, 'Pea');
    await cluster.client.create(
      peas,
      { apiVersion: `${group}/${version}`, kind: 'Pea', metadata: { name: 'one' } },
      { namespace },
    );
    await used('peas', key, '1');
    await cluster.client.delete(peas, { namespace, name: 'one' });
    await used('peas', key, '0');
  };

  test('when it is defined again, and when it is served in another version', async () => {
    await cluster.client.create(
      resourceQuotas,
      { metadata: { name: 'peas' }, spec: { hard: { [key]: '1' } } },
      { namespace },
    );
    await define('v1');
    await comesAndGoes('v1');
    await cluster.client.delete(customResourceDefinitions, { name });
    await eventually(async () => ((await isServed('v1')()) ? undefined : true));
    await define('v1');
    await comesAndGoes('v1');
    await define('v2', 'v1');
    await comesAndGoes('v2');
  });
});
