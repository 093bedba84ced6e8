import { formatTime } from '../runtime/clock.ts';
import { annotationOf, managedBy, millisecondsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { hashLabel, hasTemplateOf, templateHash } from './template-hash.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';

export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

export interface DeploymentPlan {
  /** The set of the newest template, when there is none yet. */
  readonly create?: ReplicaSet;
  /** Revision that the newest set is to carry, when it carries another. */
  readonly revise?: { readonly set: ReplicaSet; readonly revision: string };
  readonly scale: readonly Scaling[];
  /** Old sets beyond the history limit. */
  readonly delete: readonly ReplicaSet[];
  readonly revision: string;
  readonly status?: NonNullable<Deployment['status']>;
  readonly checkAgainAfter?: number;
}

/** What to do next for a deployment. Every step keeps within maxSurge and maxUnavailable; several lead to the end. */
export function planDeployment(deployment: Deployment, sets: readonly ReplicaSet[], now: number): DeploymentPlan {
  const newest = newestSet(deployment, sets);
  const old = sets.filter((set) => set !== newest);
  const revision = String(Math.max(0, ...old.map(revisionOf)) + 1);
  const keeps = newest && revisionOf(newest) >= Number(revision) ? String(revisionOf(newest)) : revision;
  const scale = scalings(deployment, newest, old);
  const { status, checkAgainAfter } = statusOf(deployment, newest, sets, now);
  return {
    ...(!newest &&
      !deployment.spec?.paused && { create: setFor(deployment, revision, firstReplicas(deployment, old)) }),
    ...(newest && String(revisionOf(newest)) !== keeps && { revise: { set: newest, revision: keeps } }),
    scale,
    delete: outdated(deployment, old),
    revision: keeps,
    ...(status && { status }),
    ...(checkAgainAfter !== undefined && { checkAgainAfter }),
  };
}

const revisionOf = (set: ReplicaSet): number => Number(annotationOf(set, revisionAnnotation) ?? 0) || 0;
const replicasOf = (set: ReplicaSet): number => set.spec?.replicas ?? 0;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The set with the deployment's template; of several the oldest, since others must be mistakes. */
function newestSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const age = (set: ReplicaSet) => millisecondsOf(set.metadata?.creationTimestamp) ?? 0;
  return [...sets].sort((a, b) => age(a) - age(b)).find((set) => hasTemplateOf(set, deployment));
}

