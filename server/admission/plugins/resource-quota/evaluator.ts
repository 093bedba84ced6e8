import type { KubeObject } from '../../../base/kube-object.ts';
import type { Amounts } from './resource-amounts.ts';

/** A scope of a quota, as a requirement. */
export interface ScopeRequirement {
  readonly scopeName?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** How objects of one resource count against quotas. */
export interface Evaluator {
  /** An update may use more than what was there before. Default false. */
  readonly updatesUseMore?: boolean;
  /** Whether a quota's resource is about such objects. */
  tracks(resource: string): boolean;
  usage(object: KubeObject): Amounts;
  /** Missing: such objects are in no scope, and quotas with scopes are not about them. */
  inScope?(object: KubeObject, requirement: ScopeRequirement): boolean;
  /** Which of the tracked resources an object must state but does not, in words; empty: none. */
  unstated?(object: KubeObject, tracked: readonly string[]): string;
}
