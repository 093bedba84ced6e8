import { expect, test } from 'vitest';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../runtime/resources.ts';
import { isLower, isSameAmount, usageOf } from './plan.ts';
import { formatQuantity, parseQuantity } from './quantity.ts';

test.each([
  ['1', '1'],
  ['1500m', '1500m'],
  ['0.5', '500m'],
  ['1.5Gi', '1610612736'],
  ['2k', '2k'],
  ['1e3', '1k'],
  ['1E', '1E'],
  ['100n', '1m'],
  ['', '0'],
  ['lots', '0'],
  ['-1', '0'],
  ['9'.repeat(100), '0'],
])('%s is %s', (text, expected) => expect(formatQuantity(parseQuantity(text))).toBe(expected));

const pod = (
  requests: Record<string, string>,
  more: { phase?: string; init?: Record<string, string>; deadline?: number; qos?: string } = {},
): Pod =>
  ({
    metadata: {},
    spec: {
      containers: [{ name: 'a', resources: { requests } }],
      ...(more.init && { initContainers: [{ name: 'i', resources: { requests: more.init } }] }),
      ...(more.deadline && { activeDeadlineSeconds: more.deadline }),
    },
    status: { phase: more.phase ?? 'Running', qosClass: more.qos ?? 'Burstable' },
  }) as Pod;

const usage = (hard: Record<string, string>, pods: Pod[], spec: object = {}, claims: PersistentVolumeClaim[] = []) =>
  usageOf(
    { spec: { hard, ...spec } } as ResourceQuota,
    {
      pods,
      services: [],
      claims,
      count: (name) => (name === 'configmaps' ? 7 : undefined),
    },
    now,
  );

const now = Date.UTC(2024, 0, 1);

const claim = (storage: string, storageClassName: string) =>
  ({ spec: { storageClassName, resources: { requests: { storage } } } }) as PersistentVolumeClaim;

test('pods that have ended use nothing; init containers count only as far as they need more', () => {
  const pods = [
    pod({ cpu: '500m' }),
    pod({ cpu: '1' }, { init: { cpu: '3' } }),
    pod({ cpu: '9' }, { phase: 'Succeeded' }),
  ];
  expect(usage({ pods: '9', cpu: '9', 'requests.cpu': '9', 'limits.cpu': '9' }, pods)).toEqual({
    pods: '2',
    cpu: '3500m',
    'requests.cpu': '3500m',
    'limits.cpu': '0',
  });
});

test('scopes choose the pods that count', () => {
  const pods = [pod({}, { deadline: 5 }), pod({}, { qos: 'BestEffort' }), pod({})];
  expect(usage({ pods: '9' }, pods, { scopes: ['Terminating'] })).toEqual({ pods: '1' });
  expect(usage({ pods: '9' }, pods, { scopes: ['NotTerminating', 'NotBestEffort'] })).toEqual({ pods: '1' });
});

test.each<[expression: object, pods: readonly string[]]>([
  [{ scopeName: 'PriorityClass', operator: 'In', values: ['high', 'highest'] }, ['high']],
  [
    { scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] },
    ['plain', 'best', 'low', 'elsewhere', 'rather'],
  ],
  [{ scopeName: 'PriorityClass', operator: 'Exists' }, ['high', 'low']],
  [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }, ['plain', 'best', 'elsewhere', 'rather']],
  [{ scopeName: 'BestEffort', operator: 'Exists' }, ['best']],
  [{ scopeName: 'NotBestEffort', operator: 'Exists' }, ['plain', 'high', 'low', 'elsewhere', 'rather']],
  [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }, ['elsewhere', 'rather']],
  [{ scopeName: 'Unheard', operator: 'Exists' }, []],
])('by the selector of scopes %j count %j', (expression, expected) => {
  const term = { topologyKey: 'zone', labelSelector: {} };
  const near = { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, namespaces: [] }, term] };
  const far = { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, namespaces: ['other'] }] };
  const rather = {
    preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { ...term, namespaceSelector: {} } }],
  };
  const specs: Record<string, object> = {
    plain: { affinity: { podAffinity: near } },
    best: {},
    high: { priorityClassName: 'high' },
    low: { priorityClassName: 'low' },
    elsewhere: { affinity: { podAntiAffinity: far } },
    rather: { affinity: { podAffinity: rather } },
  };
  const counted = Object.entries(specs).filter(([name, more]) => {
    const { spec, ...one } = pod({}, name === 'best' ? { qos: 'BestEffort' } : {});
    const each = { ...one, spec: { ...spec, ...more } } as Pod;
    return usage({ pods: '9' }, [each], { scopeSelector: { matchExpressions: [expression] } })['pods'] === '1';
  });
  expect(counted.map(([name]) => name).toSorted()).toEqual(expected.toSorted());
});

