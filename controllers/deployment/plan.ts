import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { type Annotations, missingAnnotations } from './annotations.ts';
import { newSet, outdated, replicasOf, revisionFor, type Sets, setsOf } from './replica-sets.ts';
import { firstReplicas, type HasPods, rolled, saysItHasPods } from './roll.ts';
import { remembers, type Scaling, scaled, wasScaled } from './scale.ts';

export interface Adjustment {
  readonly set: ReplicaSet;
  readonly annotations: Annotations;
  readonly minReadySeconds?: number;
}

export interface DeploymentPlan {
  readonly sets: Sets;
  /** The revision of the newest template; none while a pause keeps it from having a set. */
  readonly revision?: string;
  /** The set of the newest template, when there is none yet. */
  readonly create?: ReplicaSet;
  /** What the newest set lacks of annotations, and how long its pods have to be ready, if that is another time now. */
  readonly adjust?: Adjustment;
  readonly scale: readonly Scaling[];
  /** Old sets beyond the history limit. */
  readonly delete: readonly ReplicaSet[];
}

/** What to do next for a deployment. Every step keeps within maxSurge and maxUnavailable; several lead to the end. */
export function planDeployment(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  hasPods: HasPods = saysItHasPods,
): DeploymentPlan {
  const sets = setsOf(deployment, all);
  const revision = revisionFor(sets);
  const { newest } = sets;
  const paused = deployment.spec?.paused ?? false;
  const sizeFirst = paused || wasScaled(deployment, sets);
  const adjust = newest && adjustment(deployment, newest, revision);
  const step = sizeFirst ? scaled(deployment, sets) : rolled(deployment, sets, hasPods);
  return {
    sets,
    ...((newest || !paused) && { revision: String(revision) }),
    ...(!newest && !sizeFirst && { create: newSet(deployment, revision, firstReplicas(deployment, sets, hasPods)) }),
    ...(adjust && { adjust }),
    scale: step.filter(
      ({ set, replicas }) => replicasOf(set) !== replicas || (sizeFirst && replicas > 0 && !remembers(deployment, set)),
    ),
    delete: outdated(deployment, sets).filter((set) => !hasPods(set)),
  };
}

/** What is not part of a template, and so no reason for a new set: the one that is there follows. */
function adjustment(deployment: Deployment, set: ReplicaSet, revision: bigint): Adjustment | undefined {
  const annotations = missingAnnotations(deployment, set, revision);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const differs = minReadySeconds !== (set.spec?.minReadySeconds ?? 0);
  if (Object.keys(annotations).length === 0 && !differs) return undefined;
  return { set, annotations, ...(differs && { minReadySeconds }) };
}
