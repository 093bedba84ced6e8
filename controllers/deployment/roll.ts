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

/** First the new set grows as far as the surge lets it; then old ones shrink as far as enough pods stay available. */
function inSteps(deployment: Deployment, newest: ReplicaSet, old: readonly ReplicaSet[]): readonly Scaling[] {
  const wanted = deployment.spec?.replicas ?? 1;
  const { surge, unavailable } = limitsOf(deployment);
  const others = sum(old.map(replicasOf));
  const grown = Math.max(Math.min(replicasOf(newest), wanted), Math.min(wanted, wanted + surge - others));
  const availableNew = Math.min(newest.status?.availableReplicas ?? 0, grown);
  const shrunk = [...old].sort(byRevision).map((set) => {
    // Pods that are not available are missed by nobody.
    return { set, replicas: Math.min(replicasOf(set), set.status?.availableReplicas ?? 0) };
  });
  let spare = availableNew + sum(shrunk.map(({ replicas }) => replicas)) - (wanted - unavailable);
  for (const each of shrunk) {
    const less = Math.max(0, Math.min(spare, each.replicas));
    each.replicas -= less;
    spare -= less;
  }
  return [{ set: newest, replicas: grown }, ...shrunk];
}
