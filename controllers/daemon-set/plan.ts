import { amount } from '../deployment/limits.ts';
import { isDeleting, labelsOf, nameOf, olderFirst } from '../runtime/kube-object.ts';
import { checkAgain, isAlive, isReady, waitUntilAvailable } from '../runtime/pods/pod-state.ts';
import type { DaemonSet, Node, Pod } from '../runtime/resources.ts';
import { revisionHashLabel } from '../runtime/revisions.ts';
import { nodeOf, suitability } from './placement.ts';

type Status = NonNullable<DaemonSet['status']>;

export interface DaemonSetPlan {
  /** The nodes that get a pod. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
}

/** What a set has on a node. */
interface Place {
  readonly node: string;
  readonly starts: boolean;
  readonly stays: boolean;
  /** The first pod of the newest template and the first of an older one; more than these are too many. */
  readonly updated: Pod | undefined;
  readonly old: Pod | undefined;
  /** Whether a pod is on its way out: its successor waits. */
  readonly leaving: boolean;
  readonly surplus: readonly Pod[];
}

export interface Sight {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** The hash of the newest template. */
  readonly hash: string;
}

function placesOf(set: DaemonSet, { nodes, pods, hash }: Sight): readonly Place[] {
  const byNode = Map.groupBy(pods, nodeOf);
  return nodes.map((node) => {
    const there = byNode.get(nameOf(node)) ?? [];
    const alive = there.filter(isAlive).sort(olderFirst);
    const updated = alive.find((pod) => labelsOf(pod)[revisionHashLabel] === hash);
    const old = alive.find((pod) => labelsOf(pod)[revisionHashLabel] !== hash);
    return {
      node: nameOf(node),
      ...suitability(set, node),
      updated,
      old,
      leaving: there.some(isDeleting),
      surplus: there.filter((pod) => pod !== updated && pod !== old && !isDeleting(pod)),
    };
  });
}

/** Which pods come and which go next. */
export function planDaemonSet(set: DaemonSet, sight: Sight, now: number): DaemonSetPlan {
  const places = placesOf(set, sight);
  const known = new Set(places.map(({ node }) => node));
  const lost = sight.pods.filter((pod) => !pod.spec?.nodeName && !known.has(nodeOf(pod) ?? '') && !isDeleting(pod));
  const outlived = places.filter(({ stays }) => !stays).flatMap(({ updated, old }) => [updated, old]);
  const rolling = rolled(set, places, now);
  const empty = places.filter(
    ({ starts, updated, old, leaving, surplus }) => starts && !updated && !old && !leaving && surplus.length === 0,
  );
  return {
    create: [...empty.map(({ node }) => node), ...rolling.create],
    delete: [...lost, ...places.flatMap(({ surplus }) => surplus), ...[...outlived, ...rolling.delete].filter(isPod)],
  };
}

const isPod = (pod: Pod | undefined): pod is Pod => pod !== undefined;

/** The next step towards the newest template: old pods go first, or with a surge new ones come first. */
function rolled(set: DaemonSet, places: readonly Place[], now: number): DaemonSetPlan {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec?.updateStrategy ?? {};
  const wanted = places.filter(({ starts }) => starts);
  const live = wanted.filter(({ stays }) => stays);
  const isAvailable = (pod: Pod | undefined) => isPod(pod) && availableIn(set, pod, now) === 0;
  // The new pod is there and works: the old one of the same node is done.
  const done = live.filter(({ updated, old }) => old && isAvailable(updated)).map(({ old }) => old as Pod);
  if (type !== 'RollingUpdate') return { create: [], delete: done };
  const surge = amount(rollingUpdate?.maxSurge ?? 0, wanted.length, Math.ceil);
  const most = amount(rollingUpdate?.maxUnavailable ?? 1, wanted.length, Math.ceil);
  const outdated = live.filter(({ updated, old }) => old && !updated);
  if (surge > 0) {
    // Where a new pod failed the next one would too: it comes when that one has gone.
    const begun = live.filter(({ updated, old, surplus }) => old && (updated || surplus.length > 0));
    const next = outdated.filter((place) => !begun.includes(place)).slice(0, Math.max(0, surge - begun.length));
    return { create: next.map(({ node }) => node), delete: done };
  }
  const unavailable = wanted.filter(({ updated, old }) => !isAvailable(updated) && !isAvailable(old)).length;
  const idle = outdated.filter(({ old }) => !isAvailable(old));
  const serving = outdated.filter(({ old }) => isAvailable(old)).slice(0, Math.max(0, most - unavailable));
  return { create: [], delete: [...done, ...[...idle, ...serving].map(({ old }) => old as Pod)] };
}

/** Milliseconds until a pod counts as available; undefined when it is not ready. */
const availableIn = ({ spec }: DaemonSet, pod: Pod, now: number) =>
  waitUntilAvailable(pod, spec?.minReadySeconds ?? 0, now);

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'observedGeneration',
] as const;

/** The status of a set; without `status` when it is stored already. */
export function daemonSetStatus(
  set: DaemonSet,
  sight: Sight,
  now: number,
): { readonly status?: Status; readonly checkAgainAfter?: number } {
  const places = placesOf(set, sight);
  const wanted = places.filter(({ starts }) => starts);
  const podsAt = ({ updated, old }: Place) => [updated, old].filter(isPod);
  const count = (holds: (place: Place) => boolean) => wanted.filter(holds).length;
  const waits = wanted.flatMap(podsAt).map((pod) => availableIn(set, pod, now));
  const available = count((place) => podsAt(place).some((pod) => availableIn(set, pod, now) === 0));
  const status: Status = {
    ...set.status,
    currentNumberScheduled: count((place) => podsAt(place).length > 0),
    numberMisscheduled: places.filter((place) => !place.starts && podsAt(place).length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: count((place) => podsAt(place).some(isReady)),
    updatedNumberScheduled: count(({ updated }) => updated !== undefined),
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    observedGeneration: set.metadata?.generation ?? 0,
  };
  return {
    ...(counts.some((name) => (set.status?.[name] ?? 0) !== status[name]) && { status }),
    ...checkAgain(waits),
  };
}
