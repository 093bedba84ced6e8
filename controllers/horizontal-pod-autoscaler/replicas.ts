import { type Milli, parseQuantity } from '../resource-quota/quantity.ts';
import { parseDuration } from '../runtime/duration.ts';
import { isDeleting, millisecondsOf, nameOf } from '../runtime/kube-object.ts';
import type { Pod, PodMetrics } from '../runtime/resources.ts';

/** What a metric asks for. */
export interface Goal {
  /** Such as `cpu`. */
  readonly resource: string;
  /** Of this container alone; missing: of all together. */
  readonly container?: string;
  /** Percent of what the pods request, or an amount a pod. */
  readonly utilization?: number;
  readonly average?: Milli;
}

/** What is known of the pods of a target. */
export interface Sight {
  readonly pods: readonly Pod[];
  readonly metrics: readonly PodMetrics[];
  /** How many the target wants now. */
  readonly current: number;
  readonly now: number;
}

/** How many pods a metric asks for, and what it shows now. */
export interface Proposal {
  readonly replicas: number;
  /** A pod's share. */
  readonly average: Milli;
  readonly utilization?: number;
}

/** Why a metric says nothing. */
export class Unmeasured extends Error {}

/** So far a ratio may be from 1 without anything being done. */
const tolerance = 0.1;

/** How long the start of a pod is told apart from its work, in milliseconds. */
const starting = { readiness: 30_000, cpu: 300_000 };

/** What a pod uses, and what it requested. */
interface Share {
  readonly used: Milli;
  readonly requested: Milli;
}

/**
 * How many pods make each use what is wanted. Pods that say nothing, or do not work yet, are taken for what speaks against
 * the change: so the unknown never adds to it, nor turns it around.
 * @throws Unmeasured when no pod that works says anything, or when shares of requests are wanted that are not made
 */
export function proposalFor(goal: Goal, sight: Sight): Proposal {
  const { measured, silent, starters } = sorted(goal, sight);
  if (measured.length === 0) throw new Unmeasured(`no pod that works has metrics of ${goal.resource}`);
  const ratio = ratioOf(goal, measured);
  const now = { average: sumOf(measured, 'used') / BigInt(measured.length), ...shareOf(goal, measured) };
  const keep = { replicas: sight.current, ...now };
  const idle = ratio > 1 ? starters : [];
  if (silent.length === 0 && idle.length === 0)
    return isNear(ratio) ? keep : { replicas: Math.ceil(ratio * measured.length), ...now };
  const supposed = [...measured, ...silent.map((share) => supposedOf(goal, share, ratio)), ...idle.map(unused)];
  const next = ratioOf(goal, supposed);
  const replicas = Math.ceil(next * supposed.length);
  const turned = ratio > 1 ? next < 1 || replicas < sight.current : next > 1 || replicas > sight.current;
  return isNear(next) || turned ? keep : { replicas, ...now };
}

const isNear = (ratio: number): boolean => Math.abs(ratio - 1) <= tolerance;
const unused = ({ requested }: Share): Share => ({ used: 0n, requested });

/** What a pod without metrics is taken for: idle where more are to come, at its goal (or its request) where fewer. */
function supposedOf({ utilization, average = 0n }: Goal, { requested }: Share, ratio: number): Share {
  if (ratio >= 1) return { used: 0n, requested };
  const used = utilization === undefined ? average : (requested * BigInt(Math.max(100, utilization))) / 100n;
  return { used, requested };
}

/** What is used for what is wanted; 1 is just right. */
function ratioOf(goal: Goal, shares: readonly Share[]): number {
  const { utilization } = shareOf(goal, shares);
  if (utilization !== undefined) return utilization / (goal.utilization ?? 1);
  return Number(sumOf(shares, 'used')) / shares.length / Number(goal.average ?? 1n);
}

function shareOf(goal: Goal, shares: readonly Share[]): { readonly utilization?: number } {
  if (goal.utilization === undefined) return {};
  const requested = sumOf(shares, 'requested');
  if (requested === 0n) throw new Unmeasured(`no pod that works requests any ${goal.resource}`);
  return { utilization: Number((sumOf(shares, 'used') * 100n) / requested) };
}

const sumOf = (shares: readonly Share[], part: keyof Share): Milli =>
  shares.reduce((sum, share) => sum + share[part], 0n);

interface Sorted {
  readonly measured: readonly Share[];
  /** Without metrics. */
  readonly silent: readonly Share[];
  /** That do not work yet. */
  readonly starters: readonly Share[];
}

/** Pods that go or have failed count for nothing. */
function sorted(goal: Goal, { pods, metrics, now }: Sight): Sorted {
  const byName = new Map(metrics.map((each) => [nameOf(each), each]));
  const result = { measured: [] as Share[], silent: [] as Share[], starters: [] as Share[] };
  for (const pod of pods) {
    if (isDeleting(pod) || pod.status?.phase === 'Failed') continue;
    const metric = byName.get(nameOf(pod));
    const used = metric && usedBy(goal, metric);
    const share = { used: used ?? 0n, requested: requestedBy(goal, pod) };
    if (pod.status?.phase === 'Pending') result.starters.push(share);
    else if (!metric || used === undefined) result.silent.push(share);
    else if (goal.resource === 'cpu' && isStarting(pod, metric, now)) result.starters.push(share);
    else result.measured.push(share);
  }
  return result;
}

/** Undefined where any of the containers says nothing. */
function usedBy({ resource, container }: Goal, { containers = [] }: PodMetrics): Milli | undefined {
  const own = containers.filter(({ name }) => container === undefined || name === container);
  const texts = own.map(({ usage }) => usage?.[resource]);
  if (own.length === 0 || texts.some((text) => text === undefined)) return undefined;
  return texts.reduce((sum, text) => sum + parseQuantity(text), 0n);
}

function requestedBy({ resource, container, utilization }: Goal, pod: Pod): Milli {
  const own = (pod.spec?.containers ?? []).filter(({ name }) => container === undefined || name === container);
  return own.reduce((sum, { name, resources }) => {
    const text = resources?.requests?.[resource];
    if (text === undefined && utilization !== undefined)
      throw new Unmeasured(`missing request for ${resource} in container ${name} of pod ${nameOf(pod)}`);
    return sum + parseQuantity(text);
  }, 0n);
}

/** What a pod uses before it works for the first time says nothing of its work. */
function isStarting(pod: Pod, metric: PodMetrics, now: number): boolean {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const started = millisecondsOf(pod.status?.startTime);
  const since = millisecondsOf(ready?.lastTransitionTime);
  if (!ready || started === undefined || since === undefined) return true;
  if (now < started + starting.cpu)
    return ready.status !== 'True' || (millisecondsOf(metric.timestamp) ?? 0) < since + windowOf(metric);
  return ready.status !== 'True' && since < started + starting.readiness;
}

const windowOf = ({ window }: PodMetrics): number => parseDuration(window) ?? 0;
