import type { Json } from '../../../verbs/client.ts';
import { ownLabels, type Scenario, type Step } from '../../play/scenario.ts';
import type { StepParts } from '../story.ts';
import { dry, inPlace, Relations } from './relation-story.ts';

const sized = (requests: Json, limits?: Json): Json => ({
  container: { resources: { requests, ...(limits ? { limits } : {}) } },
});

/** What a namespace's limits give to containers that ask for nothing, and which they refuse. */
function limits(at: Relations): void {
  const bounds = {
    max: { cpu: '2', memory: '1Gi' },
    min: { cpu: '50m' },
    default: { cpu: '500m', memory: '256Mi' },
    defaultRequest: { cpu: '100m' },
    maxLimitRequestRatio: { cpu: '10' },
  };
  const spec = {
    limits: [
      { type: 'Container', ...bounds },
      { type: 'Pod', max: { cpu: '3' } },
    ],
  };
  const ofClaims = [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } }];
  const path = `${inPlace(1)}/limitranges`;
  // The first of them has nothing to say of containers.
  at.make('LimitRange', path, { metadata: { name: 'aside' }, spec: { limits: ofClaims } });
  at.make('LimitRange', path, { metadata: { name: 'bounds' }, spec });
  at.pod('far', sized({ cpu: '9' }, { cpu: '9' }), { ...dry, awaits: 403 });
  at.pod('plain');
  at.get(`${inPlace(1)}/pods/plain`);
  at.pod('some', sized({ cpu: '200m' }), dry);
  at.pod('told', sized({ cpu: '200m', memory: '2Gi' }, { cpu: '1', memory: '2Gi' }), dry);
  at.pod('small', sized({ cpu: '10m' }, { cpu: '60m' }), dry);
  at.pod('wide', sized({ cpu: '50m' }, { cpu: '1' }), dry);
  for (const cpu of [undefined, '10m', '1', '9']) {
    const resources = cpu ? { resources: { requests: { cpu }, limits: { cpu } } } : {};
    at.pod('first', { initContainers: [{ name: 'first', image: 'registry.example/first:1', ...resources }] }, dry);
  }
  const twice = ['one', 'two'].map((name) => ({ name, image: 'x', resources: { limits: { cpu: '2' } } }));
  at.pod('twice', { containers: twice }, dry);
  for (const storage of ['500Mi', '1Gi', '9Gi'])
    at.make('PersistentVolumeClaim', `${inPlace(1)}/persistentvolumeclaims`, claim(storage), dry);
}

const claim = (storage: string): Json => ({
  metadata: { name: `c${storage.toLowerCase()}` },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName: 'none' },
});

/** What is counted against a quota, what is not, and what is given back. */
function quotas(at: Relations): void {
  const path = `${inPlace(1)}/resourcequotas`;
  const ofPods = { pods: '2', 'requests.cpu': '1' };
  const ofServices = { services: '1', 'services.nodeports': '0' };
  const counts = { 'count/configmaps': '3', 'count/leases.coordination.k8s.io': '1' };
  const hard = { ...ofPods, ...ofServices, ...counts, 'requests.storage': '2Gi' };
  at.make('ResourceQuota', path, { metadata: { name: 'few' }, spec: { hard } });
  at.make('ResourceQuota', path, {
    metadata: { name: 'lasting' },
    spec: { hard: { pods: '2' }, scopes: ['NotTerminating'] },
  });
  at.make('ResourceQuota', path, {
    metadata: { name: 'brief' },
    spec: { hard: { pods: '1' }, scopes: ['Terminating'] },
  });
  for (const [name, limit] of [
    ['few', hard],
    ['brief', { pods: '1' }],
    ['lasting', { pods: '2' }],
  ] as const)
    at.patch(`${path}/${name}/status`, {
      status: { hard: limit, used: Object.fromEntries(Object.keys(limit).map((one) => [one, '0'])) },
    });
  // Both quotas are known then.
  at.pod('none', {}, { ...dry, awaits: 403 });
  at.pod('brief', { ...small, activeDeadlineSeconds: 60 }, { ...dry, awaits: 201 });
  at.pod('none', {}, dry);
  counted(at, path);
}

const small = sized({ cpu: '100m' }, { cpu: '100m' });

