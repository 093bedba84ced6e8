import { asTold, type Condition, type Verdict, withCondition } from '../runtime/conditions.ts';
import type { KubeObject } from '../runtime/kube-object.ts';
import { checkAgain, isAlive, isReady, leastWorthFirst, waitUntilAvailable } from '../runtime/pods/pod-state.ts';
import type { Pod, ReplicaSet } from '../runtime/resources.ts';

/** What ReplicaSets and ReplicationControllers have in common: all but the form of their selector. */
export interface ReplicaOwner extends KubeObject {
  spec?: Pick<NonNullable<ReplicaSet['spec']>, 'replicas' | 'minReadySeconds' | 'template'>;
  status?: Omit<NonNullable<ReplicaSet['status']>, 'conditions'> & { conditions?: Condition[] };
}

type Status = NonNullable<ReplicaOwner['status']>;

/** Pods created or deleted in one step. */
const atMost = 500;

/**
 * How many pods are missing, or which are too many.
 * @param related the pods of all sets of the same manager, as a Deployment has while it rolls out: nodes with many are relieved first
 */
export function planReplicas({ spec }: ReplicaOwner, pods: readonly Pod[], related = pods) {
  const alive = pods.filter(isAlive);
  const missing = (spec?.replicas ?? 1) - alive.length;
  return {
    create: Math.min(atMost, Math.max(0, missing)),
    delete: missing < 0 ? leastWorthFirst(alive, related.filter(isAlive)).slice(0, Math.min(atMost, -missing)) : [],
  };
}

/** What went wrong when pods were created or deleted: the condition `ReplicaFailure` tells of it. */
export type ReplicaFailure = Required<Pick<Verdict, 'reason' | 'message'>>;

export interface ReplicasStatus {
  /** The status to store; undefined when it is stored already. */
  readonly status?: Status;
  /** Milliseconds until a ready pod counts as available. */
  readonly checkAgainAfter?: number;
}

/** The status of an owner with these pods. */
export function replicasStatus(
  owner: ReplicaOwner,
  pods: readonly Pod[],
  failure: ReplicaFailure | undefined,
  now: number,
): ReplicasStatus {
  const alive = pods.filter(isAlive);
  const { minReadySeconds = 0, template } = owner.spec ?? {};
  const waits = alive.map((pod) => waitUntilAvailable(pod, minReadySeconds, now));
  const labels = Object.entries(template?.metadata?.labels ?? {});
  const before = owner.status?.conditions ?? [];
  const verdict = failure && asTold(before, 'ReplicaFailure', { status: 'True', ...failure });
  const conditions = withCondition(before, 'ReplicaFailure', verdict, now);
  const status: Status = {
    ...owner.status,
    replicas: alive.length,
    fullyLabeledReplicas: alive.filter(({ metadata }) =>
      labels.every(([key, value]) => metadata?.labels?.[key] === value),
    ).length,
    readyReplicas: alive.filter(isReady).length,
    availableReplicas: waits.filter((wait) => wait === 0).length,
    observedGeneration: owner.metadata?.generation ?? 0,
    conditions: [...conditions],
  };
  return {
    ...(!(isSame(owner.status, status) && conditions === before) && { status }),
    ...checkAgain(waits),
  };
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
] as const;

const isSame = (before: ReplicaOwner['status'], next: Status): boolean =>
  counts.every((name) => (before?.[name] ?? 0) === next[name]);
