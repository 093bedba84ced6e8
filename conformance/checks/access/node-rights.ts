import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { image, preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { secretSources, secretVolumes } from '../pods/secret-volumes.ts';
import { authorization } from '../unfit/reviews.ts';

/** Something that a node agent might do. */
interface Deed {
  readonly verb: string;
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly group?: string;
  readonly subresource?: string;
}

type May = (node: string, deed: Deed) => Promise<boolean>;

/** What the node agents of a server may do in the rule's namespace, unless the deed says where. */
const asking =
  ({ send, namespace }: RuleContext): May =>
  async (node, deed) => {
    const resourceAttributes = { namespace: await namespace(), ...deed };
    const spec = { user: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'], resourceAttributes };
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
    return (await send('POST', `${authorization}/subjectaccessreviews`, { body })).body?.status?.allowed;
  };

const claimed = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** A pod that refers to something in each way. */
const referring = (serviceAccountName: string): Json => ({
  serviceAccountName,
  imagePullSecrets: [{ name: 'pulled' }],
  containers: [
    {
      ...{
        name: 'main',
        image,
        envFrom: [{ configMapRef: { name: 'all-of-it' } }, { secretRef: { name: 'all-of-it' } }],
      },
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'one-key', key: 'a' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'one-key', key: 'a' } } },
      ],
    },
  ],
  initContainers: [{ name: 'first', image, envFrom: [{ secretRef: { name: 'of-the-first' } }] }],
  volumes: [
    { name: 'a', secret: { secretName: 'mounted' } },
    { name: 'b', configMap: { name: 'mounted' } },
    {
      name: 'c',
      projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected' } }] },
    },
    { name: 'd', persistentVolumeClaim: { claimName: 'claimed' } },
    { name: 'e', ephemeral: { volumeClaimTemplate: { spec: claimed } } },
    { name: 'f', azureFile: { shareName: 'a', secretName: 'of-azure' } },
    { name: 'g', csi: { driver: 'a.example.com', nodePublishSecretRef: { name: 'of-csi' } } },
    ...Object.entries(secretVolumes((source) => ({ name: `of-${source}` }))).map(([source, volume]) => ({
      name: source.toLowerCase(),
      ...volume,
    })),
  ],
});

const read = (resource: string, name: string): Deed => ({ verb: 'get', resource, name });

const used: readonly Deed[] = [
  ...['pulled', 'all-of-it', 'one-key', 'of-the-first', 'mounted', 'projected', 'of-the-volume', 'of-the-stage'].map(
    (name) => read('secrets', name),
  ),
  read('secrets', 'of-csi'),
  ...['azure', ...secretSources].flatMap((source) =>
    ['of', 'far'].map((place) => read('secrets', `${place}-${source}`)),
  ),
  ...['all-of-it', 'one-key', 'mounted', 'projected'].map((name) => read('configmaps', name)),
  read('persistentvolumeclaims', 'claimed'),
  // As it has grown there.
  ...['update', 'patch'].map((verb) => ({
    ...read('persistentvolumeclaims', 'claimed'),
    ...{ verb, subresource: 'status' },
  })),
];

/** What two pods of a node mount. */
const shared = used.filter(({ name }) => name === 'mounted');

const mountedBy = ({ resource, name }: Deed): Json => ({
  name: resource,
  ...(resource === 'secrets' ? { secret: { secretName: name } } : { configMap: { name } }),
});

/** The volumes of the claim, and what it takes to mount and to grow them. @returns how to read the first */
async function claims({ persistentVolumes, namespace }: RuleContext): Promise<Deed> {
  const place = { namespace: await namespace() };
  const refs = {
    nodePublishSecretRef: { ...place, name: 'of-the-volume' },
    nodeStageSecretRef: { ...place, name: 'of-the-stage' },
    controllerPublishSecretRef: { ...place, name: 'of-the-controller' },
    controllerExpandSecretRef: { ...place, name: 'of-the-growth' },
  };
  const csi = { driver: 'a.example.com', volumeHandle: 'a', ...refs };
  const claimRef = { ...place, name: 'claimed' };
  const make = (source: Json): Promise<Json> =>
    persistentVolumes.create({ spec: { hostPath: undefined, ...source, claimRef } });
  await make({ azureFile: { shareName: 'a', secretName: 'far-azure', secretNamespace: place.namespace } });
  for (const source of Object.values(secretVolumes((each) => ({ ...place, name: `far-${each}` })))) await make(source);
  return volume(nameOf(await make({ csi })));
}

const volume = (name: string): Deed => ({ ...read('persistentvolumes', name), namespace: '' });
const attachment: Deed = { verb: 'get', group: 'storage.k8s.io', resource: 'volumeattachments', namespace: '' };

const told = ({ verb, resource, name }: Deed): string => `${verb} ${resource} ${name}`;

/** Servers hear of what gives a right, and takes it, a little later. */
const untilMay = (
  { waitUntil }: RuleContext,
  look: () => Promise<boolean>,
  what: string,
  wanted: boolean,
): Promise<boolean> => waitUntil(`${what} is ${wanted ? 'allowed' : 'refused'}`, look, (allowed) => allowed === wanted);

