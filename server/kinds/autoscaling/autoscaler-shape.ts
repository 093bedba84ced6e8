import type { KubeObject } from '../../base/kube-object.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';

export interface MetricTarget {
  type?: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

export interface MetricIdentifier {
  name?: string;
  selector?: LabelSelectorField;
}

export interface ObjectReference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

/** What one metric measures; which field is there follows from the type. `target` is wished for, `current` is seen. */
export interface Metric {
  type?: string;
  resource?: { name?: string; target?: MetricTarget; current?: MetricTarget };
  containerResource?: { name?: string; container?: string; target?: MetricTarget; current?: MetricTarget };
  pods?: { metric?: MetricIdentifier; target?: MetricTarget; current?: MetricTarget };
  object?: {
    describedObject?: ObjectReference;
    metric?: MetricIdentifier;
    target?: MetricTarget;
    current?: MetricTarget;
  };
  external?: { metric?: MetricIdentifier; target?: MetricTarget; current?: MetricTarget };
}

export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type?: string; value?: number; periodSeconds?: number }[];
}

export interface Behavior {
  scaleUp?: ScalingRules;
  scaleDown?: ScalingRules;
}

export interface AutoscalerCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface HorizontalPodAutoscaler extends KubeObject {
  spec?: {
    scaleTargetRef?: ObjectReference;
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: Metric[];
    behavior?: Behavior;
  };
  status?: {
    observedGeneration?: number;
    lastScaleTime?: string;
    currentReplicas?: number;
    desiredReplicas?: number;
    /** Shown although nothing has been measured. */
    currentMetrics?: Metric[] | null;
    conditions?: AutoscalerCondition[];
  };
}
