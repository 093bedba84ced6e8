import { isNamespaceTerminating, messageOf } from '../runtime/api-error.ts';
import { bringing, indexBy, itself, type Loop, type Reconciler, type Request } from '../runtime/controller.ts';
import { keyFor, keyOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { type PersistentVolumeClaim, type Pod, persistentVolumeClaims, pods } from '../runtime/resources.ts';
import { claimsFor, isMadeFor } from './plan.ts';

/** Makes the claims that stand behind the ephemeral volumes of a pod. */
const reconcile: Reconciler = async (request) => {
  const { key, read, events } = request;
  const pod = read(pods).find(key);
  if (!pod) return undefined;
  for (const claim of claimsFor(pod)) {
    try {
      await ensure(request, pod, claim);
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      const note = `claim ${nameOf(claim)} of an ephemeral volume: ${messageOf(error)}`;
      events.record(pod, { type: 'Warning', reason: 'FailedBinding', action: 'Binding', note });
      throw error;
    }
  }
  return undefined;
};

async function ensure({ read, write }: Request, pod: Pod, claim: PersistentVolumeClaim): Promise<void> {
  const found = read(persistentVolumeClaims).find(keyOf(claim));
  if (!found) await write(persistentVolumeClaims).create(claim);
  else if (!isMadeFor(found, pod)) throw new Error('there is one of this name that was not made for the pod');
}

const byClaim = 'claims made for it';

export const ephemeralVolumeLoops: readonly Loop[] = [
  {
    name: 'ephemeral-volume',
    watches: [
      itself(pods, (pod) => claimsFor(pod).length > 0),
      // One may have gone, or stands no longer in the way.
      bringing(persistentVolumeClaims, (claim, read) => read(pods).indexed(byClaim, keyOf(claim)).map(keyOf)),
    ],
    indexes: [indexBy(pods, byClaim, (pod) => claimsFor(pod).map((claim) => keyFor(namespaceOf(pod), nameOf(claim))))],
    reconcile,
  },
];
