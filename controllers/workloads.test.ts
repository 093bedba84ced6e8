import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  controllerRevisions,
  cronJobs,
  type Deployment,
  daemonSets,
  deployments,
  events,
  jobs,
  namespaces,
  persistentVolumeClaims,
  pods,
  replicaSets,
  replicationControllers,
  resourceQuotas,
  statefulSets,
} from './runtime/resources.ts';
import { type Cluster, startCluster } from './testing/cluster.fixture.ts';
import { eventually } from './testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };

/** A namespace of its own. */
async function room(namespace: string, hard?: Record<string, string>) {
  await cluster.client.create(namespaces, { metadata: { name: namespace } }, {});
  if (hard) await cluster.client.create(resourceQuotas, { metadata: { name: 'q' }, spec: { hard } }, { namespace });
  await eventually(async () => {
    if (!hard) return true;
    const { status } = await cluster.client.get(resourceQuotas, { namespace, name: 'q' });
    return status?.hard ? true : undefined;
  });
  return { namespace, name: 'web' };
}

describe('a quota for two pods', () => {
  const kinds = [
    ['a replica set', replicaSets, { matchLabels: labels }],
    ['a replication controller', replicationControllers, labels],
    ['a deployment', deployments, { matchLabels: labels }],
  ] as const;

  test.each(kinds)('is told of in the status of %s, until there is room', async (_, resource, selector) => {
    const place = await room(`quota-${resource.plural}`, { pods: '2' });
    const spec = { replicas: 3, selector, template };
    await cluster.client.create<Deployment>(
      resource as typeof deployments,
      { metadata: { name: 'web' }, spec },
      { namespace: place.namespace },
    );
    const failure = async () => {
      const { status } = await cluster.client.get<Deployment>(resource as typeof deployments, place);
      return status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
    };
    const told = await eventually(failure);
    expect(told).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(told.message).toContain('exceeded quota');
    expect((await cluster.client.list(pods, { namespace: place.namespace })).items).toHaveLength(2);
    await cluster.client.patch(resource as typeof deployments, place, { spec: { replicas: 2 } });
    await eventually(async () => ((await failure()) ? undefined : true));
  });
});

test('pods that a quota keeps from being made are told of once, not at every try', async () => {
  const { namespace, name } = await room('told-once', { pods: '1' });
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  await cluster.client.create(replicaSets, { metadata: { name }, spec }, { namespace });
  const version = async () => {
    const { metadata, status } = await cluster.client.get(replicaSets, { namespace, name });
    const isTold = status?.conditions?.some(({ type }) => type === 'ReplicaFailure') && status.readyReplicas === 1;
    return isTold ? metadata?.resourceVersion : undefined;
  };
  const told = await eventually(version);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await version()).toBe(told);
});

test('a deployment that is recreated has no new pod before the last of its old ones has stopped', async () => {
  const place = await room('recreated');
  const annotations = { 'touchstone.example/stop-for': '700ms' };
  const spec = {
    replicas: 2,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: labels },
    template: { ...template, metadata: { labels, annotations } },
  };
  await cluster.client.create(deployments, { metadata: { name: 'web' }, spec }, { namespace: place.namespace });
  const updated = async () => {
    const { status, metadata } = await cluster.client.get(deployments, place);
    const isSeen = status?.observedGeneration === metadata?.generation;
    return isSeen && status?.updatedReplicas === 2 && status.availableReplicas === 2 ? true : undefined;
  };
  await eventually(updated);
  const { items: before } = await cluster.client.list(pods, { namespace: place.namespace });
  await cluster.client.patch(deployments, place, { spec: { template: { spec: { hostname: 'other' } } } });
  const seen = await eventually(async () => {
    const { items } = await cluster.client.list(pods, { namespace: place.namespace });
    const old = items.filter(({ metadata }) => before.some((each) => each.metadata?.uid === metadata?.uid));
    return old.length < items.length ? { old: old.length } : undefined;
  });
  expect(seen).toEqual({ old: 0 });
  await eventually(updated);
});

