import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { byRevision } from './annotations.ts';
import { isRecreate, limitsOf } from './limits.ts';
import { replicasOf, type Sets, sum } from './replica-sets.ts';
import type { Scaling } from './scale.ts';

/** Whether any pod of a set is there that may still run, those on their way out included. */
export type HasPods = (set: ReplicaSet) => boolean;

/** As far as the set itself tells, which does not count pods on their way out. */
export const saysItHasPods: HasPods = ({ status }) => (status?.replicas ?? 0) > 0;

/** How many pods the set of a new template begins with. */
export function firstReplicas(deployment: Deployment, { old }: Sets, hasPods: HasPods): number {
  const wanted = deployment.spec?.replicas ?? 1;
  if (isRecreate(deployment)) return old.some(hasPods) ? 0 : wanted;
  const others = sum(old.map(replicasOf));
  return Math.max(0, Math.min(wanted, wanted + limitsOf(deployment).surge - others));
}

/** The next step towards the newest template. */
export function rolled(deployment: Deployment, { newest, old }: Sets, hasPods: HasPods): readonly Scaling[] {
  const down = old.map((set) => ({ set, replicas: 0 }));
  if (!newest) return isRecreate(deployment) ? down : [];
  if (!isRecreate(deployment)) return inSteps(deployment, newest, old);
  const gone = !old.some((set) => replicasOf(set) > 0 || hasPods(set));
  return gone ? [{ set: newest, replicas: deployment.spec?.replicas ?? 1 }] : down;
}

/**
 * First the new set grows as far as the surge lets it; then old ones shrink. Pods that do not work go first, though not all
 * where new ones do not work either: the old may do so again in a moment. Then go others, as far as enough stay available.
 */
function inSteps(deployment: Deployment, newest: ReplicaSet, old: readonly ReplicaSet[]): readonly Scaling[] {
  const wanted = deployment.spec?.replicas ?? 1;
  const { surge, unavailable } = limitsOf(deployment);
  const others = sum(old.map(replicasOf));
  const grown = Math.max(Math.min(replicasOf(newest), wanted), Math.min(wanted, wanted + surge - others));
  const above = Math.min(newest.status?.availableReplicas ?? 0, grown) - (wanted - unavailable);
  const all = [...old].sort(byRevision).map((set) => ({ set, replicas: replicasOf(set) }));
  const idle = ({ set }: Scaling) => replicasOf(set) - workingIn(set);
  const working = ({ set }: Scaling) => workingIn(set);
  const shrunk = without(without(all, above + others, idle), above + sum(old.map(workingIn)), working);
  return [{ set: newest, replicas: grown }, ...shrunk];
}

const workingIn = (set: ReplicaSet): number => Math.min(replicasOf(set), set.status?.availableReplicas ?? 0);

/** The sizes without up to so many pods, the first set's before the next one's. @param from how many of them each set has */
function without(sizes: readonly Scaling[], most: number, from: (each: Scaling) => number): readonly Scaling[] {
  let left = Math.max(0, most);
  return sizes.map((each) => {
    const less = Math.min(left, from(each));
    left -= less;
    return { ...each, replicas: each.replicas - less };
  });
}
