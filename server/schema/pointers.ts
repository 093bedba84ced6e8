/**
 * Optional fields whose empty value is kept because it says something other than none: a job with `parallelism: 0` is
 * not a job without parallelism. The schema does not tell these from the fields for which both are the same, so they
 * are written down here, by definition.
 */
const kept: Readonly<Record<string, string>> = {
  'admissionregistration.v1.MutatingWebhook': 'failurePolicy matchPolicy reinvocationPolicy timeoutSeconds',
  'admissionregistration.v1.RuleWithOperations': 'scope',
  'admissionregistration.v1.ServiceReference': 'path port',
  'admissionregistration.v1.ValidatingWebhook': 'failurePolicy matchPolicy timeoutSeconds',
  'admissionregistration.v1.WebhookClientConfig': 'url',
  'apiextensions.v1.CustomResourceDefinitionVersion': 'deprecationWarning',
  'apiextensions.v1.CustomResourceSubresourceScale': 'labelSelectorPath',
  'apiextensions.v1.JSONSchemaProps':
    '$ref maxItems maxLength maxProperties minItems minLength minProperties x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-preserve-unknown-fields',
  'apiextensions.v1.ServiceReference': 'path port',
  'apiextensions.v1.WebhookClientConfig': 'url',
  'apiregistration.v1.ServiceReference': 'port',
  'apps.v1.DaemonSetSpec': 'revisionHistoryLimit',
  'apps.v1.DaemonSetStatus': 'collisionCount',
  'apps.v1.DeploymentSpec': 'progressDeadlineSeconds replicas revisionHistoryLimit',
  'apps.v1.DeploymentStatus': 'collisionCount',
  'apps.v1.ReplicaSetSpec': 'replicas',
  'apps.v1.RollingUpdateStatefulSetStrategy': 'partition',
  'apps.v1.StatefulSetSpec': 'replicas revisionHistoryLimit',
  'apps.v1.StatefulSetStatus': 'collisionCount',
  'authentication.v1.TokenRequestSpec': 'expirationSeconds',
  'autoscaling.v1.HorizontalPodAutoscalerSpec': 'minReplicas targetCPUUtilizationPercentage',
  'autoscaling.v1.HorizontalPodAutoscalerStatus': 'currentCPUUtilizationPercentage observedGeneration',
  'autoscaling.v2.HPAScalingRules': 'selectPolicy stabilizationWindowSeconds',
  'autoscaling.v2.HorizontalPodAutoscalerSpec': 'minReplicas',
  'autoscaling.v2.HorizontalPodAutoscalerStatus': 'observedGeneration',
  'autoscaling.v2.MetricTarget': 'averageUtilization',
  'autoscaling.v2.MetricValueStatus': 'averageUtilization',
  'autoscaling.v2beta2.HPAScalingRules': 'selectPolicy stabilizationWindowSeconds',
  'autoscaling.v2beta2.HorizontalPodAutoscalerSpec': 'minReplicas',
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus': 'observedGeneration',
  'autoscaling.v2beta2.MetricTarget': 'averageUtilization',
  'autoscaling.v2beta2.MetricValueStatus': 'averageUtilization',
  'batch.v1.CronJobSpec': 'failedJobsHistoryLimit startingDeadlineSeconds successfulJobsHistoryLimit suspend timeZone',
  'batch.v1.JobSpec':
    'activeDeadlineSeconds backoffLimit completionMode completions manualSelector parallelism suspend ttlSecondsAfterFinished',
  'batch.v1.JobStatus': 'ready',
  'batch.v1.PodFailurePolicyOnExitCodesRequirement': 'containerName',
  'certificates.v1.CertificateSigningRequestSpec': 'expirationSeconds',
  'coordination.v1.LeaseSpec': 'holderIdentity leaseDurationSeconds leaseTransitions',
  'core.v1.AzureDiskVolumeSource': 'cachingMode fsType readOnly',
  'core.v1.AzureFilePersistentVolumeSource': 'secretNamespace',
  'core.v1.CSIVolumeSource': 'fsType readOnly',
  'core.v1.ClientIPConfig': 'timeoutSeconds',
  'core.v1.ConfigMap': 'immutable',
  'core.v1.ConfigMapEnvSource': 'optional',
  'core.v1.ConfigMapKeySelector': 'optional',
  'core.v1.ConfigMapProjection': 'optional',
  'core.v1.ConfigMapVolumeSource': 'defaultMode optional',
  'core.v1.ContainerStatus': 'started',
  'core.v1.DownwardAPIVolumeFile': 'mode',
  'core.v1.DownwardAPIVolumeSource': 'defaultMode',
  'core.v1.EndpointAddress': 'nodeName',
  'core.v1.EndpointPort': 'appProtocol',
  'core.v1.FCVolumeSource': 'lun',
  'core.v1.GlusterfsPersistentVolumeSource': 'endpointsNamespace',
  'core.v1.HostPathVolumeSource': 'type',
  'core.v1.ISCSIPersistentVolumeSource': 'initiatorName',
  'core.v1.ISCSIVolumeSource': 'initiatorName',
  'core.v1.KeyToPath': 'mode',
  'core.v1.LocalVolumeSource': 'fsType',
  'core.v1.PersistentVolumeClaimSpec': 'storageClassName volumeMode',
  'core.v1.PersistentVolumeClaimStatus': 'resizeStatus',
  'core.v1.PersistentVolumeSpec': 'volumeMode',
  'core.v1.PodDNSConfigOption': 'value',
  'core.v1.PodSecurityContext': 'fsGroup fsGroupChangePolicy runAsGroup runAsNonRoot runAsUser',
  'core.v1.PodSpec':
    'activeDeadlineSeconds automountServiceAccountToken enableServiceLinks hostUsers preemptionPolicy priority runtimeClassName setHostnameAsFQDN shareProcessNamespace terminationGracePeriodSeconds',
  'core.v1.PortStatus': 'error',
  'core.v1.Probe': 'terminationGracePeriodSeconds',
  'core.v1.ProjectedVolumeSource': 'defaultMode',
  'core.v1.ReplicationControllerSpec': 'replicas',
  'core.v1.SeccompProfile': 'localhostProfile',
  'core.v1.Secret': 'immutable',
  'core.v1.SecretEnvSource': 'optional',
  'core.v1.SecretKeySelector': 'optional',
  'core.v1.SecretProjection': 'optional',
  'core.v1.SecretVolumeSource': 'defaultMode optional',
  'core.v1.SecurityContext':
    'allowPrivilegeEscalation privileged procMount readOnlyRootFilesystem runAsGroup runAsNonRoot runAsUser',
  'core.v1.ServiceAccount': 'automountServiceAccountToken',
  'core.v1.ServiceAccountTokenProjection': 'expirationSeconds',
  'core.v1.ServicePort': 'appProtocol',
  'core.v1.ServiceSpec': 'allocateLoadBalancerNodePorts internalTrafficPolicy ipFamilyPolicy loadBalancerClass',
  'core.v1.Toleration': 'tolerationSeconds',
  'core.v1.TopologySpreadConstraint': 'minDomains nodeAffinityPolicy nodeTaintsPolicy',
  'core.v1.TypedLocalObjectReference': 'apiGroup',
  'core.v1.VolumeMount': 'mountPropagation',
  'core.v1.WindowsSecurityContextOptions': 'gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName',
  'discovery.v1.Endpoint': 'hostname nodeName zone',
  'discovery.v1.EndpointConditions': 'ready serving terminating',
  'discovery.v1.EndpointPort': 'appProtocol name port protocol',
  'meta.v1.DeleteOptions': 'gracePeriodSeconds orphanDependents propagationPolicy',
  'meta.v1.ListMeta': 'remainingItemCount',
  'meta.v1.ObjectMeta': 'deletionGracePeriodSeconds',
  'meta.v1.OwnerReference': 'blockOwnerDeletion controller',
  'meta.v1.Preconditions': 'resourceVersion uid',
  'networking.v1.IngressClassParametersReference': 'apiGroup namespace scope',
  'networking.v1.IngressSpec': 'ingressClassName',
  'networking.v1.NetworkPolicyPort': 'endPort protocol',
  'scheduling.v1.PriorityClass': 'preemptionPolicy',
  'storage.v1.CSIDriverSpec':
    'attachRequired fsGroupPolicy podInfoOnMount requiresRepublish seLinuxMount storageCapacity',
  'storage.v1.StorageClass': 'allowVolumeExpansion reclaimPolicy volumeBindingMode',
  'storage.v1.TokenRequest': 'expirationSeconds',
  'storage.v1.VolumeAttachmentSource': 'persistentVolumeName',
  'storage.v1.VolumeNodeResources': 'count',
};

const pointers: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(kept).map(([definition, fields]) => [definition, new Set(fields.split(' '))]),
);

/** The last three parts of the name of a definition, such as `core.v1.PodSpec`. */
const shortName = (definition: string) => definition.split('.').slice(-3).join('.');

/** Whether an optional field that is empty is something else than an absent one. `owner` is a definition's name. */
export const keepsEmpty = (owner: string, field: string) => pointers.get(shortName(owner))?.has(field) ?? false;

/** The table's entries as `[definition, field]`, for the test that holds them against the schema. */
export const keptFields = () =>
  [...pointers].flatMap(([definition, fields]) => [...fields].map((field) => [definition, field] as const));
