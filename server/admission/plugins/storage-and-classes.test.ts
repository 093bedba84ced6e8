import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { admitted, attributesFor, caresAbout, type PluginWorld, pluginWorld, type Sketch } from './plugins.fixture.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const claim = (spec: object = {}, annotations?: Record<string, string>): Sketch => ({
  metadata: { name: 'c', namespace: 'ns', ...(annotations && { annotations }) },
  spec: { ...spec },
});
const storageClass = (name: string, value?: string, more: object = {}) =>
  world.put('storageclasses.storage.k8s.io', {
    metadata: {
      name,
      ...(value !== undefined && { annotations: { 'storageclass.kubernetes.io/is-default-class': value } }),
    },
    ...more,
  });
const specOf = ({ object }: { object: KubeObject | undefined }) => object?.spec;

describe('DefaultStorageClass', () => {
  const write = async (given: Sketch) =>
    specOf(await admitted(defaultStorageClass(world), attributesFor('persistentvolumeclaims', given)));

  it('does nothing where no class is marked exactly so', async () => {
    await storageClass('plain');
    await storageClass('shouting', 'TRUE');
    expect(await write(claim())).toEqual({});
  });

  it('fills in the class, unless the claim says something, even that it wants none', async () => {
    await storageClass('std', 'true');
    expect(await write(claim())).toEqual({ storageClassName: 'std' });
    expect(await write(claim({ storageClassName: '' }))).toEqual({ storageClassName: '' });
    expect(await write(claim({ storageClassName: 'own' }))).toEqual({ storageClassName: 'own' });
    expect(await write(claim({}, { 'volume.beta.kubernetes.io/storage-class': '' }))).toEqual({});
  });

  it('refuses to choose among several, unless the claim says something', async () => {
    await storageClass('one', 'true');
    await storageClass('other', 'true');
    const given = attributesFor('persistentvolumeclaims', claim());
    expect((await admitted(defaultStorageClass(world), given)).refusal).toMatchObject({
      code: 403,
      message: expect.stringContaining('2 classes are said to be the default'),
    });
    expect(await write(claim({ storageClassName: '' }))).toEqual({ storageClassName: '' });
  });
});

describe('DefaultIngressClass', () => {
  const ingressClass = (name: string, time: string) =>
    world.put('ingressclasses.networking.k8s.io', {
      metadata: {
        name,
        creationTimestamp: time,
        annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' },
      },
    });
  const write = async (given: Sketch) =>
    specOf(await admitted(defaultIngressClass(world), attributesFor('ingresses.networking.k8s.io', given)));

  it('fills in the class, unless the ingress names one in either way', async () => {
    expect(await write(claim())).toEqual({});
    await ingressClass('main', '2022-01-01T00:00:00Z');
    expect(await write(claim())).toEqual({ ingressClassName: 'main' });
    expect(await write(claim({ ingressClassName: 'own' }))).toEqual({ ingressClassName: 'own' });
    expect(await write(claim({}, { 'kubernetes.io/ingress.class': 'old' }))).toEqual({});
  });

  it('takes the newest of several, and the first by name of equally old ones', async () => {
    await ingressClass('b', '2022-01-01T00:00:00Z');
    await ingressClass('c', '2022-01-02T00:00:00Z');
    await ingressClass('a', '2022-01-02T00:00:00Z');
    expect(await write(claim())).toEqual({ ingressClassName: 'a' });
  });
});

describe('StorageObjectInUseProtection', () => {
  const finalizersOf = async (resource: string, finalizers: string[] | undefined, more = {}) => {
    const sketch = { metadata: { name: 'x', ...(finalizers && { finalizers }) } };
    const { object } = await admitted(storageObjectInUseProtection, attributesFor(resource, sketch, more));
    return object?.metadata.finalizers;
  };

  it.each([
    ['persistentvolumeclaims', undefined, ['kubernetes.io/pvc-protection']],
    ['persistentvolumes', ['mine'], ['mine', 'kubernetes.io/pv-protection']],
    ['persistentvolumes', ['kubernetes.io/pv-protection'], ['kubernetes.io/pv-protection']],
    ['configmaps', undefined, undefined],
    ['persistentvolumes.example.com', undefined, undefined],
  ])('%s with %j has %j', async (resource, given, expected) => {
    expect(await finalizersOf(resource, given)).toEqual(expected);
  });

  it('adds nothing to what was taken off', async () => {
    expect(await finalizersOf('persistentvolumes', undefined, { oldObject: {} })).toBeUndefined();
  });
});

describe('TaintNodesByCondition', () => {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  it.each([
    [undefined, [taint]],
    [[{ key: 'mine', effect: 'NoExecute' }], [{ key: 'mine', effect: 'NoExecute' }, taint]],
    [[{ ...taint, value: 'v' }], [{ ...taint, value: 'v' }]],
    [[{ ...taint, effect: 'NoExecute' }], [{ ...taint, effect: 'NoExecute' }, taint]],
  ])('a new node with taints %j has %j', async (taints, expected) => {
    const { object } = await admitted(
      taintNodesByCondition,
      attributesFor('nodes', { spec: taints ? { taints } : {} }),
    );
    expect(object?.spec).toEqual({ taints: expected });
  });

  it('leaves nodes alone that are there', () => {
    expect(caresAbout(taintNodesByCondition, attributesFor('nodes', {}, { operation: 'UPDATE' }))).toBe(false);
  });
});

describe('PersistentVolumeClaimResize', () => {
  const sized = (storage: string | undefined, phase = 'Bound', storageClassName: string | undefined = 'grows') => ({
    metadata: { name: 'c', namespace: 'ns' },
    spec: { ...(storage && { resources: { requests: { storage } } }), ...(storageClassName && { storageClassName }) },
    status: { phase },
  });
  const resize = async (from: object, to: Sketch) =>
    (
      await admitted(
        persistentVolumeClaimResize(world),
        attributesFor('persistentvolumeclaims', to, { oldObject: from as never }),
      )
    ).refusal?.message;
  const unbound = 'persistentvolumeclaims "c" is forbidden: Only bound persistent volume claims can be expanded';
  const fixed =
    'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

  it.each<[string, Sketch, Sketch, string | undefined]>([
    ['growth', sized('1Gi'), sized('2Gi'), undefined],
    ['no change', sized('1Gi', 'Pending'), sized('1024Mi', 'Pending'), undefined],
    ['shrinking, which validation refuses', sized('2Gi', 'Pending'), sized('1Gi', 'Pending'), undefined],
    ['growth of an unbound claim', sized('1Gi', 'Pending'), sized('2Gi', 'Pending'), unbound],
    ['growth in a class that does not allow it', sized('1Gi', 'Bound', 'fixed'), sized('2Gi'), fixed],
    ['growth in a class that is gone', sized('1Gi', 'Bound', 'gone'), sized('2Gi'), fixed],
    ['growth without a class', sized('1Gi', 'Bound', ''), sized('2Gi'), fixed],
  ])('%s', async (_, from, to, expected) => {
    await storageClass('grows', undefined, { allowVolumeExpansion: true });
    await storageClass('fixed', undefined, { allowVolumeExpansion: false });
    expect(await resize(from, to)).toBe(expected);
  });
});
