import type { V2HPAScalingRules } from '@kubernetes/client-node';
import type { Wire } from '../runtime/kube-object.ts';
import type { HorizontalPodAutoscaler } from '../runtime/resources.ts';

type Rules = Wire<V2HPAScalingRules>;

/** What an autoscaler remembers of itself. Times are milliseconds since the epoch. */
export interface Memory {
  /** What was recommended, the oldest first. */
  readonly recommended: readonly { readonly at: number; readonly replicas: number }[];
  /** By how much the target was changed, up or (negative) down. */
  readonly changes: readonly { readonly at: number; readonly by: number }[];
}

/** How many pods there shall be, and what kept it from being what was recommended. */
export interface Limited {
  readonly replicas: number;
  readonly stabilized?: 'up' | 'down';
  readonly limit?: 'ScaleUpLimit' | 'ScaleDownLimit' | 'TooManyReplicas' | 'TooFewReplicas';
}

/** What holds where an autoscaler says nothing of it. */
const usual = {
  up: {
    stabilizationWindowSeconds: 0,
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  down: { stabilizationWindowSeconds: 300, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
} as const;

/** The longest of any window or period, in milliseconds: what is older is forgotten. */
const longest = 3_600_000;

/** A memory without what no rule can ask for any longer. */
export const forgetting = ({ recommended, changes }: Memory, now: number): Memory => ({
  recommended: recommended.filter(({ at }) => at > now - longest),
  changes: changes.filter(({ at }) => at > now - longest),
});

const rulesOf = ({ spec }: HorizontalPodAutoscaler, way: 'up' | 'down'): Rules => ({
  ...usual[way],
  policies: usual[way].policies.map((policy) => ({ ...policy })),
  ...(way === 'up' ? spec?.behavior?.scaleUp : spec?.behavior?.scaleDown),
});

/** Brings a recommendation within what was recommended lately, what may change at a time, and the bounds. */
export function limited(
  autoscaler: HorizontalPodAutoscaler,
  current: number,
  recommendation: number,
  memory: Memory,
  now: number,
): Limited {
  const steady = stabilized(autoscaler, current, recommendation, memory, now);
  const told = { ...(steady !== recommendation && ({ stabilized: steady > recommendation ? 'down' : 'up' } as const)) };
  const { minReplicas = 1, maxReplicas = 1 } = autoscaler.spec ?? {};
  if (steady > current) {
    const most = Math.max(current, furthest(rulesOf(autoscaler, 'up'), current, memory, now, 1));
    if (steady > Math.min(most, maxReplicas))
      return { ...told, ...(most < maxReplicas ? { replicas: most, limit: 'ScaleUpLimit' } : atMost(maxReplicas)) };
  }
  if (steady < current) {
    const least = Math.min(current, furthest(rulesOf(autoscaler, 'down'), current, memory, now, -1));
    if (steady < Math.max(least, minReplicas))
      return {
        ...told,
        ...(least > minReplicas ? { replicas: least, limit: 'ScaleDownLimit' } : atLeast(minReplicas)),
      };
  }
  if (steady > maxReplicas) return { ...told, ...atMost(maxReplicas) };
  if (steady < minReplicas) return { ...told, ...atLeast(minReplicas) };
  return { ...told, replicas: steady };
}

const atMost = (replicas: number): Limited => ({ replicas, limit: 'TooManyReplicas' });
const atLeast = (replicas: number): Limited => ({ replicas, limit: 'TooFewReplicas' });

/** No higher than the least that was recommended of late, no lower than the most. */
function stabilized(
  autoscaler: HorizontalPodAutoscaler,
  current: number,
  recommendation: number,
  { recommended }: Memory,
  now: number,
): number {
  const within = (way: 'up' | 'down') => {
    const { stabilizationWindowSeconds: seconds } = rulesOf(autoscaler, way);
    const window = (seconds ?? usual[way].stabilizationWindowSeconds) * 1000;
    return [recommendation, ...recommended.filter(({ at }) => at > now - window).map(({ replicas }) => replicas)];
  };
  const [lowest, highest] = [Math.min(...within('up')), Math.max(...within('down'))];
  return Math.min(Math.max(current, lowest), highest);
}

/** As far as the policies let it go in a direction: that of the one that allows most, least, or none. */
function furthest(rules: Rules, current: number, { changes }: Memory, now: number, sign: 1 | -1): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const reaches = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
    const lately = changes.filter(({ at, by }) => at > now - periodSeconds * 1000 && by * sign > 0);
    const start = current - lately.reduce((sum, { by }) => sum + by, 0);
    if (type === 'Pods') return start + sign * value;
    return sign > 0 ? Math.ceil(start * (1 + value / 100)) : Math.floor(start * (1 - value / 100));
  });
  const far = sign > 0 ? Math.max(...reaches) : Math.min(...reaches);
  const near = sign > 0 ? Math.min(...reaches) : Math.max(...reaches);
  return rules.selectPolicy === 'Min' ? near : far;
}
