import { base64 } from '../../../fixtures/certificates.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { saidToWait } from '../pods/begun-jobs.ts';
import { unfitAmounts } from './amounts.ts';
import { unfitCronJobs } from './cron-jobs.ts';
import { unfitDaemonSets } from './daemon-sets.ts';
import { unfitFlows } from './flows.ts';
import { unfitGrants } from './grants.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';
import { unfitMeasures } from './measures.ts';
import { unfitParts } from './parts.ts';
import { unfitPersistentVolumes } from './persistent-volumes.ts';
import { unfitPodAnnotations } from './pod-annotations.ts';
import { unfitPods } from './pods.ts';
import { unfitRecords } from './records.ts';
import { unfitRoutes } from './routes.ts';
import { unfitServices } from './services.ts';
import { unfitSettings } from './settings.ts';
import { unfitStorage } from './storage.ts';
import { unfitTemplates } from './templates.ts';
import { unfitWebhooks } from './webhooks.ts';
import { otherLabels, otherSelector, podSpec, template, workload } from './workload-parts.ts';

const containers = (...all: readonly Json[]): Json =>
  spec({ containers: all.map((one, at) => ({ name: `c${at}`, image, ...one })) });
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const tolerating = (...keys: readonly string[]): Json =>
  spec({ tolerations: keys.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute' })) });

const { secrets, configMaps, deployments, statefulSets, replicaSets, jobs, pods } = kindPaths;

/** What they may hold, measured as what it stands for, and a little more than half of it. */
const [whole, half] = ['x'.repeat(1_048_576), 'x'.repeat(524_289)];

const immutable = { 'what it holds': { data: { a: base64('other') } }, 'that it is immutable': { immutable: false } };

const ofData: readonly JudgedKind[] = [
  judged(secrets, {
    refused: {
      'a bad name': { metadata: { name: 'Not_A_Name' } },
      'a bad key': { data: { 'bad key!': base64('a') } },
      'a type without its data': { type: 'kubernetes.io/tls' },
      'a certificate without its key': { type: 'kubernetes.io/tls', data: { 'tls.crt': base64('a') } },
      'a key without its certificate': { type: 'kubernetes.io/tls', data: { 'tls.key': base64('a') } },
      'no key to log in with': { type: 'kubernetes.io/ssh-auth' },
      'neither a name nor a password': { type: 'kubernetes.io/basic-auth' },
      'no account': { type: 'kubernetes.io/service-account-token' },
      'registries that are no JSON': {
        ...{ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('a') } },
      },
      'no registries': { type: 'kubernetes.io/dockerconfigjson' },
      'registries in the older form that are no JSON': {
        ...{ type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('a') } },
      },
      'no registries in the older form': { type: 'kubernetes.io/dockercfg' },
      'more than a mebibyte': { data: { a: base64(half), b: base64(half) } },
    },
    fixed: { 'another type': { type: 'example.com/other' } },
    fitting: {
      'a name without a password': { type: 'kubernetes.io/basic-auth', data: { username: base64('a') } },
      'a password without a name': { type: 'kubernetes.io/basic-auth', stringData: { password: 'a' } },
      'more than a type needs': {
        ...{ type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '', 'ca.crt': base64('a') } },
      },
      'a mebibyte': { data: { a: base64(whole) } },
    },
  }),
  judged(secrets, {
    name: 'secrets for TLS',
    base: { type: 'kubernetes.io/tls', data: { 'tls.crt': base64('one'), 'tls.key': base64('one') } },
    refused: {
      'no certificate': { data: { 'tls.crt': undefined } },
      'no key': { data: { 'tls.key': undefined } },
      nothing: { data: undefined },
    },
    fixed: {
      'no type': { type: 'Opaque' },
      'another known type': { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': base64('one') } },
    },
    free: { 'another key': { data: { 'tls.key': base64('other') } } },
  }),
  judged(secrets, {
    name: 'immutable secrets',
    base: { immutable: true, data: { a: base64('one'), empty: '' } },
    fixed: immutable,
  }),
  judged(configMaps, {
    refused: {
      'a bad key': { data: { 'bad key!': 'a' } },
      'a key twice': { data: { one: 'a' }, binaryData: { one: base64('a') } },
      'a bad key of bytes': { binaryData: { one: base64('a'), 'bad key!': base64('a') } },
      'a key that leads elsewhere': { data: { '..': 'a' } },
    },
    fresh: { 'more than a mebibyte in texts and bytes': { data: { a: half }, binaryData: { b: base64(half) } } },
    fitting: {
      'keys with everything that they may have': { data: { '.a-b_C.9': '' }, binaryData: { 'a..b': '' } },
      'a mebibyte of bytes': { data: undefined, binaryData: { a: base64(whole) } },
    },
  }),
  judged(configMaps, {
    name: 'immutable configmaps',
    base: { immutable: true, data: { a: 'one' }, binaryData: { b: base64('one') } },
    fixed: {
      ...immutable,
      'what it holds of bytes': { binaryData: { b: base64('other') } },
      'one more': { data: { c: 'one' } },
      'one more of bytes': { binaryData: { c: base64('one') } },
      'less of it': { data: { a: undefined } },
      'less of bytes': { binaryData: { b: undefined } },
    },
  }),
  judged(configMaps, {
    name: 'immutable configmaps that hold nothing',
    base: { immutable: true },
    fixed: { ...immutable, bytes: { binaryData: { b: base64('one') } }, 'an empty text': { data: { a: '' } } },
  }),
  judged(secrets, {
    name: 'immutable secrets that hold nothing',
    base: { immutable: true, data: undefined },
    fixed: { ...immutable, 'a text': { stringData: { a: 'one' } }, 'an empty text': { data: { a: '' } } },
  }),
];

