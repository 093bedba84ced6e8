import type { Json } from '../../verbs/client.ts';
import { webhook } from './cluster-samples.ts';
import { condition, each, long, many, type Otherwise, specs, statuses } from './otherwise.ts';

const hook = (more: Json): Json => ({ webhooks: [{ ...webhook, ...more }] });
const hooksRule = (more: Json): Json => hook({ rules: [{ ...webhook.rules[0], ...more }] });
const client = (clientConfig: Json): Json => hook({ clientConfig });
const inCluster = (more: Json): Json => client({ service: { name: 'none', namespace: 'default', ...more } });

/** Rehearsed alone: none of these is ever asked. */
const hookOdd: readonly Json[] = [
  ...[0, 1, 30, 31, 300, -1, null].map((timeoutSeconds) => hook({ timeoutSeconds })),
  ...['Fail', 'Other', null].map((failurePolicy) => hook({ failurePolicy })),
  ...['Equivalent', 'Exact', 'Other', null].map((matchPolicy) => hook({ matchPolicy })),
  ...['NoneOnDryRun', 'Some', 'Unknown', 'Other', null].map((sideEffects) => hook({ sideEffects })),
  ...[[], ['v1', 'v1'], ['v1beta1'], ['v9'], ['v9', 'v1'], ['Bad Version'], null].map((admissionReviewVersions) =>
    hook({ admissionReviewVersions }),
  ),
  ...['short', 'two.parts', 'Bad.touchstone.example', '', null].map((name) => hook({ name })),
  ...['IfNeeded', 'Never', 'Other'].map((reinvocationPolicy) => hook({ reinvocationPolicy })),
  { webhooks: [webhook, webhook] },
  { webhooks: [] },
  { webhooks: null },
  ...[
    'http://127.0.0.1:9/a',
    'https://127.0.0.1:9/a?b=c',
    'https://127.0.0.1:9/a#b',
    'https://a@127.0.0.1:9/',
    'none',
    '',
  ].map((url) => client({ url })),
  client({ url: 'https://127.0.0.1:9/a', caBundle: 'bm90aGluZw==' }),
  client({ url: 'https://127.0.0.1:9/a', service: { name: 'none', namespace: 'default' } }),
  client({}),
  ...[{}, { path: 'a' }, { path: '/a//b' }, { path: '/a/b' }, { port: 0 }, { port: 70_000 }, { port: 8443 }].map(
    inCluster,
  ),
  ...[{ name: '' }, { namespace: '' }].map(inCluster),
  ...[[], ['CONNECT'], ['*'], ['*', 'CREATE'], ['Other'], null].map((operations) => hooksRule({ operations })),
  ...[[], ['*'], ['*', 'a'], null].map((apiGroups) => hooksRule({ apiGroups })),
  ...[[], ['*'], ['*', 'v1'], [''], null].map((apiVersions) => hooksRule({ apiVersions })),
  ...[[], ['*/*', 'none'], ['*', 'none/status'], ['none/*', 'none/a'], ['a/b/c'], ['/a'], ['']].map((resources) =>
    hooksRule({ resources }),
  ),
  ...['Cluster', 'Namespaced', '*', 'Other', null].map((scope) => hooksRule({ scope })),
  hook({ rules: [] }),
  hook({ objectSelector: { matchLabels: { 'Bad Key!': 'a' } } }),
  hook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] } }),
  hook({ namespaceSelector: null, objectSelector: null }),
];

const address = (more: Json): Json => ({ subsets: [{ addresses: [{ ip: '10.1.2.3', ...more }] }] });
const subset = (more: Json): Json => ({ subsets: [{ addresses: [{ ip: '10.1.2.3' }], ...more }] });

const endpoints: Otherwise = {
  states: [{ subsets: null }],
  odd: [
    ...['127.0.0.1', '169.254.1.1', '224.0.0.1', 'nowhere', ''].map((ip) => address({ ip })),
    ...['Bad Name', 'one', ''].map((hostname) => address({ hostname })),
    ...['Bad Name', 'some'].map((nodeName) => address({ nodeName })),
    address({ targetRef: { kind: 'Pod', name: 'a' } }),
    ...[[{ port: 0 }], [{ port: 80 }, { port: 81 }], [{ name: 'Bad Name', port: 80 }], []].map((ports) =>
      subset({ ports }),
    ),
    ...['SCTP', 'OTHER'].map((protocol) => subset({ ports: [{ port: 80, protocol }] })),
    subset({ ports: [{ port: 80, appProtocol: 'Bad Name' }] }),
    subset({ notReadyAddresses: [{ ip: '10.1.2.9' }, { ip: '10.1.2.4' }] }),
    subset({ addresses: [], notReadyAddresses: [{ ip: '10.1.2.9' }], ports: [{ port: 80 }] }),
    { subsets: [{}] },
    {
      subsets: [
        { addresses: [{ ip: '10.1.2.9' }, { ip: '10.1.2.4' }], ports: [{ port: 81 }] },
        { addresses: [{ ip: '10.1.2.4' }], ports: [{ port: 81 }] },
      ],
    },
  ],
};

