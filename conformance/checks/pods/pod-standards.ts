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

/** What is beyond the standard `baseline`. */
const beyond: Readonly<Record<string, Json>> = {
  'on the network of its node': { hostNetwork: true },
  'a container that may do more': { containers: [plain, raised] },
  'a container to begin with that may do more': { containers: [plain], initContainers: [raised] },
  'a port of its node': { containers: [{ ...plain, ports: [{ containerPort: 80, hostPort: 80 }] }] },
  'files of its node': { containers: [plain], volumes: [{ name: 'a', hostPath: { path: '/a' } }] },
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
  expect(await tried({}), 'a plain pod').toBe(201);
  await keepsStandardLater(context, pods);
  await demand('restricted');
  await waitUntil('a narrower standard holds', () => tried({}), isRefused);
}

/** What comes to a pod later keeps to the standard, too. */
async function keepsStandardLater({ expect }: RuleContext, pods: Collection): Promise<void> {
  const { name } = (await pods.create({ spec: { schedulerName: 'touchstone.example/nobody' } })).metadata;
  const add = async (container: Json): Promise<number> =>
    (await patchAdded(pods, name, 'strategic', [{ ...container, name: 'later' }], { dryRun: 'All' })).status;
  expect(await add(plain), 'a plain container that is added').toBe(200);
  expect(await add(raised), 'a container that is added and may do more').toBe(403);
}
