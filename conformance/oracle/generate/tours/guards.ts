import type { Json } from '../../../verbs/client.ts';
import { dry, dryBeside } from '../story.ts';
import { inPlace, type Relations } from './relation-story.ts';

const inContainer = (...contexts: readonly Json[]): Json[] =>
  contexts.map((securityContext) => ({ container: { securityContext } }));
const inPod = (...contexts: readonly Json[]): Json[] => contexts.map((securityContext) => ({ securityContext }));
const secure = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const closed = { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } };

/** Each thing that a standard is about, by itself. */
const levels: readonly Json[] = [
  {},
  { hostPID: true },
  { hostIPC: true },
  ...[0, 80].map((hostPort) => ({ container: { ports: [{ containerPort: 80, hostPort }] } })),
  ...inContainer(
    ...[['NET_ADMIN'], ['CHOWN'], ['NET_RAW', 'SYS_TIME']].map((add) => ({ capabilities: { add } })),
    { procMount: 'Unmasked' },
    ...['Unconfined', 'Localhost'].map((type) => ({ seccompProfile: { type, localhostProfile: 'a' } })),
    { seLinuxOptions: { type: 'spc_t' } },
    { windowsOptions: { hostProcess: true } },
  ),
  ...inPod(
    ...[{ type: 'container_t' }, { type: 'spc_t' }, { user: 'a' }, { role: 'a' }].map((seLinuxOptions) => ({
      seLinuxOptions,
    })),
    { seccompProfile: { type: 'Unconfined' } },
    ...['kernel.shm_rmid_forced', 'net.core.somaxconn'].map((name) => ({ sysctls: [{ name, value: '1' }] })),
    { windowsOptions: { hostProcess: true } },
  ),
  ...[closed, { securityContext: { ...closed.securityContext, runAsNonRoot: false } }].map((container) => ({
    ...{ securityContext: secure, container },
  })),
  { securityContext: { ...secure, runAsUser: 0 }, container: closed },
  { securityContext: secure, container: closed, initContainers: [{ name: 'first', image: 'a' }] },
  { securityContext: secure, container: closed, volumes: [{ name: 'a', nfs: { server: 'a', path: '/' } }] },
  { securityContext: secure, container: closed, volumes: [{ name: 'a', emptyDir: {} }] },
  { os: { name: 'windows' } },
  { hostNetwork: true },
  { container: { securityContext: { privileged: true } } },
  { securityContext: { runAsUser: 0 } },
  { volumes: [{ name: 'host', hostPath: { path: '/' } }] },
  {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    container: { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  },
];

/** Pods that were there before anybody minded, each with something that is minded later. */
const early: Readonly<Record<string, Json>> = {
  wide: { hostNetwork: true, initContainers: [{ name: 'first', image: 'registry.example/first:1' }] },
  deep: { container: { securityContext: { privileged: true } } },
};

/** What is a new Pod to who guards, and what is not. */
const updates: readonly Json[] = [
  { op: 'replace', path: '/spec/containers/0/image', value: 'registry.example/pause:2' },
  { op: 'replace', path: '/spec/initContainers/0/image', value: 'registry.example/first:2' },
  { op: 'add', path: '/spec/activeDeadlineSeconds', value: 60 },
  { op: 'add', path: '/spec/tolerations/-', value: { key: 'some', operator: 'Exists' } },
  { op: 'add', path: '/metadata/labels/touched', value: 'yes' },
  { op: 'add', path: '/metadata/annotations', value: { touched: 'yes' } },
  { op: 'add', path: '/metadata/annotations', value: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
];

const labels = { app: 'a' };
const templateOf = (more: Json = {}): Json => ({
  metadata: { labels },
  spec: { containers: [{ name: 'a', image: 'a' }], ...more },
});
const selecting = { selector: { matchLabels: labels }, template: templateOf() };
const ending = { template: templateOf({ restartPolicy: 'Never' }) };
const [core, apps, batch] = ['/api/v1', '/apis/apps/v1', '/apis/batch/v1'].map((of) => `${of}/namespaces/<own>-1`);

/** All that makes Pods, each with the template where it has it. */
const makers: readonly (readonly [kind: string, path: string, made: Json])[] = [
  ['PodTemplate', `${core}/podtemplates`, { template: templateOf() }],
  ['ReplicationController', `${core}/replicationcontrollers`, { spec: { selector: labels, template: templateOf() } }],
  ['Deployment', `${apps}/deployments`, { spec: selecting }],
  ['ReplicaSet', `${apps}/replicasets`, { spec: selecting }],
  ['DaemonSet', `${apps}/daemonsets`, { spec: selecting }],
  ['StatefulSet', `${apps}/statefulsets`, { spec: { ...selecting, serviceName: 'a' } }],
  ['Job', `${batch}/jobs`, { spec: ending }],
  ['CronJob', `${batch}/cronjobs`, { spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: ending } } }],
];

function updated(at: Relations): void {
  for (const name of Object.keys(early))
    for (const update of updates) at.patch(`${inPlace(1)}/pods/${name}`, [update], 'json', dryBeside);
}

/** What a namespace allows its Pods. */
export function guarded(at: Relations): void {
  const labelled = (labels: Json): string => at.patch('/api/v1/namespaces/<own>-1', { metadata: { labels } }, 'merge');
  const key = 'pod-security.kubernetes.io';
  for (const [name, spec] of Object.entries(early)) at.pod(name, spec);
  for (const [mode, level, answer] of [
    ['enforce', 'baseline', 403],
    ['enforce', 'restricted', 403],
  ] as const) {
    labelled({ [`${key}/${mode}`]: level, [`${key}/warn`]: 'restricted' });
    at.pod('wild', level === 'restricted' ? {} : { hostNetwork: true }, { ...dry, awaits: answer });
    for (const spec of levels) at.pod('some', spec, dryBeside);
    updated(at);
  }
  for (const [kind, path, made] of makers) at.make(kind, path, { metadata: { name: 'd' }, ...made }, dry);
  // What the standards say in versions that are gone and that are still to come.
  for (const [version, minor] of [
    ['v1.99', 99],
    ['v1.7', 7],
    ['v1.22', 22],
    ['latest', 0],
  ] as const) {
    labelled({ [`${key}/enforce`]: 'baseline', [`${key}/enforce-version`]: version, [`${key}/warn`]: null });
    at.pod(`wild-${minor}`, { hostNetwork: true }, { ...dry, awaits: 403 });
    for (const spec of levels) at.pod('some', spec, dryBeside);
  }
  labelled({ [`${key}/enforce`]: 'unknown', [`${key}/enforce-version`]: null });
  labelled({ [`${key}/enforce-version`]: 'v9' });
  labelled({ [`${key}/enforce`]: null, [`${key}/warn`]: null });
}
