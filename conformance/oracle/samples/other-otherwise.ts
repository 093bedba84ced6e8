import { base64 } from '../../../fixtures/certificates.ts';
import type { Json } from '../../verbs/client.ts';
import { condition, each, long, type Otherwise, specs, statuses } from './otherwise.ts';

const data = (members: Json): Json => ({ data: members });

/** May change whatever else may not. */
const labels: Json = { metadata: { labels: { colour: 'blue' } } };

const configMap: Otherwise = {
  states: [{ immutable: true }, { data: null }],
  odd: [
    ...each('immutable', false, null),
    data({ 'Bad Key!': 'a' }),
    data({ [long(254)]: 'a' }),
    ...each('data', { '..': 'a' }, { '.': 'a' }, { '..a': 'a' }),
    data({ bytes: 'a' }),
    data({ empty: '' }),
    data(null),
    labels,
    { binaryData: { one: 'AAEC' } },
    { binaryData: { other: 'no base64!' } },
    { binaryData: null },
  ],
};

const secret: Otherwise = {
  states: [{ immutable: true }, { type: 'example.com/other' }],
  odd: [
    ...each('immutable', false, null),
    ...each('type', 'kubernetes.io/tls', 'kubernetes.io/basic-auth', 'kubernetes.io/ssh-auth', null, ''),
    ...each('type', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg', 'kubernetes.io/service-account-token'),
    { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } },
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{}') } },
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('nothing') } },
    { type: 'kubernetes.io/basic-auth', data: { username: base64('a') } },
    { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
    { type: 'bootstrap.kubernetes.io/token' },
    data({ 'Bad Key!': 'YQ==' }),
    data({ one: 'no base64!' }),
    data({ one: 'Zmly' }),
    labels,
    { stringData: { one: 'wins' } },
    { stringData: { 'Bad Key!': 'a' } },
  ],
};

const eventOdd = (member: string): Json[] => [
  ...each(member, long(1024), long(1025), null),
  ...each('reason', long(128), long(129), '', null),
  ...each('action', long(128), long(129), '', null),
  ...each('type', 'Other', '', null),
  ...each('eventTime', '2024-05-06T07:08:09.000002Z', null),
  ...each('reportingInstance', long(128), long(129), ''),
  ...each(
    'series',
    { count: 1 },
    { count: 2, lastObservedTime: '2024-05-06T07:08:10.000001Z' },
    { count: 0 },
    { count: -1 },
  ),
  { related: { kind: 'Node', name: 'some', apiVersion: 'v1' } },
  { metadata: { namespace: '<own>-2' } },
];
const reported = { kind: 'Pod', namespace: '<own>-2', name: 'other', apiVersion: 'v1' };

const coreEvent: Otherwise = {
  states: [{ series: { count: 3, lastObservedTime: '2024-05-06T07:08:10.000001Z' } }],
  odd: [
    ...eventOdd('message'),
    ...each('involvedObject', reported, {}, null, { kind: 'Node', namespace: null, name: 'some' }),
    ...each('reportingComponent', 'Bad Name', 'example.com/one'),
    ...each('count', -1, 0, 7),
    ...each('source', { component: 'other', host: 'some' }, null),
    { firstTimestamp: null, lastTimestamp: '2020-01-01T00:00:00Z' },
  ],
};

const newEvent: Otherwise = {
  states: [{ series: { count: 3, lastObservedTime: '2024-05-06T07:08:10.000001Z' } }, { related: reported }],
  odd: [
    ...eventOdd('note'),
    ...each('regarding', reported, {}, null, { kind: 'Node', namespace: null, name: 'some' }),
    ...each('reportingController', 'Bad Name', 'short', '', null, `example.com/${long(120)}`),
    ...each('deprecatedCount', 1, -1),
    ...each('deprecatedSource', { component: 'other' }),
    ...each('deprecatedFirstTimestamp', '2024-05-06T07:08:09Z'),
    ...each('deprecatedLastTimestamp', '2024-05-06T07:08:09Z'),
  ],
};

const label = 'kubernetes.io/metadata.name';

const namespace: Otherwise = {
  states: [{ metadata: { labels: { more: 'yes' } } }],
  odd: [
    ...[null, 'other', ''].map((value) => ({ metadata: { labels: { [label]: value } } })),
    { metadata: { labels: null } },
    { metadata: { name: null, generateName: 'made-' } },
    ...specs({ finalizers: [] }, { finalizers: ['example.com/one'] }, { finalizers: ['bad'] }, { finalizers: null }),
    { status: { phase: 'Terminating' } },
  ],
  statuses: statuses(
    ...each('phase', 'Terminating', 'Other', '', null),
    { conditions: [condition('Some'), condition('Some')] },
    { conditions: [condition('Bad Type', { status: 'Perhaps' })] },
  ),
};

