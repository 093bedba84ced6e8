import type { KubeObject } from '../../base/kube-object.ts';
import type { Condition } from '../conditions.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';

export interface DisruptionBudget extends KubeObject {
  spec?: {
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    selector?: LabelSelectorField;
  };
  status?: {
    observedGeneration?: number;
    disruptedPods?: Record<string, string>;
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    expectedPods?: number;
    conditions?: Condition[];
  };
}
