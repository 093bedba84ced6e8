import { mutatingWebhookConfiguration } from './admissionregistration/mutating-webhook-configuration.ts';
import { validatingWebhookConfiguration } from './admissionregistration/validating-webhook-configuration.ts';
import { apiService } from './apiregistration/api-service.ts';
import { controllerRevision } from './apps/controller-revision.ts';
import { daemonSet } from './apps/daemon-set.ts';
import { deployment } from './apps/deployment.ts';
import { replicaSet } from './apps/replica-set.ts';
import { statefulSet } from './apps/stateful-set.ts';
import { horizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJob } from './batch/cron-job.ts';
import { job } from './batch/job.ts';
import { certificateSigningRequest } from './certificates/certificate-signing-request.ts';
import { lease } from './coordination/lease.ts';
import { componentStatus } from './core/component-status.ts';
import { configMap } from './core/config-map.ts';
import { endpoints } from './core/endpoints.ts';
import { limitRange } from './core/limit-range.ts';
import { namespace } from './core/namespace.ts';
import { node } from './core/node.ts';
import { persistentVolume } from './core/persistent-volume.ts';
import { persistentVolumeClaim } from './core/persistent-volume-claim.ts';
import { binding } from './core/pod/binding.ts';
import { pod } from './core/pod/pod.ts';
import { podTemplate } from './core/pod-template/pod-template.ts';
import { replicationController } from './core/replication-controller.ts';
import { resourceQuota } from './core/resource-quota.ts';
import { secret } from './core/secret.ts';
import { type ServiceOptions, service } from './core/service/service.ts';
import { serviceAccount } from './core/service-account.ts';
import { endpointSlice } from './discovery/endpoint-slice.ts';
import { type EventOptions, event } from './events/event.ts';
import { flowSchema } from './flowcontrol/flow-schema.ts';
import { priorityLevelConfiguration } from './flowcontrol/priority-level-configuration.ts';
import { ingress } from './networking/ingress.ts';
import { ingressClass } from './networking/ingress-class.ts';
import { networkPolicy } from './networking/network-policy.ts';
import { runtimeClass } from './node/runtime-class.ts';
import { podDisruptionBudget } from './policy/pod-disruption-budget.ts';
import { clusterRole } from './rbac/cluster-role.ts';
import { clusterRoleBinding } from './rbac/cluster-role-binding.ts';
import { role } from './rbac/role.ts';
import { roleBinding } from './rbac/role-binding.ts';
import { priorityClass } from './scheduling/priority-class.ts';
import { csiDriver } from './storage/csi-driver.ts';
import { csiNode } from './storage/csi-node.ts';
import { csiStorageCapacity } from './storage/csi-storage-capacity.ts';
import { storageClass } from './storage/storage-class.ts';
import { volumeAttachment } from './storage/volume-attachment.ts';
import type { KindRules } from './strategy.ts';

/** What kinds that keep something for a server are told, by the names of its options. */
export interface KindOptions extends ServiceOptions, EventOptions {}

const standard: KindOptions = {
  serviceClusterIpRange: '10.0.0.0/24',
  serviceNodePortRange: '30000-32767',
  eventTtl: 3_600_000,
};

/** Kinds that keep nothing: the same for every server. */
const stateless: readonly KindRules[] = [
  // core
  binding,
  componentStatus,
  configMap,
  endpoints,
  limitRange,
  node,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podTemplate,
  replicationController,
  resourceQuota,
  secret,
  serviceAccount,
  namespace,
  // batch
  job,
  cronJob,
  // certificates.k8s.io
  certificateSigningRequest,
  // coordination.k8s.io
  lease,
  // discovery.k8s.io
  endpointSlice,
  // networking.k8s.io
  ingress,
  ingressClass,
  networkPolicy,
  // rbac.authorization.k8s.io
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
  // apps
  controllerRevision,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  // autoscaling
  horizontalPodAutoscaler,
  // policy
  podDisruptionBudget,
  // scheduling.k8s.io
  priorityClass,
  // node.k8s.io
  runtimeClass,
  // storage.k8s.io
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  // flowcontrol.apiserver.k8s.io
  flowSchema,
  priorityLevelConfiguration,
  // apiregistration.k8s.io
  apiService,
  // admissionregistration.k8s.io
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
];

/**
 * Every kind with rules of its own, made for one server. Kinds that are not here follow the common rules alone.
 * @throws Error for an option that makes no sense
 */
export const kindsFor = (options: KindOptions = standard): readonly KindRules[] => [
  ...stateless,
  service(options),
  event(options),
];
