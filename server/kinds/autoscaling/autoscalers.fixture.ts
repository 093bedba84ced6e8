import type { HorizontalPodAutoscaler, Metric } from './autoscaler-shape.ts';

/** Autoscalers as they are stored. */

export const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

export const cpu: Metric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
};
export const memory: Metric = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};

export const stored = (fields: object, status: object = {}): HorizontalPodAutoscaler => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'x', annotations: { mine: 'stays' } },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, ...fields },
  status: { desiredReplicas: 0, ...status },
});
