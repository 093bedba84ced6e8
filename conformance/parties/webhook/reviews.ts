import { randomUUID } from 'node:crypto';

/** A request as an API server puts it. */
export interface Asked {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly object: object | null;
  readonly oldObject: object | null;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly dryRun?: boolean;
  /** `judged`, as that of its namespace, unless given. */
  readonly name?: string;
  readonly namespace?: string | undefined;
}

/** A body of a call. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string };
}

/** The review of a request, with a uid of its own. */
export function reviewOf(asked: Asked, version: 'v1' | 'v1beta1' = 'v1', more: object = {}): Review {
  const request = {
    uid: randomUUID(),
    name: 'judged',
    namespace: 'judged',
    ...asked,
    requestKind: asked.kind,
    requestResource: asked.resource,
    userInfo: { username: 'jane', uid: 'u-1', groups: ['devs', 'system:authenticated'], extra: { scopes: ['view'] } },
    dryRun: asked.dryRun ?? false,
    options: asked.operation === 'CONNECT' ? null : { apiVersion: 'meta.k8s.io/v1', kind: optionsOf[asked.operation] },
    ...more,
  };
  return { apiVersion: `admission.k8s.io/${version}`, kind: 'AdmissionReview', request };
}

const optionsOf = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

const container = { name: 'main', image: 'example.com/app:1' };

const pod = (more: object = {}, labels?: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'judged', namespace: 'judged', ...(labels ? { labels } : {}) },
  spec: { containers: [{ ...container, ...more }] },
});

const deployment = (replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'judged',
    namespace: 'judged',
    labels: { 'app.kubernetes.io/name': 'judged', 'example.com/owner': 'blue' },
  },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'judged' } },
    template: { metadata: { labels: { app: 'judged' } }, spec: { containers: [container] } },
  },
});

const configMap = (value: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'judged', namespace: 'judged', labels: { 'example.com/owner': value } },
  data: { key: value },
});

const kinds = {
  pods: { kind: { group: '', version: 'v1', kind: 'Pod' }, resource: { group: '', version: 'v1', resource: 'pods' } },
  deployments: {
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
  },
  configmaps: {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
  },
  clusterroles: {
    kind: { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' },
    resource: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' },
  },
};

const clusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'judged' },
  rules: [],
};

const forbidden = { forbidden: 'yes' };

/** What webhooks are asked about: usual things, and such as many of them refuse. */
const requests: Readonly<Record<string, Asked>> = {
  'create a pod': { operation: 'CREATE', object: pod(), oldObject: null, ...kinds.pods },
  'create a privileged pod': {
    operation: 'CREATE',
    object: pod({ securityContext: { privileged: true } }, forbidden),
    oldObject: null,
    ...kinds.pods,
  },
  'create a pod that is named by the server': {
    operation: 'CREATE',
    object: { ...pod(), metadata: { generateName: 'judged-', namespace: 'judged' } },
    oldObject: null,
    ...kinds.pods,
    name: '',
  },
  'update a pod': { operation: 'UPDATE', object: pod({ image: 'example.com/app:2' }), oldObject: pod(), ...kinds.pods },
  'delete a pod': { operation: 'DELETE', object: null, oldObject: pod(), ...kinds.pods },
  'connect to a pod': {
    operation: 'CONNECT',
    object: { apiVersion: 'v1', kind: 'PodExecOptions', command: ['ls'] },
    oldObject: null,
    kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
    resource: kinds.pods.resource,
    subResource: 'exec',
  },
  'create a deployment of 50': { operation: 'CREATE', object: deployment(50), oldObject: null, ...kinds.deployments },
  'scale a deployment': { operation: 'UPDATE', object: deployment(3), oldObject: deployment(1), ...kinds.deployments },
  'create a config map': { operation: 'CREATE', object: configMap('blue'), oldObject: null, ...kinds.configmaps },
  'change a label': {
    operation: 'UPDATE',
    object: configMap('red'),
    oldObject: configMap('blue'),
    ...kinds.configmaps,
  },
  'create what is in no namespace': {
    operation: 'CREATE',
    object: clusterRole,
    oldObject: null,
    ...kinds.clusterroles,
    namespace: undefined,
  },
};

/** Of what there are requests. */
export const resources: readonly string[] = Object.keys(kinds);

/** What a webhook for these resources is asked. */
export interface Requests {
  /** Each with what it is. */
  readonly every: readonly (readonly [string, Asked])[];
  readonly usual: Asked;
}

/** @param named some of `resources`, at least one */
export function requestsOn(named: readonly string[]): Requests {
  const every = Object.entries(requests).filter(([, { resource }]) => named.includes(resource.resource));
  const [[, usual]] = every as [[string, Asked]];
  return { every, usual };
}
