import { controllerOf, isDeleting, managedBy, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import { mayRun } from '../runtime/pods/pod-state.ts';
import type { PersistentVolumeClaim, Pod } from '../runtime/resources.ts';

/** Whether a claim was made for this very pod: one of its name may be of another, or of an earlier pod. */
export const isMadeFor = (claim: PersistentVolumeClaim, pod: Pod): boolean => controllerOf(claim)?.uid === uidOf(pod);

/** The name of the claim behind an ephemeral volume. */
export const claimName = (pod: Pod, volume: string): string => `${pod.metadata?.name}-${volume}`;

/** The claims that a pod asks to be made for it; they go with it. */
export function claimsFor(pod: Pod): readonly PersistentVolumeClaim[] {
  if (isDeleting(pod) || !mayRun(pod)) return [];
  return (pod.spec?.volumes ?? []).flatMap(({ name, ephemeral }) => {
    const { metadata, spec } = ephemeral?.volumeClaimTemplate ?? {};
    if (!spec) return [];
    return {
      metadata: {
        name: claimName(pod, name),
        namespace: namespaceOf(pod),
        ...(metadata?.labels && { labels: metadata.labels }),
        ...(metadata?.annotations && { annotations: metadata.annotations }),
        ownerReferences: [managedBy(pod, 'v1', 'Pod')],
      },
      spec,
    };
  });
}
