import type { Json } from '../../../verbs/client.ts';
import { dry, dryBeside } from '../story.ts';
import { inPlace, type Relations } from './relation-story.ts';

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
    for (const spec of levels) at.pod('some', spec, dry);
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
    for (const spec of levels) at.pod('some', spec, dry);
  }
  labelled({ [`${key}/enforce`]: 'unknown', [`${key}/enforce-version`]: null });
  labelled({ [`${key}/enforce-version`]: 'v9' });
  labelled({ [`${key}/enforce`]: null, [`${key}/warn`]: null });
}
