import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { applied } from './applied-pods.ts';

type Parts = Readonly<Record<string, Json>>;

/** A level of the standards for pods: what a container and a pod of it say, and what is beyond it, be it said by either. */
export interface PodLevel {
  readonly level: 'baseline' | 'restricted';
  readonly container: Json;
  readonly pod: Json;
  /** Of a container, whichever it is. */
  readonly ofContainers: Parts;
  readonly ofPods: Parts;
  /** What is within it, odd as it may look. */
  readonly within: Parts;
}

const secured = (securityContext: Json): Json => ({ securityContext });
const adding = (...add: readonly string[]): Json => secured({ capabilities: { add } });
const volume = (source: Json): Json => ({
  volumes: [
    { name: 'a', emptyDir: {} },
    { name: 'b', ...source },
  ],
});
const sysctl = (name: string): Json =>
  secured({
    sysctls: [
      { name: 'net.ipv4.tcp_syncookies', value: '1' },
      { name, value: '1' },
    ],
  });

const unconfined = { seccompProfile: { type: 'Unconfined' } };

const baseline: PodLevel = {
  level: 'baseline',
  container: {},
  pod: {},
  ofContainers: {
    'that is privileged': secured({ privileged: true }),
    'that may do more': adding('CHOWN', 'SYS_ADMIN'),
    'that may do all': adding('ALL'),
    'with a port of its node': { ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 81 }] },
    'of another type': secured({ seLinuxOptions: { type: 'spc_t' } }),
    'of a user of the node': secured({ seLinuxOptions: { user: 'a' } }),
    'of a role of the node': secured({ seLinuxOptions: { role: 'a' } }),
    'without bounds': secured(unconfined),
  },
  ofPods: {
    'on the network of its node': { hostNetwork: true },
    'among the processes of its node': { hostPID: true },
    'that talks to what is on its node': { hostIPC: true },
    'with files of its node': volume({ hostPath: { path: '/a' } }),
    'without bounds': secured(unconfined),
    'of another type': secured({ seLinuxOptions: { type: 'spc_t' } }),
    'that sets what is of its node': sysctl('kernel.msgmax'),
  },
  within: {
    'as root': secured({ runAsUser: 0 }),
    'with what all may': { containers: [{ name: 'main', image, ...adding('CHOWN', 'NET_BIND_SERVICE') }] },
    'of a type for containers': secured({ seLinuxOptions: { type: 'container_init_t', level: 's0' } }),
    'that sets what is its own': sysctl('kernel.shm_rmid_forced'),
    'with files of a share': volume({ nfs: { server: 'a', path: '/a' } }),
  },
};

const profile = { seccompProfile: { type: 'RuntimeDefault' } };
const safe = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

const restricted: PodLevel = {
  level: 'restricted',
  container: secured(safe),
  pod: secured({ runAsNonRoot: true, ...profile }),
  ofContainers: {
    'that may come to do more': secured({ ...safe, allowPrivilegeEscalation: true }),
    'that does not say that it never does more': secured({ capabilities: safe.capabilities }),
    'that gives up nothing': secured({ allowPrivilegeEscalation: false }),
    'that gives up a part': secured({ ...safe, capabilities: { drop: ['NET_RAW'] } }),
    'that may do more': secured({ ...safe, capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
    'that may be root': secured({ ...safe, runAsNonRoot: false }),
    'that is root': secured({ ...safe, runAsUser: 0 }),
    'without bounds': secured({ ...safe, ...unconfined }),
    'that is privileged': secured({ capabilities: safe.capabilities, privileged: true }),
  },
  ofPods: {
    'that says nothing of itself': { securityContext: undefined },
    'that may be root': secured({ runAsNonRoot: undefined, ...profile }),
    'that is root': secured({ runAsNonRoot: true, runAsUser: 0, ...profile }),
    'of which bounds nobody knows': secured({ runAsNonRoot: true, seccompProfile: undefined }),
    'without bounds': secured({ runAsNonRoot: true, ...unconfined }),
    'on the network of its node': { hostNetwork: true },
    'with files of its node': volume({ hostPath: { path: '/a' } }),
    'with files of a share': volume({ nfs: { server: 'a', path: '/a' } }),
  },
  within: {
    'with a port below 1024': {
      containers: [
        { name: 'main', image, ...secured({ ...safe, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }) },
      ],
    },
    'whose containers speak for themselves': {
      securityContext: undefined,
      containers: [{ name: 'main', image, ...secured({ ...safe, runAsNonRoot: true, ...profile }) }],
    },
    'of a user': secured({ runAsNonRoot: true, runAsUser: 1000, ...profile }),
    'with files of its own': volume({ configMap: { name: 'a' } }),
  },
};

export const podLevels: readonly PodLevel[] = [baseline, restricted];

/** Each fault of a container: in one behind a sound one, and in one that runs first. */
function* faultsOf({ container, ofContainers }: PodLevel): Generator<readonly [what: string, spec: Json]> {
  const sound = { name: 'main', image, ...container };
  for (const [what, parts] of Object.entries(ofContainers)) {
    const faulty = { name: 'second', image, ...container, ...parts };
    yield [`a container ${what}`, { containers: [sound, faulty] }];
    yield [`a first container ${what}`, { containers: [sound], initContainers: [{ ...sound, name: 'first' }, faulty] }];
  }
}

/** PodSecurity: a pod beyond the level of its namespace is refused, whatever is beyond it, and wherever it stands. */
export async function keepsLevel(context: RuleContext, level: PodLevel): Promise<void> {
  const { namespaces, serviceAccounts, extraNamespace, waitUntil, allHeard, expect } = context;
  const place = await extraNamespace();
  await preparePods({ serviceAccounts: serviceAccounts.in(place) });
  const containers = [{ name: 'main', image, ...level.container }];
  const pods = context.pods.in(place).with({ base: { spec: { ...level.pod, containers } } });
  const tried = async (spec: Json): Promise<number> =>
    (await pods.post(pods.sample({ spec }), { dryRun: 'All' })).status;
  await namespaces.merge(place, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': level.level } } });
  await waitUntil(
    'the level holds',
    () => tried({ hostPID: true }),
    (status) => status === 403,
  );
  await allHeard();
  expect((await applied(pods, { hostPID: true })).status, 'a pod beyond it, by an apply').toBe(403);
  for (const [what, spec] of faultsOf(level)) expect(await tried(spec), what).toBe(403);
  for (const [what, spec] of Object.entries(level.ofPods)) expect(await tried(spec), `a pod ${what}`).toBe(403);
  for (const [what, spec] of Object.entries({ '': {}, ...level.within }))
    expect(await tried(spec), `a pod within it, ${what}`).toBe(201);
}