test('a new deployment is of generation 1, and has its revision', async () => {
  const place = await room('generations');
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  await cluster.client.create(deployments, { metadata: { name: 'web' }, spec }, { namespace: place.namespace });
  const found = await eventually(async () => {
    const deployment = await cluster.client.get(deployments, place);
    return deployment.status?.availableReplicas === 2 ? deployment : undefined;
  });
  expect(found.metadata?.generation).toBe(1);
  expect(found.status?.observedGeneration).toBe(1);
  expect(found.metadata?.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '1' });
});

test('a deployment that wants no pods tells that it scales once it does', async () => {
  const place = await room('resting');
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await cluster.client.create(deployments, { metadata: { name: 'web' }, spec }, { namespace: place.namespace });
  await eventually(async () => (await cluster.client.get(deployments, place)).status?.observedGeneration);
  await cluster.client.patch(deployments, place, { spec: { replicas: 1 } });
  const fieldSelector = 'reason=ScalingReplicaSet';
  const told = await eventually(async () => {
    const { items } = await cluster.client.list(events, { namespace: place.namespace, fieldSelector });
    return items.length > 0 ? items : undefined;
  });
  expect(told.map(({ message }) => message)).toEqual([expect.stringMatching(/^Scaled up replica set web-\w+ to 1$/)]);
});

test('a cron job starts the job of the time that went by last, and tells of it', async () => {
  const { namespace } = await room('ticking');
  const spec = {
    schedule: '@every 1s',
    concurrencyPolicy: 'Forbid',
    jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  };
  await cluster.client.create(cronJobs, { metadata: { name: 'tick' }, spec }, { namespace });
  const { status } = await eventually(async () => {
    const found = await cluster.client.get(cronJobs, { namespace, name: 'tick' });
    return found.status?.lastSuccessfulTime ? found : undefined;
  });
  expect(status?.lastScheduleTime).toBeDefined();
  const { items } = await cluster.client.list(jobs, { namespace });
  expect(items[0]?.metadata?.ownerReferences).toMatchObject([{ kind: 'CronJob', name: 'tick' }]);
});

test('a daemon set whose pods fail one after the other does not make them as fast as it can', async () => {
  const { namespace } = await room('failing-daemons');
  const spec = { selector: { matchLabels: labels }, template };
  await cluster.client.create(daemonSets, { metadata: { name: 'web' }, spec }, { namespace });
  let last = '';
  const next = async () => {
    const { metadata } = await eventually(async () => {
      const { items } = await cluster.client.list(pods, { namespace });
      return items.find((pod) => pod.status?.phase === 'Running' && pod.metadata?.name !== last);
    });
    last = metadata?.name ?? '';
  };
  const fail = () =>
    cluster.client.patch(pods, { namespace, name: last, part: 'status' }, { status: { phase: 'Failed' } });
  await next();
  await fail();
  await next();
  const failed = Date.now();
  await fail();
  await next();
  expect(Date.now() - failed).toBeGreaterThan(500);
});

test('a daemon set has a pod on the node, and rolls to a new template', async () => {
  const place = await room('daemons');
  const spec = { selector: { matchLabels: labels }, template };
  await cluster.client.create(daemonSets, { metadata: { name: 'web' }, spec }, { namespace: place.namespace });
  const rolled = (image: string) =>
    eventually(async () => {
      const { items } = await cluster.client.list(pods, { namespace: place.namespace });
      const { status } = await cluster.client.get(daemonSets, place);
      const [pod] = items;
      const works = status?.numberAvailable === 1 && status.updatedNumberScheduled === 1 && items.length === 1;
      return works && pod?.spec?.containers[0]?.image === image ? pod : undefined;
    });
  expect((await rolled('web:1')).spec?.nodeName).toBe('touchstone-node');
  const containers = [{ name: 'main', image: 'web:2' }];
  await cluster.client.patch(daemonSets, place, { spec: { template: { spec: { containers } } } });
  await rolled('web:2');
  const { items } = await cluster.client.list(controllerRevisions, { namespace: place.namespace });
  expect(items.map(({ revision }) => revision).sort()).toEqual([1, 2]);
});