function counted(at: Relations, path: string): void {
  const look = (): void => {
    for (const name of ['few', 'brief', 'lasting']) at.get(`${path}/${name}`);
  };
  at.pod('p1', small, dry);
  at.pod('p1', small);
  look();
  at.pod('t1', { ...small, activeDeadlineSeconds: 60 });
  look();
  const before = { name: 'before', image: 'registry.example/before:1' };
  const requests = { requests: { cpu: '600m' }, limits: { cpu: '600m' } };
  at.pod(
    'first',
    { ...sized({ cpu: '600m' }, { cpu: '600m' }), initContainers: [{ ...before, resources: requests }] },
    dry,
  );
  at.pod('p2', small);
  at.pod('big', sized({ cpu: '2' }, { cpu: '2' }));
  for (const name of ['m1', 'm2', 'm3', 'm4'])
    at.make('ConfigMap', `${inPlace(1)}/configmaps`, { metadata: { name } }, name === 'm1' ? dry : {});
  const leases = '/apis/coordination.k8s.io/v1/namespaces/<own>-1/leases';
  for (const name of ['l1', 'l2']) at.make('Lease', leases, { metadata: { name }, spec: {} });
  for (const storage of ['1Gi', '9Gi'])
    at.make('PersistentVolumeClaim', `${inPlace(1)}/persistentvolumeclaims`, claim(storage));
  const ports = [{ port: 80 }];
  at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's1' }, spec: { ports, type: 'NodePort' } });
  at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's1' }, spec: { ports } });
  at.patch(`${inPlace(1)}/services/s1`, { spec: { type: 'NodePort' } });
  at.make('Service', `${inPlace(1)}/services`, { metadata: { name: 's2' }, spec: { ports } });
  look();
}

const cluster = (name: string): Json => ({ metadata: { name: `<own>-${name}`, labels: ownLabels } });

/** Classes and accounts that a Pod names, and what it gets of them. */
function named(at: Relations): void {
  const [priorities, runtimes] = ['scheduling.k8s.io/v1/priorityclasses', 'node.k8s.io/v1/runtimeclasses'];
  at.make('PriorityClass', `/apis/${priorities}`, { ...cluster('high'), value: 77, preemptionPolicy: 'Never' });
  at.make('RuntimeClass', `/apis/${runtimes}`, {
    ...{ ...cluster('boxed'), handler: 'box', overhead: { podFixed: { cpu: '30m' } } },
    scheduling: { nodeSelector: { box: 'yes' }, tolerations: [{ key: 'box', operator: 'Exists' }] },
  });
  at.make('ServiceAccount', `${inPlace(1)}/serviceaccounts`, {
    metadata: { name: 'robot' },
    imagePullSecrets: [{ name: 'pull' }],
  });
  at.pod('urgent', { priorityClassName: '<own>-high' }, { ...dry, awaits: 201 });
  at.pod('boxed', { runtimeClassName: '<own>-boxed' }, { ...dry, awaits: 201 });
  at.pod('robot', { serviceAccountName: 'robot' }, { ...dry, awaits: 201 });
  for (const spec of [
    { priorityClassName: '<own>-none' },
    { priorityClassName: '<own>-high', priority: 5 },
    { priority: 5 },
    { priorityClassName: 'system-node-critical' },
    { priorityClassName: '<own>-high', preemptionPolicy: 'PreemptLowerPriority' },
    { runtimeClassName: '<own>-none' },
    { runtimeClassName: '<own>-boxed', overhead: { cpu: '1' } },
    { runtimeClassName: '<own>-boxed', nodeSelector: { box: 'no' } },
    { serviceAccountName: 'none' },
    { serviceAccountName: 'robot', automountServiceAccountToken: false },
    { serviceAccountName: 'robot', imagePullSecrets: [{ name: 'own' }] },
  ])
    at.pod('some', spec, dry);
}

