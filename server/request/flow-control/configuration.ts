import type { KubeObject } from '../../base/kube-object.ts';

/** FlowSchema and PriorityLevelConfiguration as stored, as far as requests are concerned. */

export interface Subject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly namespace?: string; readonly name?: string };
}

export interface ResourceRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface FlowRule {
  readonly subjects?: readonly Subject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
}

export interface FlowSchema extends KubeObject {
  readonly spec?: {
    readonly priorityLevelConfiguration?: { readonly name?: string };
    readonly matchingPrecedence?: number;
    readonly distinguisherMethod?: { readonly type?: string };
    readonly rules?: readonly FlowRule[];
  };
}

export interface Queuing {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
}

export interface PriorityLevel extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly limited?: {
      readonly assuredConcurrencyShares?: number;
      readonly limitResponse?: { readonly type?: string; readonly queuing?: Queuing };
    };
  };
}
