import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { byRevision, desiredWhenScaled, mostWhenScaled } from './annotations.ts';
import { isRecreate, mostPods } from './limits.ts';
import { replicasOf, type Sets, sum } from './replica-sets.ts';

export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** Whether the deployment was scaled since its sets were: they follow before anything else moves. */
export const wasScaled = (deployment: Deployment, { all }: Sets): boolean =>
  all.some((set) => replicasOf(set) > 0 && !remembers(deployment, set));

/** Whether the set was last scaled for the size that is wanted now, as far as it tells. */
export const remembers = ({ spec }: Deployment, set: ReplicaSet): boolean => {
  const wanted = spec?.replicas ?? 1;
  return (desiredWhenScaled(set) ?? wanted) === wanted;
};

/**
 * Takes a deployment to another size without taking it to another template. A single set takes it all; several, in the
 * middle of a rollout or a pause, share it in proportion to what they have, so that a failing template gains no more
 * than its share.
 */
export function scaled(deployment: Deployment, sets: Sets): readonly Scaling[] {
  const wanted = deployment.spec?.replicas ?? 1;
  const { newest, old } = sets;
  const active = sets.all.filter((set) => replicasOf(set) > 0);
  if (active.length <= 1) {
    const set = active[0] ?? newest ?? old.toSorted(newerFirst)[0];
    return set ? [{ set, replicas: wanted }] : [];
  }
  if (newest && isFull(newest, wanted)) {
    return active.filter((set) => set !== newest).map((set) => ({ set, replicas: 0 }));
  }
  if (isRecreate(deployment)) return active.map((set) => ({ set, replicas: replicasOf(set) }));
  return shared(deployment, active);
}

const newerFirst = (a: ReplicaSet, b: ReplicaSet) => byRevision(b, a);

const isFull = (set: ReplicaSet, wanted: number): boolean =>
  replicasOf(set) === wanted && desiredWhenScaled(set) === wanted && (set.status?.availableReplicas ?? 0) === wanted;

/** Larger sets are asked first; of equal ones the newest to grow and the oldest to shrink. What rounding leaves goes to the first. */
function shared(deployment: Deployment, active: readonly ReplicaSet[]): readonly Scaling[] {
  const most = (deployment.spec?.replicas ?? 1) > 0 ? mostPods(deployment) : 0;
  const change = most - sum(active.map(replicasOf));
  const order = [...active].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (change > 0 ? newerFirst(a, b) : newerFirst(b, a)),
  );
  let left = change;
  const shares = order.map((set) => {
    const share = within(shareOf(deployment, set, most), left);
    left -= share;
    return { set, replicas: replicasOf(set) + share };
  });
  return shares.map(({ set, replicas }, index) => ({
    set,
    replicas: Math.max(0, index === 0 ? replicas + left : replicas),
  }));
}

/** How many pods more or fewer keep the set's part of the whole. */
function shareOf(deployment: Deployment, set: ReplicaSet, most: number): number {
  const before = mostWhenScaled(set) || deployment.status?.replicas || most;
  return most === 0 ? -replicasOf(set) : Math.round((replicasOf(set) * most) / before) - replicasOf(set);
}

/** As much of a share as there is left, in the direction of what is left. */
const within = (share: number, left: number): number =>
  left > 0 ? Math.max(0, Math.min(share, left)) : Math.min(0, Math.max(share, left));
