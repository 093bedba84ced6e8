import { managedBy, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import { isAlive, isReady, leastWorthFirst, waitUntilAvailable } from '../runtime/pod-state.ts';
import type { Pod, ReplicaSet } from '../runtime/resources.ts';

export interface ReplicaSetPlan {
  readonly create: number;
  readonly delete: readonly Pod[];
  /** The status to store; undefined when it is stored already. */
  readonly status?: NonNullable<ReplicaSet['status']>;
  /** Milliseconds until a ready pod counts as available. */
  readonly checkAgainAfter?: number;
}

/** Pods created or deleted in one step. */
const atMost = 500;

export function planReplicaSet(set: ReplicaSet, pods: readonly Pod[], now: number): ReplicaSetPlan {
  const alive = pods.filter(isAlive);
  const { replicas: wanted = 1, minReadySeconds = 0, template } = set.spec ?? {};
  const missing = wanted - alive.length;
  const waits = alive.map((pod) => waitUntilAvailable(pod, minReadySeconds, now));
  const labels = Object.entries(template?.metadata?.labels ?? {});
  const status = {
    ...set.status,
    replicas: alive.length,
    fullyLabeledReplicas: alive.filter(({ metadata }) =>
      labels.every(([key, value]) => metadata?.labels?.[key] === value),
    ).length,
    readyReplicas: alive.filter(isReady).length,
    availableReplicas: waits.filter((wait) => wait === 0).length,
    observedGeneration: set.metadata?.generation ?? 0,
  };
  const later = waits.filter((wait) => wait !== undefined && wait > 0) as number[];
  return {
    create: Math.min(atMost, Math.max(0, missing)),
    delete: missing < 0 ? leastWorthFirst(alive).slice(0, Math.min(atMost, -missing)) : [],
    ...(!isSame(set.status, status) && { status }),
    ...(later.length > 0 && { checkAgainAfter: Math.min(...later) }),
  };
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
] as const;

const isSame = (before: ReplicaSet['status'], next: NonNullable<ReplicaSet['status']>): boolean =>
  counts.every((name) => (before?.[name] ?? 0) === next[name]);

/** A pod of the set. */
export const podFor = (set: ReplicaSet, suffix: string): Pod => ({
  metadata: {
    name: `${nameOf(set)
      .slice(0, 62 - suffix.length)
      .replace(/[-.]+$/, '')}-${suffix}`,
    namespace: namespaceOf(set),
    labels: { ...set.spec?.template?.metadata?.labels },
    annotations: { ...set.spec?.template?.metadata?.annotations },
    ...(set.spec?.template?.metadata?.finalizers && { finalizers: set.spec.template.metadata.finalizers }),
    ownerReferences: [managedBy(set, 'apps/v1', 'ReplicaSet')],
  },
  spec: { ...set.spec?.template?.spec, containers: set.spec?.template?.spec?.containers ?? [] },
});
