import { base64 } from '../../../fixtures/certificates.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { image } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { claimsNothing, spec } from '../unfit/judged-kind.ts';
import { changed } from '../unfit/judged-objects.ts';
import { fillsAgain, takingAway } from './filled-again.ts';
import { filledFurther } from './filled-further.ts';
import { type FilledKind, filledKind } from './filled-kind.ts';
import { filledContainer, filledPod, paced, rbac } from './filled-parts.ts';
import { filledPods } from './filled-pods.ts';
import { filledServices } from './filled-services.ts';

const { secrets, deployments, statefulSets, jobs, networkPolicies, ingressClasses } = kindPaths;
const { roleBindings, priorityClasses, endpointSlices, persistentVolumeClaims } = kindPaths;

const podOf = (container: Json = {}, more: Json = {}): Json => ({
  containers: [{ name: 'main', image, ...container }],
  ...more,
});
const templateOf = (container?: Json, more?: Json): Json =>
  spec({ template: { metadata: { labels: { app: 'filled' } }, spec: podOf(container, more) } });
const pods = merged(templateOf(), spec({ selector: { matchLabels: { app: 'filled' } } }));
const keptPod = { ...filledPod, restartPolicy: 'Always' };
const inContainer = (container: Json): Json => spec({ template: { spec: { containers: [container] } } });
const both = ['main', 'second'].map((name) => ({ name, image }));

const ofLoad: readonly FilledKind[] = [
  filledKind(deployments, merged(pods, spec({ paused: true, replicas: 0 })), {
    'a template': [
      {},
      merged(
        spec({
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
          ...{ revisionHistoryLimit: 10, progressDeadlineSeconds: 600, template: { spec: keptPod } },
        }),
        inContainer(filledContainer),
      ),
    ],
    'several containers': [
      templateOf({}, { initContainers: [{ name: 'first', image }], containers: [both[0], both[1]] }),
      spec({
        template: { spec: { initContainers: [filledContainer], containers: [filledContainer, filledContainer] } },
      }),
    ],
    'an image of no version': [
      templateOf({ image: 'registry.example/pause' }),
      inContainer({ imagePullPolicy: 'Always' }),
    ],
    'ports and a probe': [
      templateOf({ ports: [{ containerPort: 80 }, { containerPort: 81 }], livenessProbe: { httpGet: { port: 80 } } }),
      inContainer({
        ports: [80, 81].map((containerPort) => ({ containerPort, protocol: 'TCP' })),
        livenessProbe: { httpGet: { port: 80, path: '/', scheme: 'HTTP' }, ...paced },
      }),
    ],
    volumes: [
      templateOf({}, { volumes: [{ name: 'a', secret: { secretName: 'a' } }, { name: 'b' }] }),
      spec({
        template: {
          spec: { volumes: [{ name: 'a', secret: { secretName: 'a', defaultMode: 420 } }, { emptyDir: {} }] },
        },
      }),
    ],
  }),
  filledKind(statefulSets, merged(pods, spec({ replicas: 0 })), {
    'a template': [
      {},
      spec({
        ...{ podManagementPolicy: 'OrderedReady', revisionHistoryLimit: 10, template: { spec: keptPod } },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      }),
    ],
  }),
  {
    ...{ name: 'replicationcontrollers', at: kindPaths.replicationControllers, base: templateOf(), rehearsed: true },
    filled: {
      'a template': [
        spec({ replicas: undefined, selector: undefined }),
        {
          ...spec({ replicas: 1, selector: { app: 'filled' }, template: { spec: keptPod } }),
          status: { replicas: 0 },
        },
      ],
    },
  },
  filledKind(
    jobs,
    spec({ suspend: true }),
    {
      'a template': [{}, spec({ parallelism: 1, completions: 1, backoffLimit: 6 })],
      'how many at once': [spec({ parallelism: 2 }), spec({ backoffLimit: 6, parallelism: 2 })],
    },
    { grown: true },
  ),
  filledKind(
    kindPaths.cronJobs,
    spec({
      schedule: '0 0 1 1 *',
      jobTemplate: { spec: { template: { spec: podOf({}, { restartPolicy: 'Never' }) } } },
    }),
    {
      'a schedule': [
        {},
        spec({
          ...{ concurrencyPolicy: 'Allow', suspend: false },
          ...{ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
        }),
      ],
    },
  ),
];

const ofClaim = { kind: 'PersistentVolumeClaim', name: 'a' };
const ofOthers = { apiGroup: 'example.com', kind: 'Some', name: 'a' };

const ofSettings: readonly FilledKind[] = [
  filledKind(
    secrets,
    {},
    {
      'no type': [{}, { type: 'Opaque' }],
      texts: [
        { data: { a: base64('one'), b: base64('two') }, stringData: { b: 'three' } },
        { data: { a: base64('one'), b: base64('three') } },
      ],
    },
  ),
  filledKind(persistentVolumeClaims, claimsNothing, {
    'no mode': [{}, spec({ volumeMode: 'Filesystem' })],
  }),
  {
    ...{ name: 'sources of persistentvolumeclaims', at: persistentVolumeClaims, base: claimsNothing },
    ...{ holds: { from: 24 }, rehearsed: true },
    filled: {
      'a source by its old name': [spec({ dataSource: ofClaim }), spec({ dataSourceRef: ofClaim })],
      'a source by its new name': [spec({ dataSourceRef: ofOthers }), spec({ dataSource: ofOthers })],
    },
  },
  {
    ...{ name: 'persistentvolumes', at: kindPaths.persistentVolumes, rehearsed: true },
    base: spec({ storageClassName: 'touchstone-nobody' }),
    filled: {
      'a volume': [
        {},
        spec({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', hostPath: { type: '' } }),
      ],
      'a target': [
        spec({ hostPath: undefined, iscsi: { targetPortal: 'a:1', iqn: 'iqn.2024-05.com.example:a' } }),
        spec({ iscsi: { iscsiInterface: 'default' } }),
      ],
    },
  },
  filledKind(
    networkPolicies,
    {},
    {
      'no direction': [{}, spec({ policyTypes: ['Ingress'] })],
      'what may go out': [spec({ egress: [{}] }), spec({ policyTypes: ['Ingress', 'Egress'] })],
      'what may come in': [spec({ ingress: [{}] }), spec({ policyTypes: ['Ingress'] })],
      'a port': [
        spec({ ingress: [{ ports: [{ port: 80 }] }] }),
        spec({ ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }] }),
      ],
    },
  ),
  filledKind(
    endpointSlices,
    {},
    {
      'a port': [{ ports: [{ port: 80 }] }, { ports: [{ name: '', port: 80, protocol: 'TCP' }] }],
      'endpoints of which nothing is said': [
        { endpoints: ['10.1.2.3', '10.1.2.4'].map((address) => ({ addresses: [address] })) },
        { endpoints: [{ conditions: {} }, { conditions: {} }] },
      ],
    },
  ),
  filledKind(
    ingressClasses,
    {},
    {
      parameters: [
        spec({ parameters: { apiGroup: 'example.com', kind: 'Parameters', name: 'a' } }),
        spec({ parameters: { scope: 'Cluster' } }),
      ],
    },
    { holds: { from: 22 } },
  ),
  filledKind(
    roleBindings,
    {},
    {
      'a user and a group': [
        { subjects: ['User', 'Group'].map((kind) => ({ kind, name: 'a' })) },
        { subjects: ['User', 'Group'].map((kind) => ({ kind, apiGroup: rbac, name: 'a' })) },
      ],
    },
  ),
  filledKind(priorityClasses, {}, { 'a value': [{}, { preemptionPolicy: 'PreemptLowerPriority' }] }),
  filledKind(
    kindPaths.storageClasses,
    {},
    {
      'who provides': [
        { provisioner: 'touchstone.example/nobody' },
        { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
      ],
    },
  ),
  filledKind(
    kindPaths.limitRanges,
    {},
    {
      'the most': [
        spec({ limits: [{ type: 'Container', max: { cpu: '2' } }] }),
        spec({ limits: [{ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '2' } }] }),
      ],
    },
  ),
  filledKind(
    kindPaths.horizontalPodAutoscalers,
    spec({ maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } }),
    { 'the most': [{}, spec({ minReplicas: 1 })] },
  ),
];

