import type { KubeObject } from '../../base/kube-object.ts';

export interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface ApiService extends KubeObject {
  spec?: {
    group?: string;
    version?: string;
    groupPriorityMinimum?: number;
    versionPriority?: number;
    /** Who serves the group; missing: the server itself. */
    service?: { namespace?: string; name?: string; port?: number };
    insecureSkipTLSVerify?: boolean;
    caBundle?: string;
  };
  status?: { conditions?: Condition[] };
}

/** Of the condition that tells whether somebody serves the group. */
export const available = 'Available';