test('a stateful set whose claim and pod are deleted begins anew with another claim', async () => {
  const { namespace, name } = await room('renewed');
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const spec = {
    serviceName: 'web',
    selector: { matchLabels: labels },
    template,
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
  };
  await cluster.client.create(statefulSets, { metadata: { name }, spec }, { namespace });
  const running = async () => {
    const { items } = await cluster.client.list(pods, { namespace });
    return items.find((pod) => pod.status?.phase === 'Running' && !pod.metadata?.deletionTimestamp);
  };
  const first = await eventually(running);
  const before = await cluster.client.get(persistentVolumeClaims, { namespace, name: 'data-web-0' });
  await cluster.client.delete(persistentVolumeClaims, { namespace, name: 'data-web-0' });
  await cluster.client.delete(pods, { namespace, name: 'web-0' });
  await eventually(async () => {
    const pod = await running();
    return pod && pod.metadata?.uid !== first.metadata?.uid ? true : undefined;
  });
  const after = await cluster.there(persistentVolumeClaims, 'data-web-0', namespace);
  expect(after.metadata?.deletionTimestamp).toBeUndefined();
  expect(after.metadata?.uid).not.toBe(before.metadata?.uid);
});

test('a stateful set has its pods in order, each with its claim, and rolls to a new template and back', async () => {
  const place = await room('states');
  const { namespace } = place;
  const volumeClaimTemplates = [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ];
  const spec = { replicas: 2, serviceName: 'web', selector: { matchLabels: labels }, template, volumeClaimTemplates };
  await cluster.client.create(statefulSets, { metadata: { name: 'web' }, spec }, { namespace });
  const rolled = (image: string) =>
    eventually(async () => {
      const { items } = await cluster.client.list(pods, { namespace });
      const { status, metadata } = await cluster.client.get(statefulSets, place);
      const works =
        status?.observedGeneration === metadata?.generation &&
        status?.readyReplicas === 2 &&
        status.currentRevision === status.updateRevision;
      return works && items.every((pod) => pod.spec?.containers[0]?.image === image) ? items : undefined;
    });
  const first = await rolled('web:1');
  expect(first.map(({ metadata }) => metadata?.name)).toEqual(['web-0', 'web-1']);
  const claims = await cluster.client.list(persistentVolumeClaims, { namespace });
  expect(claims.items.map(({ metadata }) => metadata?.name)).toEqual(['data-web-0', 'data-web-1']);
  const become = (image: string) => {
    const containers = [{ name: 'main', image }];
    return cluster.client.patch(statefulSets, place, { spec: { template: { spec: { containers } } } });
  };
  await become('web:2');
  await rolled('web:2');
  await become('web:1');
  await rolled('web:1');
  const { items } = await cluster.client.list(controllerRevisions, { namespace });
  expect(items.map(({ revision }) => revision).sort()).toEqual([2, 3]);
});

describe.each([
  ['daemon', daemonSets],
  ['stateful', statefulSets],
] as const)('revisions of a %s set', (what, resource) => {
  test('are adopted where nobody has them, are as good under another name, and count', async () => {
    const { namespace, name } = await room(`revisions-${what}`);
    const { client } = cluster;
    const spec = { selector: { matchLabels: labels }, template, serviceName: 'web' };
    await client.create(resource as typeof statefulSets, { metadata: { name }, spec }, { namespace });
    const all = async () => (await client.list(controllerRevisions, { namespace })).items;
    const [first] = await eventually(async () => ((await all()).length === 1 ? all() : undefined));
    const { labels: own = {}, name: old = '' } = first?.metadata ?? {};
    const copy = { metadata: { name: 'copy', labels: own }, revision: 7, ...(first?.data && { data: first.data }) };
    await client.create(controllerRevisions, copy, { namespace });
    await eventually(async () => {
      const { metadata } = await client.get(controllerRevisions, { namespace, name: 'copy' });
      return metadata?.ownerReferences?.[0]?.controller ? true : undefined;
    });
    await client.delete(controllerRevisions, { namespace, name: old });
    const changed = { metadata: { labels, annotations: { changed: 'yes' } } };
    await client.patch(resource as typeof statefulSets, { namespace, name }, { spec: { template: changed } });
    const numbers = await eventually(async () => {
      const found = (await all()).map(({ revision }) => revision).sort();
      return found.length >= 2 && found.at(-1) !== 7 ? found : undefined;
    });
    expect(numbers).toContain(7);
    expect(Math.max(...numbers)).toBeGreaterThan(7);
  });
});
