import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Node, type Pod, pods } from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';
import { rejectionOf } from './admission.ts';

const node = (more: object = {}): Node =>
  ({
    metadata: { name: 'n', labels: { disk: 'fast' } },
    status: { allocatable: { cpu: '2', memory: '1Gi', pods: '2' } },
    ...more,
  }) as Node;

const asking = (requests: object, spec: object = {}): Pod =>
  ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', resources: { requests } }], ...spec } }) as Pod;

const listening = (hostPort: number, hostIP?: string): Pod =>
  ({ spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, hostIP }] }] } }) as Pod;

const evicting = node({ spec: { taints: [{ key: 'gone', effect: 'NoExecute' }] } });
const keeping = node({ spec: { taints: [{ key: 'full', effect: 'NoSchedule' }] } });

describe('a node', () => {
  it.each<[string, Pod, Node, readonly Pod[], string | undefined]>([
    ['takes what fits', asking({ cpu: '1' }), node(), [asking({ cpu: '1' })], undefined],
    ['has so much processor', asking({ cpu: '1100m' }), node(), [asking({ cpu: '1' })], 'OutOfcpu'],
    ['has so much memory', asking({ memory: '2Gi' }), node(), [], 'OutOfmemory'],
    ['has room for so many', asking({}), node(), [asking({}), asking({})], 'OutOfpods'],
    ['has to be what is selected', asking({}, { nodeSelector: { disk: 'slow' } }), node(), [], 'NodeAffinity'],
    ['is selected', asking({}, { nodeSelector: { disk: 'fast' } }), node(), [], undefined],
    ['gives a port to one', listening(80), node(), [listening(80, '10.0.0.1')], 'NodePorts'],
    ['gives a port of each address', listening(80, '10.0.0.2'), node(), [listening(80, '10.0.0.1')], undefined],
    ['takes nobody it would end at once', asking({}), evicting, [], 'TaintToleration'],
    ['takes who bears that', asking({}, { tolerations: [{ operator: 'Exists' }] }), evicting, [], undefined],
    ['leaves to the scheduler who shall not come', asking({}), keeping, [], undefined],
  ])('%s', (_, pod, at, there, reason) => expect(rejectionOf(pod, at, there)?.reason).toBe(reason));
});

describe('pods that name their node', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const run = async (name: string, cpu: string) => {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];
    const spec = { nodeName: 'touchstone-node', containers };
    await cluster.client.create(pods, { metadata: { name }, spec }, { namespace });
  };
  const ended = (name: string) =>
    eventually(async () => {
      const { status } = await cluster.client.get(pods, { namespace, name });
      return status?.phase === 'Pending' ? undefined : status;
    });

  test('run while there is room, and fail where there is none, also when they come together', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => run(name, '30')));
    const all = await Promise.all(['a', 'b', 'c'].map(ended));
    expect(all.map(({ phase }) => phase).sort()).toEqual(['Failed', 'Running', 'Running']);
    const failed = all.find(({ phase }) => phase === 'Failed');
    expect(failed).toMatchObject({ reason: 'OutOfcpu', message: expect.stringContaining('not enough cpu') });
    expect(failed?.containerStatuses).toBeUndefined();
    await run('small', '1');
    expect((await ended('small')).phase).toBe('Running');
  });
});
