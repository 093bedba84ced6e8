import { base64 } from '../../fixtures/certificates.ts';
import type { Capability } from '../capability.ts';
import type { Json } from './json.ts';
import { type KindPath, kindPaths } from './kinds.ts';
import { merged } from './merged.ts';

/** Parts of an object by a few words on what is wrong with them. */
type Unfit = Readonly<Record<string, Json>>;

/** A kind with what is no object of it, and with what no object of it may become. */
export interface JudgedKind {
  /** As the cell is called. */
  readonly name: string;
  readonly needs?: readonly Capability[];
  readonly at: KindPath;
  /** What a new object has beside its sample. */
  readonly base: Json;
  /** Refused as a new object, and as a change unless it is about metadata. */
  readonly refused: Unfit;
  /** Refused as a change; as a new object it might do. */
  readonly fixed: Unfit;
}

const judged = (at: KindPath, { base = {}, refused = {}, fixed = {}, ...more }: Partial<JudgedKind>): JudgedKind => ({
  ...{ name: at.resource, at, base, refused, fixed },
  ...more,
});

const pathOf = (group: string, version: string, resource: string, kind: string, namespaced = true): KindPath => ({
  ...{ group, version, resource, kind, namespaced },
});

const spec = (parts: Json): Json => ({ spec: parts });
const podSpec = (more: Json = {}): Json => ({
  containers: [{ name: 'main', image: 'registry.example/pause:1' }],
  ...more,
});
const template = (app: string, more: Json = {}): Json => ({ metadata: { labels: { app } }, spec: podSpec(more) });
const workload = (more: Json = {}): Json =>
  spec({ selector: { matchLabels: { app: 'judged' } }, template: template('judged'), ...more });
const otherLabels = spec({ template: template('other') });
const otherSelector = workload({ selector: { matchLabels: { app: 'other' } }, template: template('other') });
const jobOf = (more: Json): Json => spec({ jobTemplate: { spec: { template: { spec: podSpec(more) } } } });
const limit = (more: Json): Json => spec({ limits: [{ type: 'Container', ...more }] });
const from = (peer: Json): Json => spec({ ingress: [{ from: [peer] }] });
const ports = (...all: readonly Json[]): Json => spec({ ports: all });
const rule = (more: Json): Json => ({
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], ...more }],
});

const { secrets, configMaps, services, persistentVolumeClaims, resourceQuotas, leases, roles, roleBindings } =
  kindPaths;
const { deployments, statefulSets, replicaSets, jobs, networkPolicies, ingressClasses, priorityClasses } = kindPaths;

const immutable = { 'what it holds': { data: { a: base64('other') } }, 'that it is immutable': { immutable: false } };

const ofData: readonly JudgedKind[] = [
  judged(secrets, {
    refused: {
      'a bad name': { metadata: { name: 'Not_A_Name' } },
      'a bad key': { data: { 'bad key!': base64('a') } },
      'a type without its data': { type: 'kubernetes.io/tls' },
    },
    fixed: { 'another type': { type: 'example.com/other' } },
  }),
  judged(secrets, {
    name: 'immutable secrets',
    base: { immutable: true, data: { a: base64('one') } },
    fixed: immutable,
  }),
  judged(configMaps, {
    refused: {
      'a bad key': { data: { 'bad key!': 'a' } },
      'a key twice': { data: { one: 'a' }, binaryData: { one: base64('a') } },
    },
  }),
  judged(configMaps, { name: 'immutable configmaps', base: { immutable: true, data: { a: 'one' } }, fixed: immutable }),
];

const ofLoad: readonly JudgedKind[] = [
  judged(services, {
    refused: {
      'no port of the network': ports({ port: 0 }),
      'an unknown protocol': ports({ port: 80, protocol: 'OTHER' }),
      'two ports of one name': ports({ name: 'a', port: 80 }, { name: 'a', port: 81 }),
      'an unknown type': spec({ type: 'Other' }),
      'an unknown affinity': spec({ sessionAffinity: 'Other' }),
    },
    fixed: { 'no address': spec({ clusterIP: 'None' }) },
  }),
  judged(deployments, {
    base: workload({ paused: true, replicas: 0 }),
    refused: {
      'fewer than no pods': spec({ replicas: -1 }),
      'pods that it does not select': otherLabels,
      'pods that end': spec({ template: template('judged', { restartPolicy: 'Never' }) }),
      'an unknown strategy': spec({ strategy: { type: 'Other' } }),
      'no way to roll': spec({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
      }),
    },
    fixed: { 'another selector': otherSelector },
  }),
  judged(statefulSets, {
    base: workload({ replicas: 0, serviceName: 'one' }),
    refused: {
      'fewer than no pods': spec({ replicas: -1 }),
      'pods that it does not select': otherLabels,
      'an unknown order': spec({ podManagementPolicy: 'Other' }),
    },
    fixed: { 'another service': spec({ serviceName: 'other' }) },
  }),
  judged(replicaSets, {
    base: workload({ replicas: 0 }),
    refused: { 'fewer than no pods': spec({ replicas: -1 }), 'pods that it does not select': otherLabels },
    fixed: { 'another selector': otherSelector },
  }),
  judged(pathOf('apps', 'v1', 'daemonsets', 'DaemonSet'), {
    base: workload({ template: template('judged', { nodeSelector: { 'touchstone.example/none': 'such' } }) }),
    refused: { 'pods that it does not select': otherLabels, 'less than no time': spec({ minReadySeconds: -1 }) },
    fixed: { 'another selector': otherSelector },
  }),
  judged(jobs, {
    base: spec({ suspend: true }),
    refused: {
      'fewer than no pods': spec({ parallelism: -1 }),
      'fewer than no failures': spec({ backoffLimit: -1 }),
      'a selector of its own that selects others': spec({
        ...{ manualSelector: true, selector: { matchLabels: { app: 'other' } } },
        template: template('judged', { restartPolicy: 'Never' }),
      }),
      'an unknown mode': spec({ completionMode: 'Other' }),
      'pods that never end': spec({ template: { spec: podSpec({ restartPolicy: 'Always' }) } }),
    },
    fixed: { 'another number of completions': spec({ completions: 7 }) },
  }),
  judged(pathOf('batch', 'v1', 'cronjobs', 'CronJob'), {
    base: merged(jobOf({ restartPolicy: 'Never' }), spec({ schedule: '0 0 1 1 *', suspend: true })),
    refused: {
      'no schedule': spec({ schedule: '' }),
      'half a schedule': spec({ schedule: '* * *' }),
      'an unknown policy': spec({ concurrencyPolicy: 'Other' }),
      'less than no history': spec({ failedJobsHistoryLimit: -1 }),
      'pods that never end': jobOf({ restartPolicy: 'Always' }),
    },
  }),
];