const levels: readonly Json[] = [
  {},
  { hostNetwork: true },
  { container: { securityContext: { privileged: true } } },
  { securityContext: { runAsUser: 0 } },
  { volumes: [{ name: 'host', hostPath: { path: '/' } }] },
  {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    container: { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  },
];

/** What a namespace allows its Pods. */
function guarded(at: Relations): void {
  const labelled = (labels: Json): string => at.patch('/api/v1/namespaces/<own>-1', { metadata: { labels } }, 'merge');
  const key = 'pod-security.kubernetes.io';
  for (const [mode, level, answer] of [
    ['enforce', 'baseline', 403],
    ['enforce', 'restricted', 403],
  ] as const) {
    labelled({ [`${key}/${mode}`]: level, [`${key}/warn`]: 'restricted' });
    at.pod('wild', level === 'restricted' ? {} : { hostNetwork: true }, { ...dry, awaits: answer });
    for (const spec of levels) at.pod('some', spec, dry);
  }
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const spec = { selector: { matchLabels: { app: 'a' } }, template };
  at.make('Deployment', '/apis/apps/v1/namespaces/<own>-1/deployments', { metadata: { name: 'd' }, spec }, dry);
  labelled({ [`${key}/enforce`]: 'unknown' });
  labelled({ [`${key}/enforce-version`]: 'v9' });
  labelled({ [`${key}/enforce`]: null, [`${key}/warn`]: null });
}

/** What other parties tell and ask of a namespace that ends. */
const told: readonly (readonly [kind: string, path: string, json: Json])[] = [
  [
    'Event',
    `${inPlace(2)}/events`,
    { metadata: { name: 'old' }, involvedObject: { kind: 'Pod', namespace: '<own>-2', name: 'a' }, reason: 'Told' },
  ],
  [
    'Event',
    '/apis/events.k8s.io/v1/namespaces/<own>-2/events',
    {
      ...{ metadata: { name: 'new' }, eventTime: '2024-05-06T07:08:09.000001Z', type: 'Normal', reason: 'Told' },
      ...{ action: 'Telling', reportingController: 'example.com/a', reportingInstance: 'a' },
      regarding: { kind: 'Pod', namespace: '<own>-2', name: 'a' },
    },
  ],
  ['Lease', '/apis/coordination.k8s.io/v1/namespaces/<own>-2/leases', { metadata: { name: 'held' }, spec: {} }],
  [
    'LocalSubjectAccessReview',
    '/apis/authorization.k8s.io/v1/namespaces/<own>-2/localsubjectaccessreviews',
    { spec: { user: 'somebody', resourceAttributes: { namespace: '<own>-2', verb: 'get', resource: 'secrets' } } },
  ],
];

/** In a namespace that ends nothing is made, and all else can be done. */
function ending(at: Relations): void {
  const make = (name: string, parts: StepParts = {}): string =>
    at.make('ConfigMap', `${inPlace(2)}/configmaps`, { metadata: { name } }, parts);
  const space = '/api/v1/namespaces/<own>-2';
  make('early');
  at.remove(space, dry);
  make('still', dry);
  at.remove(space);
  at.get(space);
  make('late', { ...dry, awaits: 403 });
  for (const [kind, path, json] of told) at.make(kind, path, json);
  at.patch(`${inPlace(2)}/configmaps/early`, { data: { a: 'b' } });
  at.patch(`${inPlace(2)}/configmaps/new`, { apiVersion: 'v1', kind: 'ConfigMap' }, 'apply', {
    query: { fieldManager: 'alice' },
  });
  at.patch(space, { metadata: { labels: { late: 'yes' } }, spec: { finalizers: [] } });
  at.remove(`${inPlace(2)}/configmaps/early`);
  at.make('Namespace', '/api/v1/namespaces', { metadata: { name: '<own>-2' } });
}

/** What one Service holds no other gets. */
function allotted(at: Relations): void {
  const path = `${inPlace(1)}/services`;
  const make = (name: string, spec: Json, parts: StepParts = {}): string =>
    at.make('Service', path, { metadata: { name }, spec: { ports: [{ name: 'a', port: 80 }], ...spec } }, parts);
  const first = make('a', { type: 'NodePort' });
  const [ip, port] = [`<${first}:spec.clusterIP>`, `<${first}:spec.ports.0.nodePort>`];
  make('b', { clusterIP: ip });
  make('b', { clusterIP: 'None' });
  make('c', { clusterIP: 'none' });
  make('c', { clusterIP: '192.0.2.1' });
  at.patch(`${path}/b`, { spec: { clusterIP: ip } });
  at.patch(`${path}/a`, { spec: { clusterIP: null, clusterIPs: null } });
  at.get(`${path}/a`);
  at.patch(`${path}/a`, { spec: { type: 'ClusterIP' } });
  at.patch(`${path}/a`, { spec: { type: 'ExternalName', externalName: 'example.com' } });
  at.get(`${path}/a`);
  make('d', { clusterIP: ip }, dry);
  make('d', { clusterIP: ip });
  const brief = make('f', {});
  at.remove(`${path}/f`);
  make('g', { clusterIP: `<${brief}:spec.clusterIP>` });
  at.get(`${path}/g`);
  make('e', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
  at.story.add('create services', 'POST', path, { body: { text: portText(port) } });
}

/** A number that is known only then stands in no JSON value. */
const portText = (port: string): string =>
  `{"apiVersion":"v1","kind":"Service","metadata":{"name":"f"},"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":${port}}]}}`;

const account: Step = {
  ...{ id: 'account', what: 'create serviceaccounts', method: 'POST', path: `${inPlace(1)}/serviceaccounts` },
  body: { json: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } },
};

/** What objects of one kind mean for those of another. @param withPods nobody else acts on Pods */
export function relationScenarios(withPods: boolean): readonly Scenario[] {
  const ofPods = {
    limits,
    quotas,
    'classes of pods': named,
    'security of pods': guarded,
    'what is allotted': allotted,
  };
  const tales = { 'a namespace that ends': ending, ...(withPods ? ofPods : {}) };
  return Object.entries(tales).map(([name, tell]) => {
    const at = new Relations();
    tell(at);
    return at.story.scenario(name, 'sequences', 2, [account]);
  });
}