test('services count their balancers, and the ports that they have on nodes', () => {
  const services = [
    { spec: { type: 'ClusterIP', ports: [{ port: 80 }] } },
    {
      spec: {
        type: 'NodePort',
        ports: [
          { port: 80, nodePort: 30_001 },
          { port: 81, nodePort: 30_002 },
        ],
      },
    },
    { spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30_003 }, { port: 81 }] } },
    { spec: { type: 'ExternalName' } },
  ] as Service[];
  const quota = { spec: { hard: { 'services.nodeports': '9', 'services.loadbalancers': '9' } } } as ResourceQuota;
  expect(usageOf(quota, { pods: [], services, claims: [], count: () => 0 }, now)).toEqual({
    'services.nodeports': '3',
    'services.loadbalancers': '1',
  });
});

test('objects are counted by either name; what nobody counts is left out', () => {
  expect(usage({ configmaps: '9', 'count/configmaps': '9', 'count/kites.example.com': '9' }, [])).toEqual({
    configmaps: '7',
    'count/configmaps': '7',
  });
});

test('claims count together and by storage class', () => {
  const hard = {
    'requests.storage': '9Gi',
    'fast.storageclass.storage.k8s.io/requests.storage': '9Gi',
    'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '9',
  };
  expect(usage(hard, [], {}, [claim('1Gi', 'fast'), claim('512Mi', 'slow')])).toEqual({
    'requests.storage': '1536Mi',
    'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
    'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
  });
});

test('huge pages and extended resources are requests; a scoped quota counts pods alone', () => {
  const pods = [pod({ 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2' })];
  expect(usage({ 'hugepages-2Mi': '9', 'requests.example.com/gpu': '9' }, pods)).toEqual({
    'hugepages-2Mi': '4Mi',
    'requests.example.com/gpu': '2',
  });
  expect(usage({ pods: '9', configmaps: '9' }, pods, { scopes: ['NotTerminating'] })).toEqual({ pods: '1' });
});

test('a pod whose grace has run out is not counted, except as an object', () => {
  const leaving = (seconds: number): Pod => ({
    ...pod({ cpu: '1' }),
    metadata: { deletionTimestamp: new Date(now + seconds * 1000).toISOString(), deletionGracePeriodSeconds: 30 },
  });
  expect(usage({ pods: '9', cpu: '9', 'count/pods': '9' }, [leaving(0), leaving(-31)])).toEqual({
    pods: '1',
    cpu: '1',
    'count/pods': '2',
  });
});

test('amounts are compared by value', () => {
  expect(isSameAmount({ cpu: '1' }, { cpu: '1000m' })).toBe(true);
  expect(isSameAmount({ cpu: '1' }, { cpu: '1', memory: '0' })).toBe(false);
  expect(isSameAmount(undefined, { cpu: '0' })).toBe(false);
});

test('a use is lower when one amount is', () => {
  expect(isLower({ cpu: '1', pods: '2' }, { cpu: '1500m', pods: '1' })).toBe(true);
  expect(isLower({ cpu: '1' }, { cpu: '1000m' })).toBe(false);
  expect(isLower({ cpu: '0' }, {})).toBe(false);
  expect(isLower({ cpu: '0' })).toBe(false);
});