/** What is attached to a node is known to its agent, for as long as that is said. */
async function knowsAttached(context: RuleContext, may: May, [mine, other]: readonly [string, string]): Promise<void> {
  const { volumeAttachments, expect } = context;
  const name = nameOf(await volumeAttachments.create({ spec: { nodeName: mine } }));
  const until = (wanted: boolean) =>
    untilMay(context, () => may(mine, { ...attachment, name }), `get volumeattachments ${name}`, wanted);
  await until(true);
  expect(await may(other, { ...attachment, name }), 'what is attached to another node').toBe(false);
  for (const verb of ['update', 'delete', 'list'])
    expect(await may(mine, { ...attachment, verb, name }), `${verb} what is attached`).toBe(false);
  await volumeAttachments.remove(name);
  await until(false);
}

/** A pod as a node shows it that it runs by itself. */
async function mirrors({ pods }: RuleContext, nodeName: string): Promise<void> {
  const annotations = { 'kubernetes.io/config.mirror': 'none' };
  const volumes = [{ name: 'a', configMap: { name: 'shown' } }];
  const spec = { nodeName, volumes, automountServiceAccountToken: false, serviceAccountName: undefined };
  await pods.create({ metadata: { annotations }, spec });
}

const lease: Deed = { verb: 'get', group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease' };
const driver: Deed = { verb: 'get', group: 'storage.k8s.io', resource: 'csinodes', namespace: '' };
const token: Deed = { verb: 'create', resource: 'serviceaccounts', subresource: 'token' };

/** What is like what a node may do, and not that. */
const near: readonly Deed[] = [
  read('secrets', 'other'),
  // What is for those alone who attach volumes and let them grow.
  ...['of-the-controller', 'of-the-growth'].map((name) => read('secrets', name)),
  { ...read('secrets', 'mounted'), namespace: 'kube-system' },
  { verb: 'update', resource: 'secrets', name: 'mounted' },
  { verb: 'list', resource: 'secrets' },
  { verb: 'list', resource: 'configmaps' },
  read('configmaps', 'shown'),
  { ...token, name: 'other' },
];

/** What has the name of its node, and is its own. */
async function ownsByName({ expect }: RuleContext, may: May, [mine, other]: readonly [string, string]): Promise<void> {
  for (const deed of [lease, driver])
    for (const verb of ['get', 'update', 'patch', 'delete']) {
      const what = `${verb} ${deed.resource}`;
      expect(await may(mine, { ...deed, verb, name: mine }), `${what} of its own name`).toBe(true);
      expect(await may(mine, { ...deed, verb, name: other }), `${what} of another name`).toBe(false);
    }
  const elsewhere = { ...lease, namespace: 'kube-system', name: mine };
  expect(await may(mine, elsewhere), 'a lease elsewhere').toBe(false);
}

interface Using {
  readonly may: May;
  readonly node: string;
  readonly pod: string;
  /** What the pod is used for. */
  readonly all: readonly Deed[];
}

/** What a pod uses is no affair of its node any more once it is gone, unless another pod there uses it as well. */
async function forgetsPods(context: RuleContext, { may, node, pod, all }: Using): Promise<void> {
  const { pods, expect } = context;
  const atOnce = { query: { gracePeriodSeconds: 0 } };
  const untilForgotten = (deed: Deed, of: string) =>
    untilMay(context, () => may(node, deed), `${told(deed)} of ${of}`, false);
  const beside = await pods.create({ spec: { nodeName: node, volumes: shared.map(mountedBy) } });
  await pods.remove(pod, atOnce);
  for (const deed of all) if (!shared.includes(deed)) await untilForgotten(deed, 'a pod that is gone');
  for (const deed of shared) expect(await may(node, deed), `${told(deed)} of another pod`).toBe(true);
  await pods.remove(nameOf(beside), atOnce);
  for (const deed of shared) await untilForgotten(deed, 'two pods that are gone');
}

/**
 * Where nodes are told apart, a node agent may read what its pods refer to, as long as they are there, and what is its
 * own; nothing of others, and nothing that only a pod refers to which it might have made up itself.
 */
async function tellsRightsOfNodes(context: RuleContext): Promise<void> {
  const started = await context.start(['--authorization-mode=Node,RBAC']);
  const { serviceAccounts, pods, unique, expect } = started;
  await preparePods(started);
  const may = asking(started);
  const nodes = [unique('one'), unique('other')] as const;
  const [mine, other] = nodes;
  const account = nameOf(await serviceAccounts.create());
  const claimed = await claims(started);
  const unclaimed = volume(nameOf(await started.persistentVolumes.create()));
  await mirrors(started, mine);
  const pod = nameOf(await pods.create({ spec: { ...referring(account), nodeName: mine } }));
  const all = [...used, claimed, read('persistentvolumeclaims', `${pod}-e`), { ...token, name: account }];
  for (const deed of all) {
    await untilMay(started, () => may(mine, deed), `${told(deed)} of its pod`, true);
    expect(await may(other, deed), `${told(deed)} by another node`).toBe(false);
  }
  for (const deed of [...near, unclaimed, { ...claimed, verb: 'list' }, { ...claimed, verb: 'update' }])
    expect(await may(mine, deed), JSON.stringify(deed)).toBe(false);
  await ownsByName(started, may, nodes);
  await knowsAttached(started, may, nodes);
  await forgetsPods(started, { may, node: mine, pod, all });
}

/** A cell of its own: volumes that a pod claims for itself are known since v1.21. */
export const nodeAgents = {
  name: 'node agents',
  needs: ['flags', 'pods'],
  holds: { from: 21 },
  check: tellsRightsOfNodes,
} as const;
