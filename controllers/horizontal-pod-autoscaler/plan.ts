import type { V2MetricSpec, V2MetricStatus } from '@kubernetes/client-node';
import { formatQuantity, parseQuantity } from '../resource-quota/quantity.ts';
import { formatTime } from '../runtime/clock.ts';
import { withCondition } from '../runtime/conditions.ts';
import type { Wire } from '../runtime/kube-object.ts';
import type { HorizontalPodAutoscaler } from '../runtime/resources.ts';
import { forgetting, type Limited, limited, type Memory } from './behavior.ts';
import { type Goal, type Proposal, proposalFor, type Sight, Unmeasured } from './replicas.ts';

type MetricSpec = Wire<V2MetricSpec>;
type MetricStatus = Wire<V2MetricStatus>;
type Stored = NonNullable<HorizontalPodAutoscaler['status']>;
type Status = Omit<Stored, 'currentMetrics'> & { readonly currentMetrics: MetricStatus[] | null };
type Conditions = NonNullable<Stored['conditions']>;

/** What to do, and what to say of it. */
export interface AutoscalingPlan {
  /** What the target shall want; missing: what it wants already. */
  readonly replicas?: number;
  /** Why, for the event. */
  readonly reason: string;
  /** Why a metric says nothing, for an event. */
  readonly failure?: string;
  readonly status: Status;
  readonly memory: Memory;
}

interface Decision extends Limited {
  /** What the metrics ask for, before it is limited. */
  readonly recommended?: number;
  readonly reason: string;
  readonly failure?: string;
  /** Whether metrics could be asked for; missing where that was not tried. */
  readonly active?: readonly [status: string, reason: string, message: string];
  readonly metrics: readonly MetricStatus[];
}

/** Looks at every metric and takes the one that asks for most. */
export function planAutoscaling(
  autoscaler: HorizontalPodAutoscaler,
  sight: Sight,
  known: Memory | undefined,
  unavailable?: string,
): AutoscalingPlan {
  const { current, now } = sight;
  // The start of a process is no reason to take pods away.
  const memory = forgetting(known ?? { recommended: [{ at: now, replicas: current }], changes: [] }, now);
  const decision = withinBounds(autoscaler, current) ?? measured(autoscaler, sight, memory, unavailable);
  const { replicas, reason, failure, metrics, recommended } = decision;
  return {
    ...(replicas !== current && { replicas }),
    reason,
    ...(failure !== undefined && { failure }),
    status: statusOf(autoscaler, sight, { replicas, metrics, conditions: conditionsOf(autoscaler, decision, sight) }),
    memory: {
      recommended:
        recommended === undefined ? memory.recommended : [...memory.recommended, { at: now, replicas: recommended }],
      changes: replicas === current ? memory.changes : [...memory.changes, { at: now, by: replicas - current }],
    },
  };
}

/** What the metrics ask for. */
function measured(
  autoscaler: HorizontalPodAutoscaler,
  sight: Sight,
  memory: Memory,
  unavailable: string | undefined,
): Decision {
  const { current, now } = sight;
  const seen = (autoscaler.spec?.metrics ?? []).map((metric) => judged(metric, sight, unavailable));
  const proposals = seen.flatMap(({ proposal }) => proposal ?? []);
  const failed = seen.find(({ why }) => why !== undefined);
  const most = Math.max(...proposals.map((each) => each.replicas));
  const metrics = seen.flatMap(({ status }) => status ?? []);
  // Who does not know everything takes nothing away.
  if (proposals.length === 0 || (failed && most < current)) {
    const why = failed?.why ?? 'there is no metric';
    const active = ['False', failed?.reason ?? 'InvalidMetricSourceType', why] as const;
    return { replicas: current, reason: '', failure: why, active, metrics };
  }
  const name = seen.find(({ proposal }) => proposal?.replicas === most)?.name ?? '';
  return {
    ...limited(autoscaler, current, most, memory, now),
    recommended: most,
    reason: most > current ? `${name} above target` : 'All metrics below target',
    active: ['True', 'ValidMetricFound', `the HPA was able to successfully calculate a replica count from ${name}`],
    metrics,
  };
}

/** Where metrics need not be asked: a target of none stays, and one that is out of bounds comes back. */
function withinBounds({ spec }: HorizontalPodAutoscaler, current: number): Decision | undefined {
  const { minReplicas = 1, maxReplicas = 1 } = spec ?? {};
  if (current === 0 && minReplicas !== 0) {
    const why = 'scaling is disabled since the replica count of the target is zero';
    return { replicas: 0, reason: '', active: ['False', 'ScalingDisabled', why], metrics: [] };
  }
  if (current > maxReplicas)
    return { replicas: maxReplicas, reason: 'Current number of replicas above Spec.MaxReplicas', metrics: [] };
  if (current < minReplicas)
    return { replicas: minReplicas, reason: 'Current number of replicas below Spec.MinReplicas', metrics: [] };
  return undefined;
}

