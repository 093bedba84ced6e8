import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Pod, StatefulSet } from '../runtime/resources.ts';
import { planStatefulSet, revisionsFor, statefulSetStatus } from './plan.ts';
import { claimsFor, podFor } from './pods.ts';

const now = Date.UTC(2024, 0, 1);
const revisions = { current: 'web-1', update: 'web-2' };

const set = (spec: object = {}): StatefulSet =>
  ({
    metadata: { namespace: 'ns', name: 'web', uid: 's', generation: 3 },
    spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, serviceName: 'front', ...spec },
  }) as unknown as StatefulSet;

const pod = (ordinal: number, { revision = 'web-2', ready = true, phase = 'Running', leaving = false } = {}): Pod =>
  ({
    metadata: {
      name: `web-${ordinal}`,
      labels: { 'controller-revision-hash': revision },
      ...(leaving && { deletionTimestamp: formatTime(now) }),
    },
    status: {
      phase,
      conditions: ready ? [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(now - 60_000) }] : [],
    },
  }) as unknown as Pod;

const planned = (subject: StatefulSet, pods: readonly Pod[]) => {
  const plan = planStatefulSet(subject, pods, revisions, now);
  return [plan.create.map(({ ordinal }) => ordinal), plan.delete.map(({ metadata }) => metadata?.name)];
};

type Case = [string, object, readonly Pod[], readonly number[], readonly string[]];

describe('in order', () => {
  test.each<Case>([
    ['the first comes first', {}, [], [0], []],
    ['the next waits for the one before', {}, [pod(0, { ready: false })], [], []],
    ['the next comes when it works', {}, [pod(0)], [1], []],
    ['a gap is filled before others', {}, [pod(0), pod(2)], [1], []],
    ['one that ended makes room', {}, [pod(0, { phase: 'Failed', ready: false }), pod(1)], [], ['web-0']],
    ['one that is leaving is waited for', {}, [pod(0), pod(1, { leaving: true }), pod(2)], [], []],
    ['the last goes first', { replicas: 1 }, [pod(0), pod(1), pod(2)], [], ['web-2']],
    ['the next goes when the last has gone', { replicas: 1 }, [pod(0), pod(1), pod(2, { leaving: true })], [], []],
    ['none goes while one does not work', { replicas: 2 }, [pod(0), pod(1, { ready: false }), pod(2)], [], []],
    [
      'others of the name are none of its own',
      { replicas: 1 },
      [pod(0), { metadata: { name: 'web-01' } } as Pod],
      [],
      [],
    ],
  ])('%s', (_, spec, pods, create, gone) => expect(planned(set(spec), pods)).toEqual([create, gone]));
});

describe('in parallel', () => {
  const parallel = { podManagementPolicy: 'Parallel' };
  test.each<Case>([
    ['all come at once', {}, [pod(1, { ready: false })], [0, 2], []],
    ['all go at once', { replicas: 1 }, [pod(0, { ready: false }), pod(1), pod(2)], [], ['web-2', 'web-1']],
  ])('%s', (_, spec, pods, create, gone) =>
    expect(planned(set({ ...parallel, ...spec }), pods)).toEqual([create, gone]),
  );
});

describe('an update', () => {
  const old = (ordinal: number, ready = true) => pod(ordinal, { revision: 'web-1', ready });
  const partition = (number: number) => ({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: number } },
  });
  test.each<Case>([
    ['begins with the last', {}, [old(0), old(1), old(2)], [], ['web-2']],
    ['waits until it works again', {}, [old(0), old(1), pod(2, { ready: false })], [], []],
    ['goes on downwards', {}, [old(0), old(1), pod(2)], [], ['web-1']],
    ['ends at the partition', partition(2), [old(0), old(1), pod(2)], [], []],
    ['on delete replaces nothing', { updateStrategy: { type: 'OnDelete' } }, [old(0), old(1), old(2)], [], []],
  ])('%s', (_, spec, pods, create, gone) => expect(planned(set(spec), pods)).toEqual([create, gone]));

  test('leaves the numbers below the partition at the revision that they had', () => {
    const { create } = planStatefulSet(set({ ...partition(2), podManagementPolicy: 'Parallel' }), [], revisions, now);
    expect(create.map(({ revision }) => revision)).toEqual(['web-1', 'web-1', 'web-2']);
  });

  test('is over when all are of the new revision and work', () => {
    const before = statefulSetStatus(set(), [old(0), pod(1), pod(2)], revisions, now).status;
    expect(before).toMatchObject({
      currentRevision: 'web-1',
      updateRevision: 'web-2',
      currentReplicas: 1,
      updatedReplicas: 2,
    });
    const after = statefulSetStatus(set(), [pod(0), pod(1), pod(2)], revisions, now).status;
    expect(after).toMatchObject({
      currentRevision: 'web-2',
      currentReplicas: 3,
      readyReplicas: 3,
      observedGeneration: 3,
    });
    expect(
      statefulSetStatus({ ...set(), ...(after && { status: after }) }, [pod(0), pod(1), pod(2)], revisions, now),
    ).toEqual({});
  });
});

describe('an update goes on', () => {
  const partial = set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
  test.each<[string, readonly Pod[]]>([
    ['when all pods are gone for a moment', []],
    ['when those that are left are new', [pod(2)]],
  ])('%s: numbers below the partition would lose their revision', (_, pods) => {
    expect(statefulSetStatus(partial, pods, revisions, now).status).toMatchObject({ currentRevision: 'web-1' });
  });

  test('but a set that wants none is done', () => {
    expect(statefulSetStatus(set({ replicas: 0 }), [], revisions, now).status).toMatchObject({
      currentRevision: 'web-2',
    });
  });
});

test('a pod has a name, a host name and claims of its own', () => {
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }];
  const subject = set({ volumeClaimTemplates });
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [], volumes: [{ name: 'data' }, { name: 'tmp' }] },
  };
  expect(podFor(subject, 1, { revision: 'web-2', template } as never)).toMatchObject({
    metadata: {
      name: 'web-1',
      labels: { app: 'web', 'statefulset.kubernetes.io/pod-name': 'web-1', 'controller-revision-hash': 'web-2' },
    },
    spec: {
      hostname: 'web-1',
      subdomain: 'front',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-1' } }, { name: 'tmp' }],
    },
  });
  expect(claimsFor(subject, 1)).toEqual([
    {
      metadata: { name: 'data-web-1', namespace: 'ns', labels: { app: 'web' } },
      spec: { accessModes: ['ReadWriteOnce'] },
    },
  ]);
});

test.each<[string, object | undefined, readonly Pod[], string]>([
  ['as its status says', { currentRevision: 'web-0' }, [pod(0, { revision: 'web-1' })], 'web-0'],
  [
    'that of its pods, where its first status was not told before the next template',
    undefined,
    [pod(0, { revision: 'web-1' })],
    'web-1',
  ],
  ['the newest, where it has no others', undefined, [pod(0)], 'web-2'],
])('the revision that a set comes from is %s', (_, status, pods, current) => {
  const subject = { ...set(), ...(status && { status }) } as StatefulSet;
  expect(revisionsFor(subject, pods, 'web-2')).toEqual({ current, update: 'web-2' });
});
