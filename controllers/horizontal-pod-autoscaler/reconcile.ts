import { isDeepStrictEqual } from 'node:util';
import { isNotFound, messageOf } from '../runtime/api-error.ts';
import { withCondition } from '../runtime/conditions.ts';
import { itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { discover } from '../runtime/discovery.ts';
import { isDeleting, namespaceOf } from '../runtime/kube-object.ts';
import {
  defineResource,
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalers,
  type PodMetrics,
  podMetrics,
  pods,
  type Resource,
  type Scale,
} from '../runtime/resources.ts';
import type { Memory } from './behavior.ts';
import { planAutoscaling } from './plan.ts';

/** Milliseconds between two looks: metrics bring no changes of their own. */
const lookAgainAfter = 15_000;

/** Lets targets want as many pods as their use asks for. */
async function reconcile(request: Request, memories: Map<string, Memory>): Promise<Outcome> {
  const { key, read, write, clock, events } = request;
  const autoscaler = read(horizontalPodAutoscalers).find(key);
  if (!autoscaler || isDeleting(autoscaler)) return void memories.delete(key);
  const target = await scaleOf(request, autoscaler);
  if ('why' in target) {
    const told = { type: 'Warning', reason: 'FailedGetScale', action: 'Scaling', note: target.why } as const;
    events.record(autoscaler, told);
    await write(horizontalPodAutoscalers).replace(autoscaler, unable(autoscaler, target.why, clock.now()), 'status');
    return lookAgainAfter;
  }
  const { resource, scale } = target;
  const place = { namespace: namespaceOf(autoscaler), labelSelector: scale.status?.selector ?? '' };
  const own = place.labelSelector ? (await request.client.list(pods, place)).items : [];
  const { metrics, unavailable } = await metricsOf(request, place);
  const current = scale.spec?.replicas ?? 0;
  const sight = { pods: own, metrics, current, now: clock.now() };
  const plan = planAutoscaling(autoscaler, sight, memories.get(key), unavailable);
  const { replicas, reason, failure, status, memory } = plan;
  if (failure !== undefined)
    events.record(autoscaler, {
      type: 'Warning',
      reason: 'FailedGetResourceMetric',
      action: 'Measuring',
      note: failure,
    });
  if (replicas !== undefined) {
    await request.client.replace(resource, { ...scale, spec: { ...scale.spec, replicas } }, 'scale');
    const note = `New size: ${replicas}; reason: ${reason}`;
    events.record(autoscaler, { reason: 'SuccessfulRescale', action: 'Scaling', note });
  }
  memories.set(key, memory);
  if (!isDeepStrictEqual(status, autoscaler.status))
    await write(horizontalPodAutoscalers).replace(autoscaler, { ...autoscaler, status } as typeof autoscaler, 'status');
  return lookAgainAfter;
}

type Target = { readonly resource: Resource<Scale>; readonly scale: Scale } | { readonly why: string };

/** How many pods the target wants and has, whatever kind it is. */
async function scaleOf({ client }: Request, autoscaler: HorizontalPodAutoscaler): Promise<Target> {
  const { apiVersion = '', kind, name } = autoscaler.spec?.scaleTargetRef ?? { kind: '', name: '' };
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  try {
    const { resources } = await discover(client);
    const found = resources.find((each) => each.group === group && each.kind === kind);
    if (!found) return { why: `no kind ${kind} is served in ${apiVersion || 'v1'}` };
    const { plural, namespaced } = found;
    const resource = defineResource<Scale>(group, version || found.version, plural, kind, namespaced);
    const scale = await client.get(resource, { namespace: namespaceOf(autoscaler), name, part: 'scale' });
    return { resource, scale };
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
  return [
    {
      name: 'horizontalpodautoscaling',
      watches: [itself(horizontalPodAutoscalers)],
      concurrency: 5,
      reconcile: (request) => reconcile(request, memories),
    },
  ];
}
