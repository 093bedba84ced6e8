import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEach } from '../runtime/many.ts';
import { customResourceDefinitions, pods, resourceQuotas } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['resourcequota', 'serviceaccount'] });
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
