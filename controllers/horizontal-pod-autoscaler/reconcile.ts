import { isDeepStrictEqual } from 'node:util';
import { isNotFound, messageOf } from '../runtime/api-error.ts';
import { withCondition } from '../runtime/conditions.ts';
import { itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { isDeleting, namespaceOf, versionOf } from '../runtime/kube-object.ts';
import {
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalers,
  type PodMetrics,
  podMetrics,
  pods,
} from '../runtime/resources.ts';
import { type FoundScale, scaleOf } from '../runtime/scales.ts';
import type { Memory } from './behavior.ts';
import { type AutoscalingPlan, planAutoscaling } from './plan.ts';

/** Milliseconds between two looks: metrics bring no changes of their own. */
const lookAgainAfter = 15_000;

/** When an autoscaler was last looked at, and its version after that. */
interface Look {
  readonly at: number;
  readonly version: string;
}

/** Looks now and then, and when others have changed something: what was told of the last look is no reason for another. */
async function reconcile(request: Request, memories: Map<string, Memory>, looks: Map<string, Look>): Promise<Outcome> {
  const { key, read, clock } = request;
  const autoscaler = read(horizontalPodAutoscalers).find(key);
  if (!autoscaler || isDeleting(autoscaler)) {
    looks.delete(key);
    return void memories.delete(key);
  }
  const last = looks.get(key);
  const wait = last?.version === versionOf(autoscaler) ? last.at + lookAgainAfter - clock.now() : 0;
  if (wait > 0) return wait;
  const at = clock.now();
  const told = await scale(request, autoscaler, memories);
  looks.set(key, { at, version: versionOf(told) });
  return lookAgainAfter;
}

/** Lets a target want as many pods as its use asks for. Answers the autoscaler with what was told of that. */
async function scale(
  request: Request,
  autoscaler: HorizontalPodAutoscaler,
  memories: Map<string, Memory>,
): Promise<HorizontalPodAutoscaler> {
  const { key, write, clock, events } = request;
  const target = await targetOf(request, autoscaler);
  if ('why' in target) {
    events.record(autoscaler, warning('FailedGetScale', 'Scaling', target.why));
    return write(horizontalPodAutoscalers).replace(autoscaler, unable(autoscaler, target.why, clock.now()), 'status');
  }
  const { unavailable, ...sight } = await look(request, target.scale, namespaceOf(autoscaler));
  const plan = planAutoscaling(autoscaler, sight, memories.get(key), unavailable);
  const { failure, status, memory } = plan;
  if (failure !== undefined) events.record(autoscaler, warning('FailedGetResourceMetric', 'Measuring', failure));
  await resize(request, autoscaler, target, plan);
  memories.set(key, memory);
  if (isDeepStrictEqual(status, autoscaler.status)) return autoscaler;
  return write(horizontalPodAutoscalers).replace(autoscaler, { ...autoscaler, status } as typeof autoscaler, 'status');
}

const warning = (reason: string, action: string, note: string) => ({ type: 'Warning', reason, action, note }) as const;

/** The pods of a target, and what they use. */
async function look(request: Request, { spec, status }: FoundScale['scale'], namespace: string) {
  const place = { namespace, labelSelector: status?.selector ?? '' };
  const own = place.labelSelector ? (await request.client.list(pods, place)).items : [];
  const measured = await metricsOf(request, place);
  return { pods: own, ...measured, current: spec?.replicas ?? 0, now: request.clock.now() };
}

/** Gives a target the size that is planned, if it is another one. */
async function resize(
  { client, events }: Request,
  autoscaler: HorizontalPodAutoscaler,
  { resource, scale: found }: FoundScale,
  { replicas, reason }: Pick<AutoscalingPlan, 'replicas' | 'reason'>,
): Promise<void> {
  if (replicas === undefined) return;
  await client.replace(resource, { ...found, spec: { ...found.spec, replicas } }, 'scale');
  const note = `New size: ${replicas}; reason: ${reason}`;
  events.record(autoscaler, { reason: 'SuccessfulRescale', action: 'Scaling', note });
}

type Target = FoundScale | { readonly why: string };

async function targetOf({ client }: Request, autoscaler: HorizontalPodAutoscaler): Promise<Target> {
  const target = autoscaler.spec?.scaleTargetRef ?? { kind: '', name: '' };
  try {
    return await scaleOf(client, target, namespaceOf(autoscaler));
  } catch (error) {
    return { why: messageOf(error) };
  }
}

interface Metrics {
  readonly metrics: readonly PodMetrics[];
  /** Why there are none. */
  readonly unavailable?: string;
}

async function metricsOf({ client }: Request, place: { namespace: string; labelSelector: string }): Promise<Metrics> {
  if (!place.labelSelector) return { metrics: [], unavailable: 'the target does not say which pods are its own' };
  try {
    return { metrics: (await client.list(podMetrics, place)).items };
  } catch (error) {
    const why = isNotFound(error) ? 'no metrics API (metrics.k8s.io/v1beta1) is served' : messageOf(error);
    return { metrics: [], unavailable: why };
  }
}

function unable(autoscaler: HorizontalPodAutoscaler, why: string, now: number): HorizontalPodAutoscaler {
  const { status = { desiredReplicas: 0, currentReplicas: 0 } } = autoscaler;
  const verdict = {
    status: 'False',
    reason: 'FailedGetScale',
    message: `the HPA controller was unable to get the target's current scale: ${why}`,
  };
  return {
    ...autoscaler,
    status: { ...status, conditions: [...withCondition(status.conditions ?? [], 'AbleToScale', verdict, now)] },
  };
}

/** The controller `horizontalpodautoscaling`. */
export function horizontalPodAutoscalerLoops(): readonly Loop[] {
  const memories = new Map<string, Memory>();
  const looks = new Map<string, Look>();
  return [
    {
      name: 'horizontalpodautoscaling',
      watches: [itself(horizontalPodAutoscalers)],
      concurrency: 5,
      reconcile: (request) => reconcile(request, memories, looks),
    },
  ];
}
