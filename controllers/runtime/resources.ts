import type {
  CoreV1Event,
  V1CertificateSigningRequest,
  V1ClusterRole,
  V1ConfigMap,
  V1ControllerRevision,
  V1CronJob,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1EndpointSlice,
  V1Endpoints,
  V1Ingress,
  V1IngressClass,
  V1Job,
  V1Lease,
  V1Namespace,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceQuota,
  V1Scale,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
  V1StorageClass,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { KubeObject, Wire } from './kube-object.ts';

/** Where the objects of one kind live. The type parameter is only for the compiler. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural in paths. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly object?: T;
  /** Which objects of the kind are read; missing: all. */
  readonly only?: Choice;
}

/** Some objects of a kind, as lists and watches choose them. */
export interface Choice {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * A kind of which only these objects are read, each choice with a cache of its own:
 * `const web = choosing(pods, { namespace: 'shop', labelSelector: 'app=web' })`, then `for: web` and `read(web)`.
 */
export const choosing = <T extends KubeObject>(resource: Resource<T>, only: Choice): Resource<T> => ({
  ...resource,
  only,
});

/** `v1` or `group/version`, as objects carry it. */
export const apiVersionOf = ({ group, version }: Resource): string => (group ? `${group}/${version}` : version);

/** The path of a collection, of an object, or of a part (subresource) of an object. */
export function pathOf(resource: Resource, { namespace = '', name = '', part = '' } = {}): string {
  const root = resource.group ? `/apis/${resource.group}/${resource.version}` : `/api/${resource.version}`;
  const scope = resource.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const item = name ? `/${encodeURIComponent(name)}` : '';
  return `${root}${scope}/${resource.plural}${item}${part ? `/${part}` : ''}`;
}

/** Says where a kind lives, such as one of a custom resource definition. @param group empty for the core group */
export const defineResource = <T extends KubeObject>(
  group: string,
  version: string,
  plural: string,
  kind: string,
  namespaced = true,
): Resource<T> => ({ group, version, plural, kind, namespaced });

export interface CertificateSigningRequest extends Wire<V1CertificateSigningRequest> {}
export interface ClusterRole extends Wire<V1ClusterRole> {}
export interface ConfigMap extends Wire<V1ConfigMap> {}
export interface ControllerRevision extends Wire<V1ControllerRevision> {}
export interface CoreEvent extends Wire<CoreV1Event> {}
export interface CronJob extends Wire<V1CronJob> {}
export interface CustomResourceDefinition extends Wire<V1CustomResourceDefinition> {}
export interface DaemonSet extends Wire<V1DaemonSet> {}
export interface Deployment extends Wire<V1Deployment> {}
export interface Endpoints extends Wire<V1Endpoints> {}
export interface EndpointSlice extends Wire<V1EndpointSlice> {}
export interface HorizontalPodAutoscaler extends Wire<V2HorizontalPodAutoscaler> {}
export interface Ingress extends Wire<V1Ingress> {}
export interface IngressClass extends Wire<V1IngressClass> {}
export interface Job extends Wire<V1Job> {}
export interface Lease extends Wire<V1Lease> {}
export interface Namespace extends Wire<V1Namespace> {}
export interface Node extends Wire<V1Node> {}
export interface PersistentVolume extends Wire<V1PersistentVolume> {}
export interface PersistentVolumeClaim extends Wire<V1PersistentVolumeClaim> {}
export interface Pod extends Wire<V1Pod> {}
export interface PodDisruptionBudget extends Wire<V1PodDisruptionBudget> {}
/** What a pod used in the window (a duration) before `timestamp`, as a metrics API says it. */
export interface PodMetrics extends KubeObject {
  timestamp?: string;
  window?: string;
  containers?: { name: string; usage?: Record<string, string> }[];
}
export interface ReplicaSet extends Wire<V1ReplicaSet> {}
export interface ReplicationController extends Wire<V1ReplicationController> {}
export interface ResourceQuota extends Wire<V1ResourceQuota> {}
export interface Scale extends Wire<V1Scale> {}
export interface Secret extends Wire<V1Secret> {}
export interface Service extends Wire<V1Service> {}
export interface ServiceAccount extends Wire<V1ServiceAccount> {}
export interface StatefulSet extends Wire<V1StatefulSet> {}
export interface StorageClass extends Wire<V1StorageClass> {}

export const certificateSigningRequests = defineResource<CertificateSigningRequest>(
  'certificates.k8s.io',
  'v1',
  'certificatesigningrequests',
  'CertificateSigningRequest',
  false,
);
export const clusterRoles = defineResource<ClusterRole>(
  'rbac.authorization.k8s.io',
  'v1',
  'clusterroles',
  'ClusterRole',
  false,
);
export const configMaps = defineResource<ConfigMap>('', 'v1', 'configmaps', 'ConfigMap');
export const controllerRevisions = defineResource<ControllerRevision>(
  'apps',
  'v1',
  'controllerrevisions',
  'ControllerRevision',
);
export const cronJobs = defineResource<CronJob>('batch', 'v1', 'cronjobs', 'CronJob');
export const customResourceDefinitions = defineResource<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'customresourcedefinitions',
  'CustomResourceDefinition',
  false,
);
export const daemonSets = defineResource<DaemonSet>('apps', 'v1', 'daemonsets', 'DaemonSet');
export const deployments = defineResource<Deployment>('apps', 'v1', 'deployments', 'Deployment');
export const endpoints = defineResource<Endpoints>('', 'v1', 'endpoints', 'Endpoints');
export const endpointSlices = defineResource<EndpointSlice>(
  'discovery.k8s.io',
  'v1',
  'endpointslices',
  'EndpointSlice',
);
export const events = defineResource<CoreEvent>('', 'v1', 'events', 'Event');
export const horizontalPodAutoscalers = defineResource<HorizontalPodAutoscaler>(
  'autoscaling',
  'v2',
  'horizontalpodautoscalers',
  'HorizontalPodAutoscaler',
);
export const ingressClasses = defineResource<IngressClass>(
  'networking.k8s.io',
  'v1',
  'ingressclasses',
  'IngressClass',
  false,
);
export const ingresses = defineResource<Ingress>('networking.k8s.io', 'v1', 'ingresses', 'Ingress');
export const jobs = defineResource<Job>('batch', 'v1', 'jobs', 'Job');
export const leases = defineResource<Lease>('coordination.k8s.io', 'v1', 'leases', 'Lease');
export const namespaces = defineResource<Namespace>('', 'v1', 'namespaces', 'Namespace', false);
export const nodes = defineResource<Node>('', 'v1', 'nodes', 'Node', false);
export const persistentVolumeClaims = defineResource<PersistentVolumeClaim>(
  '',
  'v1',
  'persistentvolumeclaims',
  'PersistentVolumeClaim',
);
export const persistentVolumes = defineResource<PersistentVolume>(
  '',
  'v1',
  'persistentvolumes',
  'PersistentVolume',
  false,
);
export const pods = defineResource<Pod>('', 'v1', 'pods', 'Pod');
export const podDisruptionBudgets = defineResource<PodDisruptionBudget>(
  'policy',
  'v1',
  'poddisruptionbudgets',
  'PodDisruptionBudget',
);
export const podMetrics = defineResource<PodMetrics>('metrics.k8s.io', 'v1beta1', 'pods', 'PodMetrics');
export const replicaSets = defineResource<ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet');
export const replicationControllers = defineResource<ReplicationController>(
  '',
  'v1',
  'replicationcontrollers',
  'ReplicationController',
);
export const resourceQuotas = defineResource<ResourceQuota>('', 'v1', 'resourcequotas', 'ResourceQuota');
export const secrets = defineResource<Secret>('', 'v1', 'secrets', 'Secret');
export const serviceAccounts = defineResource<ServiceAccount>('', 'v1', 'serviceaccounts', 'ServiceAccount');
export const services = defineResource<Service>('', 'v1', 'services', 'Service');
export const statefulSets = defineResource<StatefulSet>('apps', 'v1', 'statefulsets', 'StatefulSet');
export const storageClasses = defineResource<StorageClass>(
  'storage.k8s.io',
  'v1',
  'storageclasses',
  'StorageClass',
  false,
);
