import { describe, expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import type { Pod, StatefulSet } from '../runtime/resources.ts';
import { planStatefulSet, revisionsFor, statefulSetStatus } from './plan.ts';
import { claimsFor, isClaimOf, podFor } from './pods.ts';

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

const gone = { phase: 'Failed', ready: false };

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
    ['none goes while one is missing', { replicas: 2 }, [pod(0), pod(2)], [1], []],
    ['none goes while one makes room', { replicas: 2 }, [pod(0), pod(1, gone), pod(2)], [], ['web-1']],
    ['one that works is not enough while it is leaving', {}, [pod(0, { leaving: true })], [], []],
    ['one that ended goes once', {}, [pod(0, { ...gone, leaving: true })], [], []],
    ['the next waits until one has worked for long enough', { minReadySeconds: 61 }, [pod(0)], [], []],
    ['the next comes when it has', { minReadySeconds: 60 }, [pod(0)], [1], []],
    ['one is wanted where nothing is said', { replicas: undefined }, [pod(0), pod(1)], [], ['web-1']],
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
  const former = (ordinal: number) => pod(ordinal, { revision: 'web-1' });
  const parallel = { podManagementPolicy: 'Parallel' };
  test.each<Case>([
    ['all come at once', {}, [pod(1, { ready: false })], [0, 2], []],
    [
      'those that ended go with those that are too many',
      { replicas: 1 },
      [pod(0, gone), pod(1)],
      [],
      ['web-0', 'web-1'],
    ],
    ['none goes twice', { replicas: 1 }, [pod(0), pod(1, { leaving: true })], [], []],
    ['none is replaced while some are missing', {}, [pod(0, { revision: 'web-1' })], [1, 2], []],
    [
      'one is replaced while others are leaving',
      { replicas: 1 },
      [former(0), pod(1, { leaving: true })],
      [],
      ['web-0'],
    ],
    ['one is replaced at a time', {}, [former(0), former(1), former(2)], [], ['web-2']],
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
    ['replaces that of the partition too', partition(1), [old(0), old(1), pod(2)], [], ['web-1']],
    ['on delete replaces nothing', { updateStrategy: { type: 'OnDelete' } }, [old(0), old(1), old(2)], [], []],
  ])('%s', (_, spec, pods, create, gone) => expect(planned(set(spec), pods)).toEqual([create, gone]));

  test.each<[string, readonly Pod[], readonly string[]]>([
    ['waits for one that is leaving', [old(0), old(1), pod(2, { revision: 'web-1', leaving: true })], []],
    ['waits for one that is missing', [old(0), old(1)], []],
    ['replaces one of the old revision that does not work', [old(0), old(1), old(2, false)], ['web-2']],
    ['leaves the others while a new one does not work', [old(0), old(1, false), pod(2, { ready: false })], []],
  ])('%s', (_, pods, away) => {
    expect(planned(set({ podManagementPolicy: 'Parallel' }), pods)[1]).toEqual(away);
  });

  test('leaves none at the revision that it had on delete, whatever the partition was', () => {
    const spec = {
      updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 2 } },
      podManagementPolicy: 'Parallel',
    };
    const { create } = planStatefulSet(set(spec), [], revisions, now);
    expect(create.map(({ revision }) => revision)).toEqual(['web-2', 'web-2', 'web-2']);
  });

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