const ofLoad: readonly JudgedKind[] = [
  ...unfitServices,
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
      'a way to roll that it does not take': spec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      'a share that is none': spec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 'some' } } }),
      'less than no time': spec({ minReadySeconds: -1 }),
      'less than no history': spec({ revisionHistoryLimit: -1 }),
      'more than all that are gone': spec({ strategy: { rollingUpdate: { maxUnavailable: '101%' } } }),
      'no time to be ready in': spec({ minReadySeconds: 600, progressDeadlineSeconds: 600 }),
      'no containers': spec({ template: template('judged', { containers: [] }) }),
    },
    fitting: {
      'nothing but a surge': spec({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } },
      }),
      'all of them anew': spec({ strategy: { type: 'Recreate' } }),
      'more than twice as many, or none': spec({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '101%', maxUnavailable: '100%' } },
      }),
    },
    fixed: { 'another selector': otherSelector },
    free: {
      'another pace': spec({ minReadySeconds: 1, progressDeadlineSeconds: 9, revisionHistoryLimit: 0 }),
      'other containers': spec({ template: template('judged', { terminationGracePeriodSeconds: 7 }) }),
      'another way to roll': spec({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
    },
  }),
  judged(statefulSets, {
    base: workload({ replicas: 0, serviceName: 'one' }),
    refused: {
      'fewer than no pods': spec({ replicas: -1 }),
      'pods that it does not select': otherLabels,
      'an unknown order': spec({ podManagementPolicy: 'Other' }),
      'an unknown strategy': spec({ updateStrategy: { type: 'Other' } }),
      'less than no part': spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } }),
      'a part of those that wait': spec({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
      'pods that end': spec({ template: template('judged', { restartPolicy: 'Never' }) }),
    },
    fitting: {
      'that they wait': spec({ updateStrategy: { type: 'OnDelete' } }),
      'all of them at once': spec({ podManagementPolicy: 'Parallel' }),
    },
    fixed: {
      'another service': spec({ serviceName: 'other' }),
      'another order': spec({ podManagementPolicy: 'Parallel' }),
      'other claims': spec({ volumeClaimTemplates: [claim] }),
    },
    free: {
      'other containers': spec({ template: template('judged', { terminationGracePeriodSeconds: 7 }) }),
      'a part of them': spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 3 } } }),
    },
  }),
  judged(replicaSets, {
    base: workload({ replicas: 0 }),
    refused: { 'fewer than no pods': spec({ replicas: -1 }), 'pods that it does not select': otherLabels },
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
      'pods that never end': spec({ template: { spec: podSpec({ restartPolicy: 'Always' }) } }),
    },
    free: {
      'another pace': spec({ parallelism: 3, backoffLimit: 2, activeDeadlineSeconds: 600, ttlSecondsAfterFinished: 0 }),
    },
    fitting: { 'nothing at all': spec({ parallelism: 0, completions: 0, backoffLimit: 0 }) },
    fixed: {
      'another number of completions': spec({ completions: 7 }),
      'other containers': spec({
        template: { spec: { containers: [{ name: 'other', image: 'registry.example/other:1' }] } },
      }),
    },
  }),
  judged(jobs, {
    name: 'jobs that wait',
    holds: { from: 23 },
    base: spec({ suspend: true }),
    status: saidToWait,
    free: { 'other nodes': spec({ template: { spec: { nodeSelector: { a: 'b' } } } }) },
    fixed: { 'other containers': spec({ template: { spec: { hostNetwork: true } } }) },
  }),
];