interface Judged {
  readonly name: string;
  readonly proposal?: Proposal;
  readonly status?: MetricStatus;
  readonly why?: string;
  readonly reason?: string;
}

function judged(metric: MetricSpec, sight: Sight, unavailable: string | undefined): Judged {
  const goal = goalOf(metric);
  if (!goal) {
    const why = `metrics of type ${metric.type} are not known here`;
    return { name: metric.type, why, reason: `FailedGet${metric.type}Metric` };
  }
  const part = goal.utilization === undefined ? '' : ' utilization (percentage of request)';
  const name = `${goal.resource} ${goal.container === undefined ? '' : 'container '}resource${part}`;
  try {
    if (unavailable !== undefined) throw new Unmeasured(unavailable);
    const proposal = proposalFor(goal, sight);
    return { name, proposal, status: told(metric, goal, proposal) };
  } catch (error) {
    if (!(error instanceof Unmeasured)) throw error;
    return {
      name,
      why: `failed to get ${goal.resource} usage: ${error.message}`,
      reason: `FailedGet${metric.type}Metric`,
    };
  }
}

/** Only what pods use of a resource can be asked for. */
function goalOf({ type, resource, containerResource }: MetricSpec): Goal | undefined {
  const source = type === 'Resource' ? resource : type === 'ContainerResource' ? containerResource : undefined;
  if (!source) return undefined;
  const { averageUtilization, averageValue } = source.target;
  return {
    resource: source.name,
    ...(containerResource && { container: containerResource.container }),
    ...(averageUtilization !== undefined && averageUtilization !== null
      ? { utilization: averageUtilization }
      : { average: parseQuantity(averageValue) }),
  };
}

function told({ type }: MetricSpec, goal: Goal, { average, utilization }: Proposal): MetricStatus {
  const current = {
    averageValue: formatQuantity(average, goal.resource === 'memory'),
    ...(utilization !== undefined && { averageUtilization: utilization }),
  };
  return goal.container === undefined
    ? { type, resource: { name: goal.resource, current } }
    : { type, containerResource: { name: goal.resource, container: goal.container, current } };
}

const limits = {
  ScaleUpLimit: 'the desired replica count is increasing faster than the maximum scale rate',
  ScaleDownLimit: 'the desired replica count is decreasing faster than the maximum scale rate',
  TooManyReplicas: 'the desired replica count is more than the maximum replica count',
  TooFewReplicas: 'the desired replica count is less than the minimum replica count',
} as const;

const stabilizations = {
  up: [
    'ScaleUpStabilized',
    'recent recommendations were lower than current one, applying the lowest recent recommendation',
  ],
  down: [
    'ScaleDownStabilized',
    'recent recommendations were higher than current one, applying the highest recent recommendation',
  ],
} as const satisfies Readonly<Record<string, readonly [reason: string, message: string]>>;

/** How it comes that the target can be scaled: what was done with its scale last. */
function ableOf(
  { replicas, failure, stabilized }: Decision,
  current: number,
): readonly [reason: string, message: string] {
  if (replicas !== current)
    return ['SucceededRescale', `the HPA controller was able to update the target scale to ${replicas}`];
  if (failure !== undefined)
    return ['SucceededGetScale', "the HPA controller was able to get the target's current scale"];
  if (stabilized) return stabilizations[stabilized];
  return ['ReadyForNewScale', 'recommended size matches current size'];
}

function conditionsOf(
  { status }: HorizontalPodAutoscaler,
  decision: Decision,
  { current, now }: Sight,
): readonly Conditions[number][] {
  const { active, limit } = decision;
  const [able, ableWhy] = ableOf(decision, current);
  const limitedVerdict = limit
    ? { status: 'True', reason: limit, message: limits[limit] }
    : { status: 'False', reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
  const verdicts = [
    ['AbleToScale', { status: 'True', reason: able, message: ableWhy }],
    ...(active ? ([['ScalingActive', { status: active[0], reason: active[1], message: active[2] }]] as const) : []),
    ...(active?.[0] === 'True' ? ([['ScalingLimited', limitedVerdict]] as const) : []),
  ] as const;
  return verdicts.reduce<readonly Conditions[number][]>(
    (conditions, [type, verdict]) => withCondition(conditions, type, verdict, now),
    status?.conditions ?? [],
  );
}

/** The status after the target was asked for so many. */
function statusOf(
  { metadata, status }: HorizontalPodAutoscaler,
  { current, now }: Sight,
  {
    replicas,
    metrics,
    conditions,
  }: { replicas: number; metrics: readonly MetricStatus[]; conditions: readonly Conditions[number][] },
): Status {
  return {
    ...status,
    observedGeneration: metadata?.generation ?? 0,
    currentReplicas: current,
    desiredReplicas: replicas,
    ...(replicas !== current && { lastScaleTime: formatTime(now) }),
    // Servers keep an empty list as none.
    currentMetrics: metrics.length > 0 ? [...metrics] : null,
    conditions: [...conditions],
  };
}