const node: Otherwise = {
  states: specs({ podCIDR: null, providerID: 'some://one' }),
  odd: specs(
    ...each('podCIDR', '10.78.0.0/24', 'nowhere', null),
    ...each('podCIDRs', ['10.77.0.0/24'], ['10.78.0.0/24'], ['10.77.0.0/24', '10.78.0.0/24'], []),
    ...each('providerID', 'some://two', null),
    ...each('unschedulable', false, null),
    ...each(
      'taints',
      [],
      null,
      [{ key: 'none', effect: 'Other' }],
      [{ key: '', effect: 'NoSchedule' }],
      many(2, () => ({ key: 'none', effect: 'NoSchedule' })),
      ['NoSchedule', 'NoExecute'].map((effect) => ({ key: 'none', effect })),
      ['a', 'b'].map((value) => ({ key: 'none', effect: 'NoSchedule', value })),
      [
        { key: 'none', effect: 'NoExecute', value: 'Bad Value!' },
        { key: 'some', effect: 'NoExecute' },
      ],
    ),
    ...each('externalID', 'some'),
  ),
  statuses: statuses(
    ...each('capacity', { cpu: '-1' }, { cpu: 'much' }, { cpu: '1.5', memory: '1Gi' }),
    ...each('allocatable', { cpu: '9' }, { none: '1' }),
    ...each(
      'addresses',
      [{ type: 'InternalIP', address: '10.1.2.3' }],
      many(2, () => ({ type: 'Hostname', address: 'a' })),
    ),
    { conditions: [condition('Ready'), condition('Ready', { status: 'Perhaps' })] },
    { volumesAttached: [{ name: 'a', devicePath: 'b' }] },
  ),
};

const service = (more: Json): Json => ({ service: { name: 'none', namespace: 'default', ...more } });

const apiService: Otherwise = {
  states: [],
  odd: specs(
    ...each('group', 'other.example', '', null),
    ...each('version', 'v2', 'Bad Version', ''),
    ...each('groupPriorityMinimum', 0, 20_001, -1, null),
    ...each('versionPriority', 0, 1001, -1, null),
    service({}),
    { ...service({}), insecureSkipTLSVerify: true, caBundle: 'bm90aGluZw==' },
    { ...service({}), insecureSkipTLSVerify: true },
    ...[{ port: 0 }, { port: 70_000 }, { name: '' }, { namespace: '' }].map((more) => ({
      ...service(more),
      insecureSkipTLSVerify: true,
    })),
    { insecureSkipTLSVerify: true },
    { caBundle: 'bm90aGluZw==' },
  ),
};

const subjects = (...all: readonly Json[]): Json => ({
  rules: [{ subjects: all, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/touchstone'] }] }],
});
const resourceRule = (more: Json): Json => ({
  rules: [
    {
      subjects: [{ kind: 'User', user: { name: '<own>-nobody' } }],
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], namespaces: ['none'], ...more }],
    },
  ],
});
const urlRule = (more: Json): Json => ({
  rules: [
    {
      subjects: [{ kind: 'User', user: { name: '<own>-nobody' } }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/touchstone'], ...more }],
    },
  ],
});

const flowSchema: Otherwise = {
  states: [],
  odd: specs(
    ...each('matchingPrecedence', 0, 1, 10_000, 10_001, -1, null),
    ...each('priorityLevelConfiguration', {}, { name: 'Bad Name' }, null),
    ...each('distinguisherMethod', { type: 'ByUser' }, { type: 'ByNamespace' }, { type: 'Other' }),
    ...each('rules', [], null, [{}]),
    subjects(),
    subjects({ kind: 'User' }),
    subjects({ kind: 'Other', user: { name: 'a' } }),
    subjects({ kind: 'Group', group: { name: '' } }),
    subjects({ kind: 'User', user: { name: 'a' }, group: { name: 'b' } }),
    ...[{ namespace: '' }, { name: 'Bad Name' }, { name: '*' }].map((more) =>
      subjects({ kind: 'ServiceAccount', serviceAccount: { name: 'a', namespace: 'default', ...more } }),
    ),
    ...[[], ['*'], ['*', 'get'], ['other']].map((verbs) => resourceRule({ verbs })),
    ...[[], ['*', 'apps']].map((apiGroups) => resourceRule({ apiGroups })),
    ...[[], ['*', 'pods']].map((resources) => resourceRule({ resources })),
    ...[[], ['*', 'default'], ['Bad Name']].map((namespaces) => resourceRule({ namespaces })),
    resourceRule({ namespaces: null, clusterScope: true }),
    resourceRule({ namespaces: null }),
    ...[['touchstone'], ['*'], ['*', '/a'], ['/a*'], ['/a/*'], ['/a b'], []].map((nonResourceURLs) =>
      urlRule({ nonResourceURLs }),
    ),
    urlRule({ verbs: ['list'] }),
  ),
};

const limited = (more: Json): Json => ({ limited: more });
const queuing = (more: Json): Json =>
  limited({ limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 5, ...more } } });