const ofPods: readonly JudgedKind[] = [
  judged(pods, {
    needs: ['pods'],
    prepare: preparePods,
    base: merged(
      tolerating('one', 'two'),
      spec({ schedulerName: 'touchstone.example/nobody', activeDeadlineSeconds: 600 }),
    ),
    refused: {
      'no containers': containers(),
      'two containers of one name': containers({ name: 'a' }, { name: 'b' }, { name: 'a' }),
      'a bad name of a container': containers({ name: 'Not_A_Name' }),
      'no image': containers({ image: '' }),
      'an unknown way to restart': spec({ restartPolicy: 'Other' }),
      'an unknown way to find names': spec({ dnsPolicy: 'Other' }),
      'an unknown way to get an image': containers({ imagePullPolicy: 'Other' }),
      'a port beyond the last': containers({ ports: [{ containerPort: 65_536 }] }),
      'a volume that is not there': containers({ volumeMounts: [{ name: 'none', mountPath: '/a' }] }),
      'a value from nowhere': containers({ env: [{ name: 'A', valueFrom: {} }] }),
      'more at least than at most': containers({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
      'less than no time': spec({ activeDeadlineSeconds: -1 }),
    },
    fixed: {
      'fewer tolerations': tolerating('one'),
      'other tolerations': tolerating('one', 'other'),
      'more containers': containers({ name: 'main' }, {}),
      'another name of its host': spec({ hostname: 'other' }),
      'a container without an image': containers({ name: 'main', image: '' }),
      'a container whose image is blank': containers({ name: 'main', image: ' ' }),
      'another account': spec({ serviceAccountName: 'other' }),
      'another scheduler': spec({ schedulerName: 'touchstone.example/other' }),
      'more time': spec({ activeDeadlineSeconds: 601 }),
      'time without an end': spec({ activeDeadlineSeconds: undefined }),
    },
  }),
];

/** Built-in kinds of every group, whose rules stand in no sentence of their own, or in many. */
export const judgedKinds: readonly JudgedKind[] = [
  ...[...ofData, ...ofLoad, ...unfitDaemonSets, ...unfitCronJobs, ...ofPods, ...unfitPods],
  ...[...unfitTemplates, ...unfitPodAnnotations, ...unfitPersistentVolumes, ...unfitSettings, ...unfitAmounts],
  ...[...unfitGrants, ...unfitMeasures, ...unfitRoutes, ...unfitRecords],
  ...[...unfitParts, ...unfitStorage, ...unfitFlows, ...unfitWebhooks],
];
