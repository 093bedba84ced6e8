import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../verbs/json.ts';

/** A namespace that every server has. */
export const auditedNamespace = 'kube-system';

/**
 * What a lab has written down: creates and patches of Leases with their content, creates of Roles with their answers as well,
 * creates and lists of NetworkPolicies, who reads the status of an Ingress and lists of routes in one namespace without
 * either. A rule leaves out its own stages and those of the policy.
 */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'Request',
      verbs: ['create', 'patch'],
      resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }],
    },
    {
      level: 'RequestResponse',
      verbs: ['create'],
      resources: [{ group: 'rbac.authorization.k8s.io', resources: ['roles'] }],
    },
    {
      level: 'Metadata',
      omitStages: ['ResponseStarted'],
      verbs: ['create', 'list'],
      resources: [{ group: 'networking.k8s.io', resources: ['networkpolicies'] }],
    },
    {
      level: 'Metadata',
      omitStages: ['ResponseStarted'],
      verbs: ['get'],
      resources: [{ group: 'networking.k8s.io', resources: ['ingresses/status'] }],
    },
    {
      level: 'Metadata',
      omitStages: ['ResponseStarted'],
      verbs: ['list'],
      namespaces: [auditedNamespace],
      resources: [{ group: 'networking.k8s.io', resources: ['ingresses', 'ingressclasses'] }],
    },
    { level: 'None' },
  ],
};

export const auditFiles = { policy: 'audit-policy.json', log: 'audit.log' } as const;

/** What servers have written down so far. A line that is not whole yet is left out. */
export const auditEvents = ({ folder }: { readonly folder: string }): Json[] =>
  readFileSync(join(folder, auditFiles.log), 'utf8').split('\n').flatMap(readEvent);

function readEvent(line: string): Json[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
