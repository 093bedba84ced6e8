import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Reconciler, type Write } from '../runtime/controller.ts';
import { type KubeObject, keyFor, namespaceOf } from '../runtime/kube-object.ts';
import { persistentVolumeClaims, persistentVolumes, pods, type Resource } from '../runtime/resources.ts';
import { claimFinalizer, claimsOf, type Protection, protectClaim, protectVolume, volumeFinalizer } from './plan.ts';

/** Holds claims back while a pod uses them. That none does is believed only after the server was asked. */
const protectClaims: Reconciler = async ({ key, read, write, client }) => {
  const claim = read(persistentVolumeClaims).find(key);
  if (!claim) return undefined;
  const namespace = namespaceOf(claim);
  let protection = protectClaim(claim, read(pods).in(namespace));
  if (protection === 'remove') protection = protectClaim(claim, (await client.list(pods, { namespace })).items);
  await carryOut(write, persistentVolumeClaims, claim, claimFinalizer, protection);
  return undefined;
};

/** Holds volumes back while a claim is bound to them. */
const protectVolumes: Reconciler = async ({ key, read, write }) => {
  const volume = read(persistentVolumes).find(key);
  if (volume) await carryOut(write, persistentVolumes, volume, volumeFinalizer, protectVolume(volume));
  return undefined;
};

async function carryOut<T extends KubeObject>(
  write: Write,
  resource: Resource<T>,
  object: T,
  finalizer: string,
  protection: Protection,
) {
  if (protection === 'keep') return;
  const others = (object.metadata?.finalizers ?? []).filter((each) => each !== finalizer);
  const finalizers = protection === 'add' ? [...others, finalizer] : others;
  // What is gone meanwhile needs no protection.
  await unlessNotFound(write(resource).patch(object, { metadata: { finalizers } }));
}

export const claimProtectionLoops: readonly Loop[] = [
  {
    name: 'pvc-protection',
    watches: [
      itself(persistentVolumeClaims),
      bringing(pods, (pod) => claimsOf(pod).map((name) => keyFor(namespaceOf(pod), name))),
    ],
    reconcile: protectClaims,
  },
];

export const volumeProtectionLoops: readonly Loop[] = [
  { name: 'pv-protection', watches: [itself(persistentVolumes)], reconcile: protectVolumes },
];