const ofScale: readonly JudgedKind[] = [
  judged(pathOf('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'), {
    base: spec({ maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } }),
    refused: {
      'more at least than at most': spec({ minReplicas: 4 }),
      'none at most': spec({ maxReplicas: 0 }),
      'fewer than none': spec({ minReplicas: -1 }),
      'nothing to scale': spec({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: '' } }),
    },
  }),
  judged(pathOf('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'), {
    base: spec({ minAvailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }),
    refused: {
      'both limits': spec({ maxUnavailable: 1 }),
      'fewer than none': spec({ minAvailable: -1 }),
      'more than all': spec({ minAvailable: '101%' }),
      'no number': spec({ minAvailable: 'some' }),
    },
  }),
  judged(leases, {
    refused: {
      'no time': spec({ leaseDurationSeconds: 0 }),
      'fewer than no transitions': spec({ leaseTransitions: -1 }),
    },
  }),
  judged(resourceQuotas, {
    refused: {
      'less than nothing': spec({ hard: { pods: '-1' } }),
      'half an object': spec({ hard: { pods: '1.5' } }),
      'an unknown scope': spec({ hard: { pods: '1' }, scopes: ['Other'] }),
    },
  }),
  judged(pathOf('', 'v1', 'limitranges', 'LimitRange'), {
    base: limit({ max: { cpu: '2' } }),
    refused: {
      'more at least than at most': limit({ min: { cpu: '3' }, max: { cpu: '2' } }),
      'a default beyond the limit': limit({ default: { cpu: '3' }, max: { cpu: '2' } }),
    },
  }),
  judged(persistentVolumeClaims, {
    base: spec({ storageClassName: 'touchstone-nobody' }),
    refused: {
      'no way to use it': spec({ accessModes: [] }),
      'an unknown way to use it': spec({ accessModes: ['Other'] }),
      'less than no room': spec({ resources: { requests: { storage: '-1Gi' } } }),
    },
    fixed: { 'another way to use it': spec({ accessModes: ['ReadWriteMany'] }) },
  }),
];

const ofPolicy: readonly JudgedKind[] = [
  judged(networkPolicies, {
    refused: {
      'no range of addresses': from({ ipBlock: { cidr: 'nowhere' } }),
      'an exception beyond the range': from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
      'addresses and pods at once': from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }),
      'ports that end before they begin': spec({ ingress: [{ ports: [{ protocol: 'TCP', port: 90, endPort: 80 }] }] }),
      'an unknown direction': spec({ policyTypes: ['Other'] }),
    },
  }),
  judged(ingressClasses, {
    refused: { 'a controller without a domain': spec({ controller: 'plain' }) },
    fixed: { 'another controller': spec({ controller: 'example.com/other' }) },
  }),
  judged(roles, {
    refused: { 'no verbs': rule({ verbs: [] }), 'no resources': rule({ resources: [] }) },
  }),
  judged(roleBindings, {
    refused: {
      'a subject without a name': { subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: '' }] },
      'an unknown subject': { subjects: [{ kind: 'Other', apiGroup: 'rbac.authorization.k8s.io', name: 'a' }] },
    },
    fixed: { 'another role': { roleRef: { name: 'touchstone-other' } } },
  }),
  judged(priorityClasses, {
    refused: {
      'more than users may have': { value: 2_000_000_000 },
      'an unknown policy': { preemptionPolicy: 'Other' },
    },
    fixed: { 'another value': { value: 1001 } },
  }),
  judged(pathOf('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', false), {
    base: { provisioner: 'touchstone.example/nobody', parameters: { kind: 'slow' } },
    refused: { 'nobody who provides': { provisioner: '' }, 'an unknown policy': { reclaimPolicy: 'Other' } },
    fixed: {
      'another who provides': { provisioner: 'touchstone.example/other' },
      'other parameters': { parameters: { kind: 'fast' } },
      'another policy': { reclaimPolicy: 'Retain' },
      'another time to bind': { volumeBindingMode: 'WaitForFirstConsumer' },
    },
  }),
  judged(kindPaths.runtimeClasses, {
    refused: { 'a bad handler': { handler: 'Not_A_Handler' } },
    fixed: { 'another handler': { handler: 'other' } },
  }),
];

/** Built-in kinds of every group, whose rules stand in no sentence of their own. */
export const judgedKinds: readonly JudgedKind[] = [...ofData, ...ofLoad, ...ofScale, ...ofPolicy];
