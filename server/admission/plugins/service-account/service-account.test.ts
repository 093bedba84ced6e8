import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod, PodSpec } from '../../../kinds/core/pod/shape.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { admitted, attributesFor, caresAbout, type PluginWorld, pluginWorld, type Sketch } from '../plugins.fixture.ts';
import { serviceAccount } from './service-account.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const account = (name: string, more: Sketch = {}) =>
  world.put('serviceaccounts', { ...more, metadata: { name, namespace: 'ns', ...more.metadata } });
const podOf = (spec: PodSpec, metadata = {}) => ({
  metadata: { name: 'p', namespace: 'ns', ...metadata },
  spec: { containers: [{ name: 'c' }], ...spec },
});
const write = (spec: PodSpec, metadata = {}, more: Partial<AdmissionAttributes> = {}) =>
  admitted(serviceAccount(world), attributesFor('pods', podOf(spec, metadata), more));
const specOf = async (spec: PodSpec) => ((await write(spec)).object as Pod).spec ?? {};

const place = '/var/run/secrets/kubernetes.io/serviceaccount';

describe('the account', () => {
  it('is the default one unless another is named, in either field', async () => {
    await account('default');
    await account('robot');
    expect(await specOf({})).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    expect(await specOf({ serviceAccountName: 'robot' })).toMatchObject({ serviceAccount: 'robot' });
    expect(await specOf({ serviceAccount: 'robot' })).toMatchObject({ serviceAccountName: 'robot' });
    const both = await specOf({ serviceAccountName: 'robot', serviceAccount: 'default' });
    expect(both).toMatchObject({ serviceAccountName: 'robot', serviceAccount: 'robot' });
  });

  it('must exist', async () => {
    expect((await write({})).refusal).toMatchObject({
      code: 403,
      message: 'pods "p" is forbidden: error looking up service account ns/default: serviceaccount "default" not found',
      details: { name: 'p', kind: 'pods' },
    });
  });

  it('must be left when something took it away afterwards', async () => {
    await account('default');
    const attributes = attributesFor('pods', podOf({}));
    await expect(serviceAccount(world).validate?.(attributes)).rejects.toMatchObject({
      message: 'pods "p" is forbidden: no service account specified for pod ns/p',
    });
  });

  it('gives its pull secrets to pods that have none', async () => {
    await account('default', { imagePullSecrets: [{ name: 'registry' }] });
    expect((await specOf({})).imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect((await specOf({ imagePullSecrets: [] })).imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect((await specOf({ imagePullSecrets: [{ name: 'own' }] })).imagePullSecrets).toEqual([{ name: 'own' }]);
  });
});

describe('the token', () => {
  beforeEach(() => account('default'));

  it('is mounted in all containers and init containers', async () => {
    const spec = await specOf({ initContainers: [{ name: 'i' }] });
    const [volume] = spec.volumes ?? [];
    expect(volume?.name).toMatch(/^kube-api-access-.{5}$/);
    expect(volume?.projected).toEqual({
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    });
    const mount = { name: volume?.name, readOnly: true, mountPath: place };
    expect(
      [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map(({ volumeMounts }) => volumeMounts),
    ).toEqual([[mount], [mount]]);
  });

  it('is not mounted over something else, and needs no volume then', async () => {
    const own = { name: 'own', mountPath: place };
    const spec = await specOf({ containers: [{ name: 'c', volumeMounts: [own] }], volumes: [{ name: 'own' }] });
    expect(spec.containers?.[0]?.volumeMounts).toEqual([own]);
    expect(spec.volumes).toEqual([{ name: 'own' }]);
    const below = await specOf({
      containers: [{ name: 'c', volumeMounts: [{ name: 'own', mountPath: `${place}/x` }] }],
    });
    expect(below.containers?.[0]?.volumeMounts).toHaveLength(2);
  });

  it('comes from a volume of that name if the pod brings one', async () => {
    const spec = await specOf({ volumes: [{ name: 'kube-api-access-mine', projected: {} }] });
    expect(spec.volumes).toHaveLength(1);
    expect(spec.containers?.[0]?.volumeMounts).toMatchObject([{ name: 'kube-api-access-mine' }]);
  });

  it.each([
    [undefined, undefined, true],
    [undefined, false, false],
    [undefined, true, true],
    [false, true, false],
    [true, false, true],
  ])('with %s in the pod and %s in the account is mounted: %s', async (inPod, inAccount, expected) => {
    await account('other', inAccount === undefined ? {} : { automountServiceAccountToken: inAccount });
    const spec = await specOf({
      serviceAccountName: 'other',
      ...(inPod !== undefined && { automountServiceAccountToken: inPod }),
    });
    expect((spec.volumes ?? []).length > 0).toBe(expected);
  });
});

describe('an account that lists the secrets its pods may use', () => {
  beforeEach(() =>
    account('default', {
      metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
      secrets: [{ name: 'mine' }],
      imagePullSecrets: [{ name: 'pull' }],
    }),
  );
  const env = (name: string) => [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }];
  const why = 'is not allowed because service account default does not reference that';

  it.each<[string, PodSpec, string | undefined]>([
    [
      'listed ones',
      {
        volumes: [{ name: 'v', secret: { secretName: 'mine' } }],
        containers: [{ name: 'c', env: env('mine') }],
        imagePullSecrets: [{ name: 'pull' }],
      },
      undefined,
    ],
    [
      'a volume',
      { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
      `volume with secret.secretName="x" ${why} secret`,
    ],
    [
      'a variable',
      { containers: [{ name: 'c', env: env('x') }] },
      `container c with envVar E referencing secret.secretName="x" ${why} secret`,
    ],
    [
      'a variable of an init container',
      { initContainers: [{ name: 'i', env: env('x') }] },
      `init container i with envVar E referencing secret.secretName="x" ${why} secret`,
    ],
    [
      'all variables',
      { containers: [{ name: 'c', envFrom: [{ secretRef: { name: 'x' } }] }] },
      `container c with envFrom referencing secret.secretName="x" ${why} secret`,
    ],
    [
      'a pull secret',
      { imagePullSecrets: [{ name: 'pull' }, { name: 'mine' }] },
      `imagePullSecrets[1].name="mine" ${why} imagePullSecret`,
    ],
  ])('judges %s', async (_, spec, expected) => {
    expect((await write(spec)).refusal?.message).toBe(expected && `pods "p" is forbidden: ${expected}`);
  });

  it('judges ephemeral containers that are added later', async () => {
    const next = podOf({ serviceAccountName: 'default', ephemeralContainers: [{ name: 'e', env: env('x') }] });
    const { refusal } = await admitted(
      serviceAccount(world),
      attributesFor('pods', next, { subresource: 'ephemeralcontainers', oldObject: podOf({}) as never }),
    );
    expect(refusal?.message).toContain(`ephemeral container e with envVar E`);
  });
});

describe('mirror pods', () => {
  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };

  it('get nothing and need no account', async () => {
    const { object, refusal } = await write({}, mirror);
    expect(refusal).toBeUndefined();
    expect((object as Pod).spec).toEqual({ containers: [{ name: 'c' }] });
  });

  it.each<[string, PodSpec]>([
    ['a mirror pod may not reference service accounts', { serviceAccountName: 'default' }],
    ['a mirror pod may not reference secrets', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }],
    [
      'a mirror pod may not reference secrets',
      { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] },
    ],
    [
      'a mirror pod may not reference secrets',
      { volumes: [{ name: 'v', csi: { nodePublishSecretRef: { name: 's' } } }] },
    ],
    ['a mirror pod may not reference secrets', { imagePullSecrets: [{ name: 's' }] }],
    [
      'a mirror pod may not use ServiceAccountToken volume projections',
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
    ],
  ])('%s', async (expected, spec) => {
    expect((await write(spec, mirror)).refusal?.message).toBe(`pods "p" is forbidden: ${expected}`);
  });
});

it('has nothing to do with other writes', () => {
  const plugin = serviceAccount(world);
  expect(caresAbout(plugin, attributesFor('pods', {}, { subresource: 'status', operation: 'UPDATE' }))).toBe(false);
  expect(caresAbout(plugin, attributesFor('pods', {}, { operation: 'UPDATE' }))).toBe(false);
  expect(caresAbout(plugin, attributesFor('pods.metrics.k8s.io', {}))).toBe(false);
});
