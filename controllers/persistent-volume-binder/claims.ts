import { claimsOf } from '../protection/plan.ts';
import { bringing, type Read, type Watching } from '../runtime/controller.ts';
import { keyFor, keyOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { type PersistentVolumeClaim, persistentVolumeClaims, pods, storageClasses } from '../runtime/resources.ts';
import { classOf } from './plan.ts';

/** Whether a pod uses a claim: some classes make and bind volumes only then. */
export const isUsed = (read: Read, claim: PersistentVolumeClaim): boolean =>
  read(pods)
    .in(namespaceOf(claim))
    .some((pod) => claimsOf(pod).includes(nameOf(claim)));

/** What decides beside a claim and the volumes: pods that use it, and its class. */
export const besideClaims: readonly Watching[] = [
  bringing(pods, (pod) => claimsOf(pod).map((name) => keyFor(namespaceOf(pod), name))),
  bringing(storageClasses, (storageClass, read) =>
    read(persistentVolumeClaims)
      .all()
      .filter((claim) => classOf(claim) === nameOf(storageClass))
      .map(keyOf),
  ),
];
