import { managedBy, nameOf, namespaceOf, olderFirst } from '../runtime/kube-object.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { byRevision, inherited, revisionAnnotation, revisionOf, scalingAnnotations } from './annotations.ts';
import { hashLabel, hasTemplateOf, templateHash } from './template-hash.ts';

/** The sets of a deployment. */
export interface Sets {
  /** The set of the template as it is now, if there is one. */
  readonly newest: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly all: readonly ReplicaSet[];
}

export const replicasOf = (set: ReplicaSet): number => set.spec?.replicas ?? 0;
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Tells the set with the deployment's template from the others; of several the oldest, since others must be mistakes. */
export function setsOf(deployment: Deployment, all: readonly ReplicaSet[]): Sets {
  const newest = [...all].sort(olderFirst).find((set) => hasTemplateOf(set, deployment));
  return { newest, old: all.filter((set) => set !== newest), all };
}

/** The revision that the newest set stands for: above all others. */
export function revisionFor({ newest, old }: Sets): bigint {
  const highest = old.toSorted(byRevision).at(-1);
  const next = (highest ? revisionOf(highest) : 0n) + 1n;
  return newest && revisionOf(newest) >= next ? revisionOf(newest) : next;
}

/** Old sets without pods beyond the history limit, the oldest first. */
export function outdated({ spec }: Deployment, { old }: Sets): readonly ReplicaSet[] {
  const idle = old.filter(
    (set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !set.metadata?.deletionTimestamp,
  );
  const over = idle.length - (spec?.revisionHistoryLimit ?? 10);
  return over > 0 ? [...idle].sort(byRevision).slice(0, over) : [];
}

/** The set of the deployment's template, to be created. */
export function newSet(deployment: Deployment, revision: bigint, replicas: number): ReplicaSet {
  const hash = templateHash(deployment);
  const { template, selector, minReadySeconds } = deployment.spec ?? {};
  const labels = { ...template?.metadata?.labels, [hashLabel]: hash };
  return {
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: {
        ...inherited(deployment),
        ...scalingAnnotations(deployment),
        [revisionAnnotation]: String(revision),
      },
      ownerReferences: [managedBy(deployment, 'apps/v1', 'Deployment')],
    },
    spec: {
      replicas,
      ...(minReadySeconds && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  };
}
