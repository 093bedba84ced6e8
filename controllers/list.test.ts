import { afterAll, beforeAll, expect, test } from 'vitest';
import { events, pods } from './runtime/resources.ts';
import { type Cluster, namespace, startCluster } from './testing/cluster.fixture.ts';
import { eventually } from './testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

test('a pod is told of by those whom people know from other clusters, each in the form of its own', async () => {
  const { client } = cluster;
  await client.create(
    pods,
    { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    { namespace },
  );
  const told = await eventually(async () => {
    const { items } = await client.list(events, { namespace, fieldSelector: 'involvedObject.name=p' });
    const by = new Map(items.map((each) => [each.reason, each]));
    return by.has('Started') && by.has('Scheduled') ? by : undefined;
  });
  expect(told.get('Scheduled')).toMatchObject({
    source: {},
    reportingComponent: 'default-scheduler',
    lastTimestamp: null,
  });
  expect(told.get('Started')).toMatchObject({
    source: { component: 'kubelet', host: 'touchstone-node' },
    ...{ reportingComponent: '', eventTime: null, count: 1 },
    involvedObject: { fieldPath: 'spec.containers{c}' },
  });
});
