import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { patchAdded } from './added-containers.ts';

const raised = {
  name: 'one',
  image: 'registry.example/pause:1',
  securityContext: { capabilities: { add: ['SYS_ADMIN'] } },
};
const plain = { name: 'main', image: 'registry.example/pause:1' };

/** Something of a pod as a whole, of one of its containers, and of one that it begins with. */
const anywhere = (what: string, securityContext: Json): Readonly<Record<string, Json>> => ({
  [what]: { securityContext },
  [`${what}, of a container`]: { containers: [plain, { ...plain, name: 'one', securityContext }] },
  [`${what}, to begin with`]: {
    containers: [plain],
    initContainers: [
      { ...plain, name: 'one' },
      { ...plain, name: 'two', securityContext },
    ],
  },
});
const secured = (securityContext: Json): Json => ({ containers: [{ ...plain, securityContext }] });

/** What is beyond the standard `baseline`. */
const beyond: Readonly<Record<string, Json>> = {
  'with the processes of its node': { hostPID: true },
  'with what those share': { hostIPC: true },
  'a container that may do all': secured({ privileged: true }),
  ...anywhere('a label of another type', { seLinuxOptions: { type: 'other_t' } }),
  ...anywhere('a label of a user', { seLinuxOptions: { user: 'other_u' } }),
  ...anywhere('a label of a role', { seLinuxOptions: { role: 'other_r' } }),
  'a label of a role beside one that may be': {
    ...{ securityContext: { seLinuxOptions: { type: 'container_t' } } },
    ...secured({ seLinuxOptions: { role: 'other_r' } }),
  },
  ...anywhere('calls without bounds', { seccompProfile: { type: 'Unconfined' } }),
  'settings of its node': { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
  'on the network of its node': { hostNetwork: true },
  'a container that may do more': { containers: [plain, raised] },
  'a container to begin with that may do more': { containers: [plain], initContainers: [raised] },
  'a port of its node': { containers: [{ ...plain, ports: [{ containerPort: 80, hostPort: 80 }] }] },
  'files of its node': { containers: [plain], volumes: [{ name: 'a', hostPath: { path: '/a' } }] },
};

/** What is within it. */
const within: Readonly<Record<string, Json>> = {
  'a plain pod': {},
  'a label of containers': { securityContext: { seLinuxOptions: { type: 'container_t', level: 's0' } } },
  'calls within the usual bounds': secured({ seccompProfile: { type: 'RuntimeDefault' } }),
  'settings of its own': { securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } },
  'what containers usually may': secured({ capabilities: { add: ['NET_BIND_SERVICE', 'CHOWN'] } }),
  'the user who may do all': secured({ runAsUser: 0, privileged: false }),
};

const bounded = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const humble = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
/** A pod of the standard `restricted`, but for what is said of it, of its container and of another one. */
const restrained = (pod: Json, container: Json = {}, other: Json = {}): Json => ({
  securityContext: { ...humble, ...pod },
  containers: [
    { ...plain, securityContext: { ...bounded, ...container } },
    { ...plain, name: 'other', securityContext: { ...bounded, ...other } },
  ],
});
const { seccompProfile } = humble;

/** What is within the standard `restricted`. */
const withinRestricted: Readonly<Record<string, Json>> = {
  'a pod that may do little': restrained({}),
  'a low port': restrained({}, { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
  'what each container says itself': restrained({ runAsNonRoot: undefined, seccompProfile: undefined }, humble, humble),
  'volumes of the cluster': {
    ...restrained({}),
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'b', secret: { secretName: 'none' } },
    ],
  },
};

/** What is beyond it, and within `baseline`. */
const beyondRestricted: Readonly<Record<string, Json>> = {
  'any user': restrained({ runAsNonRoot: undefined }),
  'any user, by one container alone': restrained({ runAsNonRoot: undefined }, humble),
  'the user who may do all, as a container says': restrained({}, {}, { runAsNonRoot: false }),
  'the user who may do all, by number': restrained({ runAsUser: 0 }),
  'that user, by the number of a container': restrained({}, {}, { runAsUser: 0 }),
  'calls of which nothing is said': restrained({ seccompProfile: undefined }),
  'calls of which one container says nothing': restrained({ seccompProfile: undefined }, { seccompProfile }),
  'a container that may come to do more': restrained({}, {}, { allowPrivilegeEscalation: undefined }),
  'a container that keeps what it may': restrained({}, {}, { capabilities: undefined }),
  'a container that keeps some of it': restrained({}, {}, { capabilities: { drop: ['CHOWN'] } }),
  'a container that may do more': restrained({}, {}, { capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
  'files of elsewhere': {
    ...restrained({}),
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'b', nfs: { server: 'none', path: '/' } },
    ],
  },
};

/** Pods in a namespace of their own. */
async function elsewhere({ pods, serviceAccounts, extraNamespace }: RuleContext): Promise<[string, Collection]> {
  const place = await extraNamespace();
  await preparePods({ serviceAccounts: serviceAccounts.in(place) });
  return [place, pods.in(place)];
}

/** PodSecurity: a namespace says by a label which standard its pods keep to. */
export async function keepsStandards(context: RuleContext): Promise<void> {
  const { namespaces, waitUntil, allHeard, expect } = context;
  const [place, pods] = await elsewhere(context);
  const tried = async (spec: Json): Promise<number> =>
    (await pods.post(pods.sample({ spec }), { dryRun: 'All' })).status;
  const isRefused = (status: number): boolean => status === 403;
  const demand = (standard: string) =>
    namespaces.merge(place, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': standard } } });
  await demand('baseline');
  await waitUntil('the standard holds', () => tried({ hostPID: true }), isRefused);
  await allHeard();
  for (const [what, spec] of Object.entries(beyond)) expect(await tried(spec), what).toBe(403);
  for (const [what, spec] of Object.entries(within)) expect(await tried(spec), what).toBe(201);
  await allowsMakers(context, context.deployments.in(place));
  await keepsStandardLater(context, pods);
  await demand('restricted');
  await waitUntil('a narrower standard holds', () => tried({}), isRefused);
  await allHeard();
  for (const [what, spec] of Object.entries(beyondRestricted)) expect(await tried(spec), what).toBe(403);
  for (const [what, spec] of Object.entries(withinRestricted)) expect(await tried(spec), what).toBe(201);
}

/** Of what makes pods somebody may be warned, and no more. */
async function allowsMakers({ expect }: RuleContext, deployments: Collection): Promise<void> {
  const wanted = deployments.sample({ spec: { template: { spec: { hostPID: true } } } });
  const { status } = await deployments.post(wanted, { dryRun: 'All' });
  expect(status, 'what would make a pod beyond the standard').toBe(201);
}

/** What comes to a pod later keeps to the standard, too. */
async function keepsStandardLater({ expect }: RuleContext, pods: Collection): Promise<void> {
  const { name } = (await pods.create({ spec: { schedulerName: 'touchstone.example/nobody' } })).metadata;
  const add = async (container: Json): Promise<number> =>
    (await patchAdded(pods, name, 'strategic', [{ ...container, name: 'later' }], { dryRun: 'All' })).status;
  expect(await add(plain), 'a plain container that is added').toBe(200);
  expect(await add(raised), 'a container that is added and may do more').toBe(403);
}
