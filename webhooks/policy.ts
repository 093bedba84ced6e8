import type { AdmissionRequest, Decision } from './admission-review.ts';

/** Which requests a policy is asked about, as a rule of a webhook configuration. */
export interface PolicyRule {
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/**
 * One policy: which requests it is about, and what it decides. `decide` must be a pure function of the request: the
 * server may ask twice, and what it admits may still fail, so nothing may be written or counted there.
 */
export interface Policy {
  /** In lower case with dashes: part of the webhook's name and of its URL. */
  readonly name: string;
  /** Mutating policies may answer patches and run first; validating ones see the object as it will be stored. */
  readonly type: 'mutating' | 'validating';
  /** One line for people. */
  readonly about: string;
  readonly rules: readonly PolicyRule[];
  /** Only objects whose labels fit, before or after the change; default: all. */
  readonly objectSelector?: {
    readonly matchExpressions: readonly { readonly key: string; readonly operator: 'Exists' }[];
  };
  /** What happens to requests while the policy cannot be asked. */
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Throwing counts as a failed call. */
  decide(request: AdmissionRequest): Decision;
}

/** Where a policy is called. */
export const pathOf = ({ name }: Policy): string => `/policies/${name}`;
