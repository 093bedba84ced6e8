import type { Request } from '../runtime/controller.ts';
import { keyFor, nameOf, namespaceOf, type OwnerReference, ownedBy, uidOf } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import {
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  type StatefulSet,
} from '../runtime/resources.ts';
import { claimsFor, ordinalOf } from './pods.ts';

/**
 * The owners of a claim, as the retention policy of its set has it: it goes with the set, or with its pod once that one is one
 * too many; undefined where it has them. Of other owners nothing is said. @param pod the pod that uses it
 */
export function ownersOf(
  set: StatefulSet,
  pod: Pod,
  { metadata }: PersistentVolumeClaim,
): readonly OwnerReference[] | undefined {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const isBeyond = (ordinalOf(set, pod) ?? 0) >= (set.spec?.replicas ?? 1);
  const goesWithPod = whenScaled === 'Delete' && isBeyond;
  const goesWithSet = whenDeleted === 'Delete' && !goesWithPod;
  const before = metadata?.ownerReferences ?? [];
  const without = before.filter(({ uid }) => uid !== uidOf(set) && uid !== uidOf(pod));
  const next = [
    ...without,
    ...(goesWithSet ? [ownedBy(set, 'apps/v1', 'StatefulSet')] : []),
    ...(goesWithPod ? [ownedBy(pod, 'v1', 'Pod')] : []),
  ];
  const names = (owners: readonly OwnerReference[]) => owners.map(({ uid }) => uid).join();
  return names(before) === names(next) ? undefined : next;
}

/** Whether a claim goes with an earlier pod of that name, and so before long. */
export const goesWithNamesake = ({ metadata }: PersistentVolumeClaim, pod: Pod): boolean =>
  metadata?.ownerReferences?.some(({ kind, name }) => kind === 'Pod' && name === nameOf(pod)) ?? false;

/** Lets claims go with their pods or their set, or lets them stay. Before pods go: what goes with a pod has to be its own by then. */
export async function retainClaims({ read, write }: Request, set: StatefulSet, pods: readonly Pod[]): Promise<void> {
  // Servers without the feature show no policy, and what they have stays as it is.
  if (!set.spec?.persistentVolumeClaimRetentionPolicy) return;
  const claims = pods.flatMap((pod) =>
    claimsFor(set, ordinalOf(set, pod) ?? 0).flatMap(({ metadata }) => {
      const claim = read(persistentVolumeClaims).find(keyFor(namespaceOf(set), metadata?.name ?? ''));
      const ownerReferences = claim && ownersOf(set, pod, claim);
      return ownerReferences ? { claim, ownerReferences } : [];
    }),
  );
  await forEach(claims, ({ claim, ownerReferences }) =>
    write(persistentVolumeClaims).patch(claim, { metadata: { ownerReferences } }),
  );
}