/** Built-in kinds of several groups, whose defaults stand in no sentence of their own. */
export const filledKinds: readonly FilledKind[] = [
  ...[...filledServices, ...ofLoad, ...ofSettings, ...filledPods, ...filledFurther],
];

/** What is left out is filled in by a create and an update, and what made no sense any more goes. */
export async function fillsKind(context: RuleContext, kind: FilledKind): Promise<void> {
  const { expect } = context;
  await kind.prepare?.(context);
  const objects = context.kind(kind.at).with({ base: kind.base });
  for (const [what, [parts, stored]] of Object.entries(kind.filled)) {
    const sent = objects.sample(parts);
    const made = await objects.post(sent, kind.rehearsed ? { dryRun: 'All' } : {});
    expect(made.status, `${what}: ${said(made)}`).toBe(201);
    expect(made.body, what).toMatchObject(stored);
    if (kind.grown || kind.rehearsed) continue;
    const { metadata } = await objects.read(sent.metadata.name);
    const { name, labels } = metadata;
    const replaced = await objects.put({ ...sent, metadata: { name, labels: { ...labels, round: 'two' } } });
    expect(replaced.status, `${what}, replaced: ${said(replaced)}`).toBe(200);
    expect(replaced.body, `the answer to ${what}, replaced`).toMatchObject(stored);
    expect(await objects.read(name), `${what}, replaced`).toMatchObject(stored);
    await fillsAgain(context, objects, name, takingAway(sent, stored), stored);
  }
  for (const [what, [before, after, gone]] of Object.entries(kind.turned ?? {})) {
    const { name } = (await objects.create(before)).metadata;
    const answer = await changed(objects, name, after);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    const object = await objects.read(name);
    for (const path of gone) expect(object, what).not.toHaveProperty(path);
  }
}
