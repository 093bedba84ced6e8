import type { KubeObject } from '../../base/kube-object.ts';

export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

export interface EventSource {
  component?: string;
  host?: string;
}

/** An Event as it is stored: the form of the core group. */
export interface Event extends KubeObject {
  action?: string;
  count?: number;
  eventTime?: string | null;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  involvedObject?: ObjectReference;
  message?: string;
  reason?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
  series?: { count?: number; lastObservedTime?: string | null };
  source?: EventSource;
  type?: string;
}

/** The API of which an event is asked decides which rules hold. */
export const newApi = 'events.k8s.io/v1';