describe('the status', () => {
  const told = (pods: readonly Pod[], spec: object = {}, status?: object) =>
    statefulSetStatus({ ...set(spec), ...(status && { status }) } as StatefulSet, pods, revisions, now);

  test('counts pods of the set by what they are, also one that has ended until it has gone', () => {
    const stranger = { ...pod(0), metadata: { name: 'db-0', labels: { 'controller-revision-hash': 'web-2' } } } as Pod;
    const pods = [
      pod(0, { revision: 'web-1' }),
      pod(1, { ready: false }),
      pod(2, { leaving: true }),
      pod(3, { phase: 'Failed' }),
      stranger,
    ];
    expect(told(pods).status).toEqual({
      observedGeneration: 3,
      replicas: 4,
      readyReplicas: 2,
      availableReplicas: 2,
      currentReplicas: 1,
      updatedReplicas: 2,
      currentRevision: 'web-1',
      updateRevision: 'web-2',
      collisionCount: 0,
    });
  });

  test('counts pods as available when they have been ready for long enough, and looks again then', () => {
    const { status, checkAgainAfter } = told([pod(0), pod(1, { ready: false })], { minReadySeconds: 90 });
    expect(status).toMatchObject({ readyReplicas: 1, availableReplicas: 0 });
    expect(checkAgainAfter).toBe(30_000);
    expect(told([pod(0)], { minReadySeconds: 60 })).not.toHaveProperty('checkAgainAfter');
  });

  test('keeps what it does not count', () => {
    const conditions = [{ type: 'Mine', status: 'True' }];
    expect(told([], {}, { collisionCount: 2, conditions }).status).toMatchObject({ collisionCount: 2, conditions });
  });

  const whole = [pod(0), pod(1), pod(2)];
  const full = { ...told(whole).status };
  test.each<[string, object]>([
    ['of an older state of the set', { observedGeneration: 2 }],
    ...['replicas', 'readyReplicas', 'availableReplicas', 'currentReplicas', 'updatedReplicas'].map(
      (count): [string, object] => [`with other ${count}`, { [count]: 2 }],
    ),
    ['with another revision', { updateRevision: 'web-0' }],
  ])('%s is written again', (_, differs) => {
    expect(told(whole, {}, full)).toEqual({});
    expect(told(whole, {}, { ...full, ...differs }).status).toMatchObject({ updateRevision: 'web-2', replicas: 3 });
  });

  test('that leaves zeros out is not written again', () => {
    const { readyReplicas: _r, availableReplicas: _a, ...left } = { ...told([pod(0, { ready: false })]).status };
    expect(told([pod(0, { ready: false })], {}, left)).toEqual({});
  });

  test.each<[string, readonly Pod[], object, string]>([
    ['on delete, whatever its pods are', whole, { updateStrategy: { type: 'OnDelete' } }, 'web-1'],
    ['while one is not ready', [pod(0), pod(1), pod(2, { ready: false })], {}, 'web-1'],
    ['when all are new and ready', whole, {}, 'web-2'],
    ['when the one that is wanted by default is', [pod(0)], { replicas: undefined }, 'web-2'],
  ])('has come to a revision %s', (_, pods, spec, current) => {
    expect(told(pods, spec).status).toMatchObject({ currentRevision: current });
  });
});

test.each<[string, string, boolean]>([
  ['of one of its numbers', 'data-web-0', true],
  ['of another template', 'logs-web-0', false],
  ['of another set', 'data-db-0', false],
  ['of a longer name', 'data-web-x-0', false],
  ['without a number', 'data-web-', false],
])('a claim %s is one of its own or not', (_, name, isItsOwn) => {
  const subject = set({ volumeClaimTemplates: [{ metadata: { name: 'data' } }] });
  expect(isClaimOf(subject, { metadata: { name } })).toBe(isItsOwn);
});

test('a pod of a set that says little has little', () => {
  const { metadata, spec } = podFor(set({ serviceName: undefined }), 0, { revision: 'web-2', template: undefined });
  expect(metadata?.labels).toEqual({
    'statefulset.kubernetes.io/pod-name': 'web-0',
    'controller-revision-hash': 'web-2',
  });
  expect(spec).toEqual({ containers: [], hostname: 'web-0' });
  expect(claimsFor(set(), 0)).toEqual([]);
});

test('a pod has a name, a host name and claims of its own', () => {
  const about = { labels: { tier: 'db', app: 'other' }, annotations: { note: 'mine' } };
  const volumeClaimTemplates = [{ metadata: { name: 'data', ...about }, spec: { accessModes: ['ReadWriteOnce'] } }];
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
      metadata: { name: 'data-web-1', namespace: 'ns', ...about, labels: { tier: 'db', app: 'web' } },
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
  ['the older of these, where it has both', undefined, [pod(0), pod(1, { revision: 'web-1' })], 'web-1'],
  ['the newest, where it has no others', undefined, [pod(0)], 'web-2'],
])('the revision that a set comes from is %s', (_, status, pods, current) => {
  const subject = { ...set(), ...(status && { status }) } as StatefulSet;
  expect(revisionsFor(subject, pods, 'web-2')).toEqual({ current, update: 'web-2' });
});