const priorityLevel: Otherwise = {
  states: specs(queuing({})),
  odd: specs(
    ...each('type', 'Exempt', 'Other', null),
    limited({ assuredConcurrencyShares: 0 }),
    limited({ assuredConcurrencyShares: -1 }),
    limited({ limitResponse: { type: 'Queue' } }),
    limited({ limitResponse: { type: 'Other' } }),
    limited({ limitResponse: { queuing: { queues: 1 } } }),
    limited(null),
    ...[{ queues: 0 }, { queues: 10_000_001 }, { handSize: 5 }, { handSize: 0 }, { queueLengthLimit: 0 }].map(queuing),
    queuing({ queues: 1_000_000, handSize: 64 }),
  ),
};

const container = { name: 'main', image: 'registry.example/pause:1' };

/** Kinds that the server itself, or what runs beside it, is told by. */
export const systemOtherwise: Readonly<Record<string, Otherwise>> = {
  ValidatingWebhookConfiguration: { states: [], odd: hookOdd },
  MutatingWebhookConfiguration: { states: [], odd: hookOdd },
  Endpoints: endpoints,
  Node: node,
  APIService: apiService,
  FlowSchema: flowSchema,
  PriorityLevelConfiguration: priorityLevel,
  ServiceAccount: {
    states: [{ automountServiceAccountToken: null, secrets: [{ name: 'one' }, { name: 'two' }] }],
    odd: [
      ...each(
        'secrets',
        [{ name: 'b' }, { name: 'a' }],
        [{ name: '' }],
        [{}],
        [{ kind: 'Secret', namespace: 'other', name: 'told', uid: 'some', fieldPath: 'a' }],
        many(2, () => ({ name: 'same' })),
        [],
      ),
      ...each(
        'imagePullSecrets',
        many(2, () => ({ name: 'same' })),
        [{}],
        null,
      ),
      ...each('automountServiceAccountToken', true, null),
    ],
  },
  PodTemplate: {
    states: [{ template: { spec: { restartPolicy: 'Never' } } }],
    odd: [
      { template: { spec: { containers: [] } } },
      { template: { spec: { containers: [container, container] } } },
      { template: { metadata: { labels: { 'Bad Key!': 'a' } } } },
      { template: { metadata: { name: 'some', annotations: { a: 'b' } } } },
      { template: null },
    ],
  },
  ReplicationController: {
    states: specs({ selector: null }, { replicas: null }),
    odd: specs(
      ...each('replicas', 0, -1, null),
      ...each('minReadySeconds', -1, 7),
      { selector: { app: 'other' } },
      { selector: { 'Bad Key!': 'a' } },
      { template: { metadata: { labels: { app: 'other' } } } },
      { template: { spec: { restartPolicy: 'Never' } } },
      { template: null },
    ),
    statuses: statuses({ replicas: -1 }, { readyReplicas: 9 }, { availableReplicas: 3, readyReplicas: 2 }),
  },
  ControllerRevision: {
    states: [],
    odd: [
      ...each('revision', -1, 0, 5, null),
      ...each('data', { other: 1 }, null, {}, 'text'),
      { metadata: { labels: { touched: 'yes' } } },
    ],
  },
  CSIStorageCapacity: {
    states: [{ capacity: null, maximumVolumeSize: '1Gi' }],
    odd: [
      ...each('capacity', '-1', 'much', '1.5'),
      ...each('maximumVolumeSize', '-1', '2Gi'),
      ...each('storageClassName', 'other', '', 'Bad Name', long(254), null),
      ...each('nodeTopology', { matchLabels: { zone: 'b' } }, { matchLabels: { 'Bad Key!': 'a' } }, null, {}),
    ],
  },
};
