import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { image } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { elsewhere } from '../pods/node-play.ts';
import { evicting, evictionOf } from '../pods/pod-requests.ts';
import { secretVolumes } from '../pods/secret-volumes.ts';
import { allowEverywhere } from './permissions.ts';

const dry = { dryRun: 'All' };
const uid = '00000000-1111-2222-3333-444444444444';

/** A node, its agent's view of pods and accounts, and another node. */
interface Agent {
  readonly node: Json;
  readonly other: string;
  readonly pods: Collection;
  readonly accounts: Collection;
}

async function agentOf(context: RuleContext): Promise<Agent> {
  const { nodes, pods, serviceAccounts, as } = context;
  const make = (): Promise<Json> => nodes.create({ spec: elsewhere });
  const [node, other] = [await make(), nameOf(await make())];
  const name = `system:node:${nameOf(node)}`;
  const resources = ['pods', 'pods/status', 'pods/eviction', 'serviceaccounts/token'];
  const verbs = ['create', 'update', 'patch', 'delete'];
  await allowEverywhere(context, name, [{ apiGroups: [''], resources, verbs }]);
  const agent = as({ name, groups: ['system:nodes'] });
  return { node, other, pods: pods.by(agent), accounts: serviceAccounts.by(agent) };
}

const running = (parts: Json): Json => ({ spec: { containers: [{ name: 'main', image, ...parts }] } });
const mounting = (source: Json): Json => ({ spec: { volumes: [{ name: 'a', ...source }] } });

/** What is no pod that a node runs by itself: it has something of the cluster in it. */
const ofTheCluster: Readonly<Record<string, Json>> = {
  'not marked as such': { metadata: { annotations: { 'kubernetes.io/config.mirror': undefined } } },
  'of nobody': { metadata: { ownerReferences: undefined } },
  'that takes all of a ConfigMap': running({ envFrom: [{ configMapRef: { name: 'a' } }] }),
  'that takes one key of a ConfigMap': running({
    env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: 'a' } } }],
  }),
  'that begins with a ConfigMap': {
    spec: { initContainers: [{ name: 'first', image, envFrom: [{ configMapRef: { name: 'a' } }] }] },
  },
  'that mounts a ConfigMap': mounting({ configMap: { name: 'a' } }),
  'that mounts a ConfigMap among others': mounting({ projected: { sources: [{ configMap: { name: 'a' } }] } }),
  'that mounts a Secret': mounting({ secret: { secretName: 'a' } }),
  'that mounts what takes a Secret, azureFile': mounting({ azureFile: { shareName: 'a', secretName: 'a' } }),
  'that mounts what takes a Secret, csi': mounting({
    csi: { driver: 'a.example.com', nodePublishSecretRef: { name: 'a' } },
  }),
  ...Object.fromEntries(
    Object.entries(secretVolumes(() => ({ name: 'a' }))).map(([source, volume]) => [
      `that mounts what takes a Secret, ${source}`,
      mounting(volume),
    ]),
  ),
  'that mounts a claim': mounting({ persistentVolumeClaim: { claimName: 'a' } }),
};

/** Nor is what belongs to somebody else, or not as it should. */
const ofOthers: Readonly<Record<string, Json>> = {
  'of a node that was there before': { uid },
  'of something that has its name': { kind: 'Pod' },
  'of a node that is not in charge': { controller: undefined },
  'that holds its node up': { blockOwnerDeletion: true },
};

const ownerBy = ({ metadata: { name, uid } }: Json): Json => ({
  ...{ apiVersion: 'v1', kind: 'Node', name, uid, controller: true },
});

/** A node shows the pods that it runs by itself, as its own and with nothing of the cluster in them. */
async function showsItsOwn({ waitUntil, expect }: RuleContext, { node, other, pods }: Agent): Promise<void> {
  const owned = (parts: Json): Json => ({ metadata: { ownerReferences: [{ ...ownerBy(node), ...parts }] } });
  const own = pods.sample({
    ...merged(owned({}), { metadata: { annotations: { 'kubernetes.io/config.mirror': 'a' } } }),
    spec: { nodeName: nameOf(node), serviceAccountName: undefined, automountServiceAccountToken: false },
  });
  const post = (parts: Json): Promise<Answer> => pods.post(merged(own, parts), dry);
  await waitUntil(
    'a node may show a pod of its own',
    async () => (await post({})).status,
    (status) => status === 201,
  );
  const shown = { ...ofTheCluster, 'on another node': { spec: { nodeName: other } } };
  for (const [what, parts] of Object.entries(shown)) expect((await post(parts)).status, `a pod ${what}`).toBe(403);
  for (const [what, parts] of Object.entries(ofOthers))
    expect((await post(owned(parts))).status, `a pod ${what}`).toBe(403);
}

