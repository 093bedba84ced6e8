import { compact } from '../../base/compact.ts';
import type { HorizontalPodAutoscaler, Metric } from './autoscaler-shape.ts';
import { isCpuShare } from './autoscaler-v1.ts';

/**
 * What a dry run of a change shows. The older form, in which an autoscaler is stored, says of some things only what
 * they are, not that they are not there any more: read over what was there before, they are still told.
 */
export function rehearsedAutoscaler(
  next: HorizontalPodAutoscaler,
  { spec: before = {}, status: seen = {} }: HorizontalPodAutoscaler,
): HorizontalPodAutoscaler {
  const { spec = {}, status = {} } = next;
  const { currentMetrics } = status;
  return {
    ...next,
    spec: compact({
      ...spec,
      metrics: metricsOver(spec.metrics ?? [], before.metrics ?? []),
      behavior: spec.behavior ?? before.behavior,
    }),
    status: compact({
      ...status,
      currentMetrics: currentMetrics?.length ? currentMetrics : (seen.currentMetrics ?? null),
      conditions: status.conditions ?? seen.conditions,
    }),
  };
}

/** Where no share of cpu is wished for any more, the first of those before stands in its place, and there are as many. */
function metricsOver(metrics: Metric[], [first, ...others]: Metric[]): Metric[] {
  if (!first || metrics.length === 0 || metrics.some(isCpuShare)) return metrics;
  return [...metrics, first, ...others.map(() => ({ type: '' }))];
}
