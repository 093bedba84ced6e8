import { claimName } from '../ephemeral-volume/plan.ts';
import { hasFinalizer, isDeleting, nameOf } from '../runtime/kube-object.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../runtime/resources.ts';

export const claimFinalizer = 'kubernetes.io/pvc-protection';
export const volumeFinalizer = 'kubernetes.io/pv-protection';

export type Protection = 'add' | 'remove' | 'keep';

/** A finalizer while the object lives; none once it is deleted and unused. */
function protection(hasIt: boolean, deleting: boolean, used: boolean): Protection {
  if (!deleting) return hasIt ? 'keep' : 'add';
  return hasIt && !used ? 'remove' : 'keep';
}

export const protectVolume = (volume: PersistentVolume): Protection =>
  protection(hasFinalizer(volume, volumeFinalizer), isDeleting(volume), volume.status?.phase === 'Bound');

/** @param pods those of the claim's namespace */
export const protectClaim = (claim: PersistentVolumeClaim, pods: readonly Pod[]): Protection =>
  protection(
    hasFinalizer(claim, claimFinalizer),
    isDeleting(claim),
    pods.some((pod) => uses(pod, nameOf(claim))),
  );

/** The claims that a pod uses: named, or made for it. */
export const claimsOf = (pod: Pod): readonly string[] => [...namedClaims(pod), ...ownClaims(pod)];

const namedClaims = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []));

const ownClaims = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap(({ ephemeral, name }) => (ephemeral ? [claimName(pod, name)] : []));

/** A pod without a node has not begun, and will not: no node begins one whose claim is being deleted. */
const uses = (pod: Pod, claim: string): boolean =>
  Boolean(pod.spec?.nodeName) && (hasStopped(pod) ? namedClaims(pod) : claimsOf(pod)).includes(claim);

/** A pod that waits for finalizers alone may wait for the claims that were made for it, which then must not wait for it. */
const hasStopped = (pod: Pod): boolean => isDeleting(pod) && pod.metadata?.deletionGracePeriodSeconds === 0;
