/** How a kind is reached. */
export interface KindPath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const kind = (groupVersion: string, resource: string, name: string, scope: 'Namespaced' | 'Cluster'): KindPath => {
  const [group, version] = groupVersion.includes('/')
    ? (groupVersion.split('/') as [string, string])
    : ['', groupVersion];
  return { group, version, resource, kind: name, namespaced: scope === 'Namespaced' };
};

/** The kinds that rules speak of. */
export const kindPaths = {
  configMaps: kind('v1', 'configmaps', 'ConfigMap', 'Namespaced'),
  secrets: kind('v1', 'secrets', 'Secret', 'Namespaced'),
  services: kind('v1', 'services', 'Service', 'Namespaced'),
  serviceAccounts: kind('v1', 'serviceaccounts', 'ServiceAccount', 'Namespaced'),
  pods: kind('v1', 'pods', 'Pod', 'Namespaced'),
  resourceQuotas: kind('v1', 'resourcequotas', 'ResourceQuota', 'Namespaced'),
  limitRanges: kind('v1', 'limitranges', 'LimitRange', 'Namespaced'),
  persistentVolumeClaims: kind('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', 'Namespaced'),
  persistentVolumes: kind('v1', 'persistentvolumes', 'PersistentVolume', 'Cluster'),
  nodes: kind('v1', 'nodes', 'Node', 'Cluster'),
  namespaces: kind('v1', 'namespaces', 'Namespace', 'Cluster'),
  deployments: kind('apps/v1', 'deployments', 'Deployment', 'Namespaced'),
  statefulSets: kind('apps/v1', 'statefulsets', 'StatefulSet', 'Namespaced'),
  replicaSets: kind('apps/v1', 'replicasets', 'ReplicaSet', 'Namespaced'),
  daemonSets: kind('apps/v1', 'daemonsets', 'DaemonSet', 'Namespaced'),
  jobs: kind('batch/v1', 'jobs', 'Job', 'Namespaced'),
  cronJobs: kind('batch/v1', 'cronjobs', 'CronJob', 'Namespaced'),
  horizontalPodAutoscalers: kind('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'Namespaced'),
  podDisruptionBudgets: kind('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', 'Namespaced'),
  leases: kind('coordination.k8s.io/v1', 'leases', 'Lease', 'Namespaced'),
  roles: kind('rbac.authorization.k8s.io/v1', 'roles', 'Role', 'Namespaced'),
  roleBindings: kind('rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding', 'Namespaced'),
  clusterRoles: kind('rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', 'Cluster'),
  clusterRoleBindings: kind('rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', 'Cluster'),
  endpointSlices: kind('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice', 'Namespaced'),
  ingresses: kind('networking.k8s.io/v1', 'ingresses', 'Ingress', 'Namespaced'),
  networkPolicies: kind('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', 'Namespaced'),
  ingressClasses: kind('networking.k8s.io/v1', 'ingressclasses', 'IngressClass', 'Cluster'),
  events: kind('events.k8s.io/v1', 'events', 'Event', 'Namespaced'),
  signingRequests: kind('certificates.k8s.io/v1', 'certificatesigningrequests', 'CertificateSigningRequest', 'Cluster'),
  priorityClasses: kind('scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', 'Cluster'),
  storageClasses: kind('storage.k8s.io/v1', 'storageclasses', 'StorageClass', 'Cluster'),
  runtimeClasses: kind('node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', 'Cluster'),
  endpoints: kind('v1', 'endpoints', 'Endpoints', 'Namespaced'),
  podTemplates: kind('v1', 'podtemplates', 'PodTemplate', 'Namespaced'),
  replicationControllers: kind('v1', 'replicationcontrollers', 'ReplicationController', 'Namespaced'),
  controllerRevisions: kind('apps/v1', 'controllerrevisions', 'ControllerRevision', 'Namespaced'),
  csiDrivers: kind('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', 'Cluster'),
  csiNodes: kind('storage.k8s.io/v1', 'csinodes', 'CSINode', 'Cluster'),
  csiStorageCapacities: kind('storage.k8s.io/v1', 'csistoragecapacities', 'CSIStorageCapacity', 'Namespaced'),
  volumeAttachments: kind('storage.k8s.io/v1', 'volumeattachments', 'VolumeAttachment', 'Cluster'),
  flowSchemas: kind('flowcontrol.apiserver.k8s.io/v1beta2', 'flowschemas', 'FlowSchema', 'Cluster'),
  priorityLevels: kind(
    'flowcontrol.apiserver.k8s.io/v1beta2',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    'Cluster',
  ),
  apiServices: kind('apiregistration.k8s.io/v1', 'apiservices', 'APIService', 'Cluster'),
  definitions: kind('apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition', 'Cluster'),
  mutatingWebhooks: kind(
    'admissionregistration.k8s.io/v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    'Cluster',
  ),
  validatingWebhooks: kind(
    'admissionregistration.k8s.io/v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    'Cluster',
  ),
} as const satisfies Record<string, KindPath>;

export type KindName = keyof typeof kindPaths;

export const apiVersionOf = ({ group, version }: KindPath): string => (group === '' ? version : `${group}/${version}`);

/** Where the core group is. */
export const coreRoot = '/api/v1';

/** `/api/v1` or `/apis/{group}/{version}`. */
export const groupPath = ({ group, version }: KindPath): string =>
  group === '' ? coreRoot : `/apis/${group}/${version}`;
