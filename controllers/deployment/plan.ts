import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { type Annotations, missingAnnotations } from './annotations.ts';
import { newSet, outdated, replicasOf, revisionFor, type Sets, setsOf } from './replica-sets.ts';
import { firstReplicas, type HasPods, rolled, saysItHasPods } from './roll.ts';
import { remembers, type Scaling, scaled, wasScaled } from './scale.ts';

export interface DeploymentPlan {
  readonly sets: Sets;
  /** The revision of the newest template; none while a pause keeps it from having a set. */
  readonly revision?: string;
  /** The set of the newest template, when there is none yet. */
  readonly create?: ReplicaSet;
  /** What the newest set lacks of annotations. */
  readonly annotate?: { readonly set: ReplicaSet; readonly annotations: Annotations };
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
  const annotations = newest ? missingAnnotations(deployment, newest, revision) : {};
  const step = sizeFirst ? scaled(deployment, sets) : rolled(deployment, sets, hasPods);
  return {
    sets,
    ...((newest || !paused) && { revision: String(revision) }),
    ...(!newest && !sizeFirst && { create: newSet(deployment, revision, firstReplicas(deployment, sets, hasPods)) }),
    ...(newest && Object.keys(annotations).length > 0 && { annotate: { set: newest, annotations } }),
    scale: step.filter(
      ({ set, replicas }) => replicasOf(set) !== replicas || (sizeFirst && replicas > 0 && !remembers(deployment, set)),
    ),
    delete: outdated(deployment, sets).filter((set) => !hasPods(set)),
  };
}
