import { claimsOf } from '../protection/plan.ts';
import { bringing, type Read, type Request, type Watching } from '../runtime/controller.ts';
import { keyFor, keyOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from '../runtime/resources.ts';
import { boundByAnnotation, claimRefOf, classOf } from './plan.ts';

/** Names of the pods that use a claim and have no node yet. */
export const unscheduledPodsOf = (read: Read, claim: PersistentVolumeClaim): readonly string[] =>
  read(pods)
    .in(namespaceOf(claim))
    .filter((pod) => !pod.spec?.nodeName && claimsOf(pod).includes(nameOf(claim)))
    .map(nameOf);

/** Pods bring the claims that they use. */
export const usedByPods: Watching = bringing(pods, (pod) =>
  claimsOf(pod).map((name) => keyFor(namespaceOf(pod), name)),
);

/** Classes bring the claims that ask for them. */
export const ofClasses: Watching = bringing(storageClasses, (storageClass, read) =>
  read(persistentVolumeClaims)
    .all()
    .filter((claim) => classOf(claim) === nameOf(storageClass))
    .map(keyOf),
);

/** Keeps a volume for a claim. */
export async function keep(write: Request['write'], volume: PersistentVolume, claim: PersistentVolumeClaim) {
  if (volume.spec?.claimRef?.uid === uidOf(claim)) return volume;
  const annotations = volume.spec?.claimRef ? {} : { [boundByAnnotation]: 'yes' };
  return write(persistentVolumes).patch(volume, { metadata: { annotations }, spec: { claimRef: claimRefOf(claim) } });
}
