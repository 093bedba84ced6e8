import { heldFrom } from '../../holds-for.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { image } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

const settings = [undefined, true, false] as const;
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = (name: string): Json => ({ name, image });

const mountsToken = ({ volumeMounts }: Json): boolean =>
  (volumeMounts ?? []).some(({ mountPath }: Json) => mountPath === tokenPath);

/** The volume that a pod is given for it: a token of an hour, whom to trust, and where it is. */
const projected = {
  defaultMode: 0o644,
  sources: [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
};

/** What all containers of a pod mount where its token is, is one volume made for that. */
function mountsIt({ volumes, containers, initContainers }: Json, expect: RuleContext['expect']): void {
  for (const { name, volumeMounts } of [...containers, ...initContainers]) {
    const mount = volumeMounts.find(({ mountPath }: Json) => mountPath === tokenPath);
    expect(mount, `${name}: what is mounted`).toEqual({
      name: expect.any(String),
      readOnly: true,
      mountPath: tokenPath,
    });
    expect(mount.name, `${name}: the volume`).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    expect(volumes, `${name}: the volume`).toContainEqual({ name: mount.name, projected });
  }
}

/** A pod has a token of its account as it says itself, else as the account says, else in any case. */
export async function mountsTokens({ serviceAccounts, pods, version, expect }: RuleContext): Promise<void> {
  for (const ofAccount of settings) {
    const serviceAccountName = nameOf(await serviceAccounts.create({ automountServiceAccountToken: ofAccount }));
    for (const ofPod of settings) {
      const spec = {
        serviceAccountName,
        automountServiceAccountToken: ofPod,
        containers: [container('main')],
        initContainers: [container('first')],
      };
      const answer = await pods.post(pods.sample({ spec }), { dryRun: 'All' });
      expect(answer.status, said(answer)).toBe(201);
      for (const each of [...answer.body.spec.containers, ...answer.body.spec.initContainers])
        expect(mountsToken(each), `${each.name}: the account says ${ofAccount}, the pod ${ofPod}`).toBe(
          ofPod ?? ofAccount ?? true,
        );
      // Earlier releases mounted a Secret.
      if (ofPod && !heldFrom({ from: 22 }, version)) mountsIt(answer.body.spec, expect);
    }
  }
}

/** A container that mounts something of its own where its token would be has no token; what others mount elsewhere stays. */
export async function keepsOwnMounts({ serviceAccounts, pods, expect }: RuleContext): Promise<void> {
  const serviceAccountName = nameOf(await serviceAccounts.create());
  const volume = { name: 'own', emptyDir: {} };
  const mounting = (name: string, mountPath: string): Json => ({
    ...container(name),
    volumeMounts: [{ name: 'own', mountPath }],
  });
  const initContainers = [mounting('first', '/own')];
  const containers = [mounting('main', tokenPath), mounting('other', '/own')];
  const spec = {
    serviceAccountName,
    automountServiceAccountToken: true,
    volumes: [volume],
    initContainers,
    containers,
  };
  const answered = await pods.post(pods.sample({ spec }), { dryRun: 'All' });
  expect(answered.status, said(answered)).toBe(201);
  const [main, other] = answered.body.spec.containers;
  expect(main.volumeMounts, 'where something is mounted already').toEqual(containers[0].volumeMounts);
  for (const each of [other, ...answered.body.spec.initContainers]) {
    expect(mountsToken(each), `${each.name}, beside a container that mounts something there`).toBe(true);
    expect(each.volumeMounts, `${each.name}, what it mounts elsewhere`).toContainEqual({
      name: 'own',
      mountPath: '/own',
    });
  }
  expect(answered.body.spec.volumes, 'beside the volume of the token').toContainEqual(volume);
}

/** Ways in which a pod may use a Secret. */
const uses = (name: string): Readonly<Record<string, Json>> => {
  const env = [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'a' } } }];
  return {
    'as a volume': { volumes: [{ name: 'a', secret: { secretName: name } }] },
    'as a variable': { containers: [{ ...container('main'), env }] },
    'as a variable of what runs first': { initContainers: [{ ...container('first'), env }] },
    'to pull images': { imagePullSecrets: [{ name }] },
    ...usesOfAll(name),
  };
};

/** All of it at once. */
const usesOfAll = (name: string): Readonly<Record<string, Json>> => {
  const envFrom = [{ secretRef: { name } }];
  return {
    'as an environment': { containers: [{ ...container('main'), envFrom }] },
    'by a container that runs first': { initContainers: [{ ...container('first'), envFrom }] },
  };
};

/** Of these Kubernetes releases it is known that they forget whole environments (CVE-2024-3177). */
const forgetsEnvironments = /^v1\.(?:1\d|2[0-6]|27\.(?:\d|1[0-2])|28\.[0-8]|29\.[0-3])\b/;

/** Pods of an account that keeps to its list may use the Secrets that it lists, and no others. */
export async function keepsToList({ serviceAccounts, pods, version, looser, expect }: RuleContext): Promise<void> {
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  const listed = { secrets: [{ name: 'listed' }], imagePullSecrets: [{ name: 'listed' }] };
  const serviceAccountName = nameOf(await serviceAccounts.create({ metadata: { annotations }, ...listed }));
  const forgotten = forgetsEnvironments.test(version) ? Object.keys(usesOfAll('')) : [];
  for (const [name, code] of [
    ['listed', 201],
    ['other', 403],
  ] as const)
    for (const [how, spec] of Object.entries(uses(name))) {
      const sample = pods.sample({ spec: { serviceAccountName, ...spec } });
      const answer = await pods.post(sample, { dryRun: 'All' });
      const judge = () => expect(answer.status, `the Secret "${name}", ${how}: ${said(answer)}`).toBe(code);
      if (code === 403 && forgotten.includes(how)) await looser(judge);
      else judge();
    }
}

/** A pod pulls its images as its account does, unless it says itself how. */
export async function pullsAsAccount({ serviceAccounts, pods, expect }: RuleContext): Promise<void> {
  const imagePullSecrets = [{ name: 'pull-a' }, { name: 'pull-b' }];
  const serviceAccountName = nameOf(await serviceAccounts.create({ imagePullSecrets }));
  for (const own of [undefined, [{ name: 'pull-own' }]]) {
    const sample = pods.sample({ spec: { serviceAccountName, imagePullSecrets: own } });
    const answered = await pods.post(sample, { dryRun: 'All' });
    expect(answered.status, said(answered)).toBe(201);
    expect(answered.body.spec.imagePullSecrets, own ? 'of its own' : 'of its account').toEqual(own ?? imagePullSecrets);
  }
}