/** By a few words, what an agent does to a pod: allowed on its own node alone. */
const deeds = {
  'the status': (pods, name) => pods.patch(name, { status: { message: 'seen' } }, { sub: 'status', query: dry }),
  'an eviction': (pods, name) => pods.postTo(name, 'eviction', evictionOf(name), dry),
  'the end': (pods, name) => pods.delete(name, { query: dry }),
} satisfies Record<string, (pods: Collection, name: string) => Promise<Answer>>;

const labels = { 'touchstone.example/told': 'by-its-node' };

/** Tokens that an agent asks for: by a few words what they are bound to, and whether it is given one. */
const tokens = (mine: Json, theirs: Json): Readonly<Record<string, readonly [Json | undefined, 201 | 403]>> => ({
  'its pod': [mine, 201],
  'a pod elsewhere': [theirs, 403],
  'its pod, as one of another time': [{ ...mine, uid }, 403],
  'any pod of the name': [{ ...mine, uid: undefined }, 403],
  nothing: [undefined, 403],
});

/** A server may hear of a new pod a little later. */
const onceKnown = ({ waitUntil }: RuleContext, send: () => Promise<Answer>): Promise<Answer> =>
  waitUntil('the pod is known', send, ({ status }) => status !== 404);

/** The agent has to do with a pod of its node, and with no other. */
async function mindsItsOwn(context: RuleContext, { node, other, pods, accounts }: Agent): Promise<void> {
  const { serviceAccounts, version, expect } = context;
  const serviceAccountName = nameOf(await serviceAccounts.create());
  const on = (nodeName: string): Promise<Json> => context.pods.create({ spec: { nodeName, serviceAccountName } });
  const [mine, theirs] = [await on(nameOf(node)), await on(other)];
  for (const [what, deed] of Object.entries(deeds)) {
    if (what === 'an eviction' && heldFrom(evicting, version)) continue;
    const allowed = await onceKnown(context, () => deed(pods, nameOf(mine)));
    expect(allowed.status, `${what} of a pod: ${said(allowed)}`).toBeLessThan(300);
    const refused = await onceKnown(context, () => deed(pods, nameOf(theirs)));
    expect(refused.status, `${what} of a pod elsewhere`).toBe(403);
  }
  // Who is selected by labels is nothing that an agent tells.
  const relabelled = await pods.patch(nameOf(mine), { metadata: { labels } }, { sub: 'status', query: dry });
  expect(relabelled.status, 'labels of its pod, by the status').toBe(403);
  await getsItsTokens(context, accounts, [mine, theirs]);
  for (const pod of [mine, theirs]) await context.pods.remove(nameOf(pod), { query: { gracePeriodSeconds: 0 } });
}

const referenceTo = ({ metadata }: Json): Json => ({
  ...{ apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid },
});

async function getsItsTokens(
  context: RuleContext,
  accounts: Collection,
  [mine, theirs]: readonly Json[],
): Promise<void> {
  for (const [what, [boundObjectRef, code]] of Object.entries(tokens(referenceTo(mine), referenceTo(theirs)))) {
    const spec = { ...(boundObjectRef && { boundObjectRef }) };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
    const send = () => accounts.postTo(mine.spec.serviceAccountName, 'token', request);
    const answer = await onceKnown(context, send);
    context.expect(answer.status, `a token bound to ${what}: ${said(answer)}`).toBe(code);
  }
}

/** NodeRestriction: whatever rights the agent of a node has, it shows its own pods, and has to do with those of its node alone. */
export async function restrictsPodsOfNodes(context: RuleContext): Promise<void> {
  const agent = await agentOf(context);
  await showsItsOwn(context, agent);
  await mindsItsOwn(context, agent);
}
