import { isDeleting } from '../runtime/kube-object.ts';
import { checkAgain, isReady, mayRun, waitUntilAvailable } from '../runtime/pods/pod-state.ts';
import type { Pod, StatefulSet } from '../runtime/resources.ts';
import { ordinalOf, revisionOf } from './pods.ts';

type Status = NonNullable<StatefulSet['status']>;

/** The names of the revision that the pods had, and of the one that they are to have. */
export interface Revisions {
  readonly current: string;
  readonly update: string;
}

/** The revisions of a set. Its first status may be lost to a change of the template: then its pods tell where it comes from. */
export const revisionsFor = (set: StatefulSet, pods: readonly Pod[], newest: string): Revisions => ({
  current: set.status?.currentRevision || pods.map(revisionOf).find((each) => each && each !== newest) || newest,
  update: newest,
});

/** What to do next. In order, a step waits until the one before it has done its work. */
export interface StatefulSetPlan {
  /** The numbers that get a pod, each with the name of its revision. */
  readonly create: readonly { readonly ordinal: number; readonly revision: string }[];
  readonly delete: readonly Pod[];
}

const nothing: StatefulSetPlan = { create: [], delete: [] };

export function planStatefulSet(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): StatefulSetPlan {
  const sight = sightOf(set, pods, now);
  const { wanted, beyond, isHealthy } = sight;
  const inOrder = set.spec?.podManagementPolicy !== 'Parallel';
  const filling = filled(set, sight, revisions, inOrder);
  if (inOrder && (filling.create.length + filling.delete.length > 0 || !wanted.every((pod) => pod && isHealthy(pod)))) {
    return filling;
  }
  const leaving = beyond.filter((pod) => !isDeleting(pod));
  // One after the other, and the next only when the last is gone.
  const first = inOrder ? leaving.slice(0, beyond.length === leaving.length ? 1 : 0) : leaving;
  if (first.length > 0 || (inOrder && beyond.length > 0)) {
    return { create: filling.create, delete: [...filling.delete, ...first] };
  }
  const next = filling.create.length > 0 ? [] : outdated(set, sight, revisions);
  return { create: filling.create, delete: [...filling.delete, ...next] };
}

interface Sight {
  /** By number; undefined where there is no pod. */
  readonly wanted: readonly (Pod | undefined)[];
  /** Pods with numbers that are no longer wanted, the highest first. */
  readonly beyond: readonly Pod[];
  readonly isHealthy: (pod: Pod) => boolean;
}

function sightOf(set: StatefulSet, pods: readonly Pod[], now: number): Sight {
  const { replicas = 1, minReadySeconds = 0 } = set.spec ?? {};
  const byNumber = new Map(pods.map((pod) => [ordinalOf(set, pod) ?? -1, pod]));
  return {
    wanted: Array.from({ length: replicas }, (_, ordinal) => byNumber.get(ordinal)),
    beyond: [...byNumber]
      .filter(([ordinal]) => ordinal >= replicas)
      .sort(([a], [b]) => b - a)
      .map(([, pod]) => pod),
    isHealthy: (pod) => !isDeleting(pod) && waitUntilAvailable(pod, minReadySeconds, now) === 0,
  };
}

/** Fills the gaps, in order up to the first pod that does not work yet. Pods that have ended make room. */
function filled(
  set: StatefulSet,
  { wanted, isHealthy }: Sight,
  revisions: Revisions,
  inOrder: boolean,
): StatefulSetPlan {
  const create: { ordinal: number; revision: string }[] = [];
  const gone: Pod[] = [];
  for (const [ordinal, pod] of wanted.entries()) {
    if (!pod) create.push({ ordinal, revision: revisionFor(set, ordinal, revisions) });
    else if (!mayRun(pod) && !isDeleting(pod)) gone.push(pod);
    if (inOrder && !(pod && isHealthy(pod))) break;
  }
  return { create, delete: gone };
}

const partitionOf = ({ spec }: StatefulSet): number =>
  spec?.updateStrategy?.type === 'OnDelete' ? 0 : (spec?.updateStrategy?.rollingUpdate?.partition ?? 0);

/** Numbers below the partition stay at the revision that they had. */
const revisionFor = (set: StatefulSet, ordinal: number, { current, update }: Revisions): string =>
  ordinal < partitionOf(set) ? current : update;

/** The last pod of an older revision, down to the partition, once all after it work. */
function outdated(set: StatefulSet, { wanted, isHealthy }: Sight, { update }: Revisions): readonly Pod[] {
  if (set.spec?.updateStrategy?.type === 'OnDelete') return nothing.delete;
  for (let ordinal = wanted.length - 1; ordinal >= partitionOf(set); ordinal -= 1) {
    const pod = wanted[ordinal];
    if (pod && revisionOf(pod) !== update && !isDeleting(pod)) return [pod];
    if (!pod || !isHealthy(pod)) return nothing.delete;
  }
  return nothing.delete;
}

const counts = [
  'observedGeneration',
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
] as const;

const isSame = (before: StatefulSet['status'], next: Status): boolean =>
  counts.every((name) => (before?.[name] ?? 0) === next[name]) &&
  before?.currentRevision === next.currentRevision &&
  before?.updateRevision === next.updateRevision;

/** Whether all pods that are wanted work at the newer revision. Where some are missing for a moment, the others say nothing of it. */
const isRolledOut = ({ spec }: StatefulSet, own: readonly Pod[], { update }: Revisions): boolean =>
  spec?.updateStrategy?.type !== 'OnDelete' &&
  own.length === (spec?.replicas ?? 1) &&
  own.every((pod) => !isDeleting(pod) && mayRun(pod) && isReady(pod) && revisionOf(pod) === update);

/** The status of a set; without `status` when it is stored already. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): { readonly status?: Status; readonly checkAgainAfter?: number } {
  // One that has ended counts until it is gone and another takes its number.
  const own = pods.filter((pod) => ordinalOf(set, pod) !== undefined);
  const running = own.filter(mayRun);
  const living = own.filter((pod) => !isDeleting(pod));
  const waits = running.map((pod) => waitUntilAvailable(pod, set.spec?.minReadySeconds ?? 0, now));
  const current = isRolledOut(set, own, revisions) ? revisions.update : revisions.current;
  const status: Status = {
    ...set.status,
    observedGeneration: set.metadata?.generation ?? 0,
    replicas: own.length,
    readyReplicas: running.filter(isReady).length,
    availableReplicas: waits.filter((wait) => wait === 0).length,
    currentReplicas: living.filter((pod) => revisionOf(pod) === current).length,
    updatedReplicas: living.filter((pod) => revisionOf(pod) === revisions.update).length,
    currentRevision: current,
    updateRevision: revisions.update,
    collisionCount: set.status?.collisionCount ?? 0,
  };
  return { ...(!isSame(set.status, status) && { status }), ...checkAgain(waits) };
}