/** Where a claim may take its content from. */
const claimed = { kind: 'PersistentVolumeClaim', name: 'a' };

const quantity: readonly Json[] = ['-1', 'much', '1.5', '1024Mi', '1E3', 0];

export const otherOtherwise: Readonly<Record<string, Otherwise>> = {
  ConfigMap: configMap,
  Secret: secret,
  'Event.v1': coreEvent,
  'Event.events.k8s.io': newEvent,
  Namespace: namespace,
  Lease: {
    states: [],
    odd: specs(
      ...each('leaseDurationSeconds', 0, -1),
      ...each('leaseTransitions', -1, 0),
      ...each('holderIdentity', '', null),
    ),
  },
  PersistentVolumeClaim: {
    states: specs({ accessModes: ['ReadWriteMany'] }),
    odd: specs(
      ...each('accessModes', [], ['Other'], ['ReadWriteMany'], ['ReadWriteOncePod', 'ReadWriteOnce']),
      ...each('resources', {}, ...quantity.map((storage) => ({ requests: { storage } })), {
        requests: { storage: '2Gi' },
      }),
      ...each('storageClassName', 'other', '', null),
      ...each('volumeName', 'some'),
      ...each('volumeMode', 'Block', 'Other'),
      ...each('dataSource', { kind: 'Other', name: 'a' }, claimed),
      ...each('dataSourceRef', { kind: 'Other', name: 'a' }, claimed, { ...claimed, apiGroup: 'example.com' }),
      { dataSource: claimed, dataSourceRef: claimed },
      { dataSource: claimed, dataSourceRef: { ...claimed, name: 'other' } },
    ),
    statuses: statuses(
      { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
      { phase: 'Other' },
      { capacity: { storage: '-1' } },
      { conditions: [condition('Resizing')] },
    ),
  },
  ResourceQuota: {
    states: specs({ scopes: ['BestEffort'], hard: { cpu: null, pods: '5', 'count/leases.coordination.k8s.io': null } }),
    odd: specs(
      ...quantity.map((cpu) => ({ hard: { cpu } })),
      ...each('hard', { 'bad name!': '1' }, { other: '1' }, { pods: '1.5' }),
      ...each('scopes', ['Terminating', 'NotTerminating'], ['Other'], ['NotBestEffort']),
    ),
  },
  LimitRange: {
    states: [],
    odd: specs(
      ...[
        { min: { cpu: '3' } },
        { type: 'Pod' },
        { type: 'Other' },
        { max: { cpu: 'much' } },
        { default: { cpu: '9' } },
        { min: { cpu: '100m' } },
        { min: { cpu: '100m' }, defaultRequest: { cpu: '200m' } },
        { min: { cpu: '100m' }, default: null },
      ].map((more) => ({ limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '500m' }, ...more }] })),
      { limits: [{ type: 'Pod' }, { type: 'Pod' }] },
    ),
  },
  PodDisruptionBudget: {
    states: [],
    odd: specs(
      ...each('maxUnavailable', 1, '50%'),
      ...each('minAvailable', -1, '101%', '-5%', 'some', '5', null),
      ...each('selector', null, {}, { matchLabels: { app: 'other' } }),
    ),
  },
  HorizontalPodAutoscaler: {
    states: [],
    odd: specs(
      ...each('minReplicas', 0, 9, -1, null),
      ...each('maxReplicas', 0, -1, null),
      ...each('scaleTargetRef', { kind: '' }, { name: 'Bad Name/' }, null),
      ...each('behavior', {}, { scaleUp: { selectPolicy: 'Min' } }, { scaleDown: { stabilizationWindowSeconds: 5 } }),
      ...each('behavior', { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 9 }] }, scaleDown: {} }),
    ),
  },
  PriorityClass: {
    states: [],
    odd: [
      ...each('value', 1001, 2_000_000_000, null),
      ...each('preemptionPolicy', 'Other', null),
      ...each('globalDefault', false),
    ],
  },
  StorageClass: {
    states: [],
    odd: [
      ...each('provisioner', 'other', '', 'Bad Name'),
      ...each('parameters', { kind: 'fast' }, { '': 'a' }),
      ...each('reclaimPolicy', 'Retain', 'Other'),
      ...each('volumeBindingMode', 'WaitForFirstConsumer', 'Other'),
    ],
  },
};