/** How many pods may be over, and how many unavailable. Percentages of the wanted number; the one rounds up, the other down. */
export function limitsOf({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const wanted = spec?.replicas ?? 1;
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec?.strategy?.rollingUpdate ?? {};
  const surge = amount(maxSurge, wanted, Math.ceil);
  const unavailable = Math.min(wanted, amount(maxUnavailable, wanted, Math.floor));
  // With neither nothing could ever move.
  return surge + unavailable === 0 ? { surge: 0, unavailable: 1 } : { surge, unavailable };
}

function amount(value: number | string, wanted: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(value) ?? [];
  return percent === undefined ? 0 : round((Number(percent) * wanted) / 100);
}

function firstReplicas(deployment: Deployment, old: readonly ReplicaSet[]): number {
  const wanted = deployment.spec?.replicas ?? 1;
  const others = sum(old.map(replicasOf));
  if (deployment.spec?.strategy?.type === 'Recreate')
    return sum(old.map((set) => set.status?.replicas ?? 0)) > 0 ? 0 : wanted;
  return Math.max(0, Math.min(wanted, wanted + limitsOf(deployment).surge - others));
}

function scalings(
  deployment: Deployment,
  newest: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): readonly Scaling[] {
  const wanted = deployment.spec?.replicas ?? 1;
  if (deployment.spec?.paused)
    return newest && old.every((set) => replicasOf(set) === 0) ? changed([{ set: newest, replicas: wanted }]) : [];
  if (!newest)
    return deployment.spec?.strategy?.type === 'Recreate' ? changed(old.map((set) => ({ set, replicas: 0 }))) : [];
  if (deployment.spec?.strategy?.type === 'Recreate') {
    const down = old.map((set) => ({ set, replicas: 0 }));
    const gone = sum(old.map((set) => set.status?.replicas ?? 0)) + sum(old.map(replicasOf)) === 0;
    return changed(gone ? [{ set: newest, replicas: wanted }] : down);
  }
  return rolling(deployment, newest, old);
}

const changed = (scalings: readonly Scaling[]): readonly Scaling[] =>
  scalings.filter(({ set, replicas }) => replicasOf(set) !== replicas);

/** First the new set grows as far as the surge lets it; then old ones shrink as far as enough pods stay available. */
function rolling(deployment: Deployment, newest: ReplicaSet, old: readonly ReplicaSet[]): readonly Scaling[] {
  const wanted = deployment.spec?.replicas ?? 1;
  const { surge, unavailable } = limitsOf(deployment);
  const others = sum(old.map(replicasOf));
  const grown = Math.max(Math.min(replicasOf(newest), wanted), Math.min(wanted, wanted + surge - others));
  const availableNew = Math.min(newest.status?.availableReplicas ?? 0, grown);
  const shrunk = old.map((set) => ({ set, replicas: replicasOf(set) }));
  // Pods that are not available are missed by nobody.
  for (const each of shrunk) each.replicas = Math.min(each.replicas, each.set.status?.availableReplicas ?? 0) || 0;
  let spare = availableNew + sum(shrunk.map(({ replicas }) => replicas)) - (wanted - unavailable);
  for (const each of shrunk.sort((a, b) => revisionOf(a.set) - revisionOf(b.set))) {
    const less = Math.max(0, Math.min(spare, each.replicas));
    each.replicas -= less;
    spare -= less;
  }
  return changed([{ set: newest, replicas: grown }, ...shrunk]);
}

function outdated({ spec }: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const idle = old.filter(
    (set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !set.metadata?.deletionTimestamp,
  );
  const over = idle.length - (spec?.revisionHistoryLimit ?? 10);
  return over > 0 ? [...idle].sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, over) : [];
}

/** The set of the deployment's template. */
function setFor(deployment: Deployment, revision: string, replicas: number): ReplicaSet {
  const hash = templateHash(deployment);
  const { template, selector, minReadySeconds } = deployment.spec ?? {};
  const labels = { ...template?.metadata?.labels, [hashLabel]: hash };
  return {
    metadata: {
      name: `${nameOf(deployment)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: { [revisionAnnotation]: revision },
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

type Status = NonNullable<Deployment['status']>;
type Condition = NonNullable<Status['conditions']>[number];

function statusOf(deployment: Deployment, newest: ReplicaSet | undefined, sets: readonly ReplicaSet[], now: number) {
  const before = deployment.status ?? {};
  const total = (name: 'replicas' | 'readyReplicas' | 'availableReplicas') =>
    sum(sets.map((set) => set.status?.[name] ?? 0));
  const wanted = deployment.spec?.replicas ?? 1;
  const available = total('availableReplicas');
  const numbers = {
    observedGeneration: deployment.metadata?.generation ?? 0,
    replicas: total('replicas'),
    updatedReplicas: newest?.status?.replicas ?? 0,
    readyReplicas: total('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
  };
  const enough = available >= wanted - limitsOf(deployment).unavailable;
  const done = numbers.updatedReplicas === wanted && numbers.replicas === wanted && available === wanted;
  const progress = progressOf(
    before,
    numbers,
    { done, newest, seconds: deployment.spec?.progressDeadlineSeconds ?? 600 },
    now,
  );
  const wantedConditions: readonly Condition[] = [
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    progress.condition,
  ];
  const conditions = wantedConditions.map((condition) => withTimes(before, condition, progress.moved, now));
  const status: Status = { ...before, ...numbers, conditions };
  const same = JSON.stringify(comparable(before)) === JSON.stringify(comparable(status));
  return { ...(!same && { status }), ...(progress.wait !== undefined && { checkAgainAfter: progress.wait }) };
}

type Numbers = Pick<Status, 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'>;

function progressOf(
  before: Status,
  next: Numbers,
  {
    done,
    newest,
    seconds,
  }: { readonly done: boolean; readonly newest: ReplicaSet | undefined; readonly seconds: number },
  now: number,
) {
  const name = newest ? nameOf(newest) : '';
  const moved = (['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const).some(
    (key) => (before[key] ?? 0) !== (next[key] ?? 0),
  );
  const old = before.conditions?.find(({ type }) => type === 'Progressing');
  const yes = (reason: string, message: string): Condition => ({
    type: 'Progressing',
    status: 'True',
    reason,
    message,
  });
  if (done)
    return { condition: yes('NewReplicaSetAvailable', `ReplicaSet "${name}" has successfully progressed.`), moved };
  const since = millisecondsOf(old?.lastUpdateTime) ?? now;
  const late = !moved && old !== undefined && old.reason !== 'NewReplicaSetAvailable' && now >= since + seconds * 1000;
  if (late) {
    const message = `ReplicaSet "${name}" has timed out progressing.`;
    return { condition: { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message }, moved };
  }
  return {
    condition: yes('ReplicaSetUpdated', `ReplicaSet "${name}" is progressing.`),
    moved,
    wait: since + seconds * 1000 - now,
  };
}

function withTimes(before: Status, condition: Condition, moved: boolean, now: number): Condition {
  const old = before.conditions?.find(({ type }) => type === condition.type);
  const time = formatTime(now);
  const same = old?.status === condition.status && old.reason === condition.reason;
  const lastUpdateTime = same && !(moved && condition.type === 'Progressing') ? (old.lastUpdateTime ?? time) : time;
  return {
    ...condition,
    lastUpdateTime,
    lastTransitionTime: (old?.status === condition.status && old.lastTransitionTime) || time,
  };
}

const comparable = (status: Status) => [
  status.observedGeneration ?? 0,
  status.replicas ?? 0,
  status.updatedReplicas ?? 0,
  status.readyReplicas ?? 0,
  status.availableReplicas ?? 0,
  status.unavailableReplicas ?? 0,
  [...(status.conditions ?? [])]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, status: is, reason, message }) => [type, is, reason, message]),
];
