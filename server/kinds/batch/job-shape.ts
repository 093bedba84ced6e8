import type { KubeObject, ObjectMeta } from '../../base/kube-object.ts';
import type { PodTemplateSpec } from '../core/pod/shape.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';
import type { PodFailurePolicy } from './pod-failure-policy.ts';

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  activeDeadlineSeconds?: number;
  backoffLimit?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  manualSelector?: boolean;
  selector?: LabelSelectorField;
  podFailurePolicy?: PodFailurePolicy;
  template?: PodTemplateSpec;
}

export interface JobStatus {
  startTime?: string | null;
  completionTime?: string | null;
  active?: number;
  succeeded?: number;
  failed?: number;
  ready?: number;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  conditions?: { lastProbeTime?: string | null; lastTransitionTime?: string | null }[];
}

export interface Job extends KubeObject {
  spec?: JobSpec;
  status?: JobStatus;
}

export interface JobTemplate {
  metadata?: ObjectMeta;
  spec?: JobSpec;
}
