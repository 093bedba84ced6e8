import type { Json } from '../../../verbs/client.ts';
import { ownLabels, type Scenario, type Step } from '../../play/scenario.ts';
import { dry, type StepParts } from '../story.ts';
import { guarded } from './guards.ts';
import { deleteOptions } from './life.ts';
import { quotas, scopes } from './quotas.ts';
import { claim, cluster, inPlace, Relations, sized } from './relation-story.ts';

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
  const claims = `${inPlace(1)}/persistentvolumeclaims`;
  for (const name of ['early', 'late'])
    at.make('PersistentVolumeClaim', claims, {
      ...claim('500Mi'),
      metadata: { name, finalizers: ['touchstone.example/hold'] },
    });
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
  // What runs first is gone before the others run.
  const [one, other] = ['one', 'other'].map((name) => ({
    ...{ name, image: 'x', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } },
  }));
  at.pod('in-turn', { containers: [one], initContainers: [other] }, dry);
  for (const storage of ['500Mi', '1Gi', '9Gi']) at.make('PersistentVolumeClaim', claims, claim(storage), dry);
  outgrown(at, claims);
}

/** Claims that were there before their limits: what becomes of one that stays, and of one that is to go. */
function outgrown(at: Relations, claims: string): void {
  const touched = { metadata: { labels: { touched: 'yes' } } };
  at.remove(`${claims}/late`);
  for (const name of ['early', 'late']) {
    at.patch(`${claims}/${name}`, touched);
    at.patch(`${claims}/${name}`, { metadata: { finalizers: null } });
    at.get(`${claims}/${name}`);
  }
}

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
  for (const name of ['system-<own>', 'system-node-critical'])
    at.make('PriorityClass', `/apis/${priorities}`, { metadata: { name, labels: ownLabels }, value: 7 }, dry);
  // Neither is ever to go: this is of another one, and a rehearsal.
  const preconditions = { uid: '00000000-1111-2222-3333-444444444444' };
  for (const name of ['<own>-high', 'system-cluster-critical', 'system-node-critical'])
    at.remove(`/apis/${priorities}/${name}`, {
      body: { json: deleteOptions({ dryRun: ['All'], preconditions }) },
    });
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

type Tales = Readonly<Record<string, (at: Relations) => void>>;

const tales: Readonly<Record<string, Tales>> = {
  ConfigMap: { 'a namespace that ends': ending },
  LimitRange: { limits },
  ResourceQuota: { quotas, 'quotas of some pods': scopes },
  PriorityClass: { 'classes of pods': named },
  Pod: { 'security of pods': guarded },
  Service: { 'what is allotted': allotted },
};

/** What objects of a kind mean for those of another. @param withPods nobody else acts on Pods, which most are about */
export function relationScenarios(kind: string, withPods: boolean): readonly Scenario[] {
  if (!withPods && kind !== 'ConfigMap') return [];
  return Object.entries(tales[kind] ?? {}).map(([name, tell]) => {
    const at = new Relations();
    tell(at);
    return at.story.scenario(name, 'sequences', 2, [account]);
  });
}
