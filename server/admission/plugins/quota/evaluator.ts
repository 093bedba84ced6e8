import type { KubeObject } from '../../../base/kube-object.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { Amounts } from './resource-amounts.ts';

/** A scope of a quota, as a requirement. */
export interface ScopeRequirement {
  readonly scopeName?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** How objects of one resource count against quotas. */
export interface Evaluator {
  /** The operations after which an object may use more than before. */
  readonly operations: readonly AdmissionAttributes['operation'][];
  /** Whether a quota's resource is about such objects. */
  tracks(resource: string): boolean;
  usage(object: KubeObject): Amounts;
  /** Missing: such objects are in no scope, and quotas with scopes are not about them. */
  inScope?(object: KubeObject, requirement: ScopeRequirement): boolean;
  /** Which of the tracked resources an object must state but does not, in words; empty: none. */
  unstated?(object: KubeObject, tracked: readonly string[]): string;
}
