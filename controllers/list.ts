import { bootstrapSignerLoops } from './bootstrap-signer/reconcile.ts';
import { clusterRoleAggregationLoops } from './cluster-role-aggregation/reconcile.ts';
import { cronJobLoops } from './cron-job/reconcile.ts';
import { csrApprovingLoops } from './csr-approving/reconcile.ts';
import { csrCleanerLoops } from './csr-cleaner/reconcile.ts';
import { exampleSignerLoops } from './csr-signing/example-signer.ts';
import { csrSigningLoops } from './csr-signing/reconcile.ts';
import { daemonSetLoops } from './daemon-set/reconcile.ts';
import { deploymentLoops } from './deployment/reconcile.ts';
import { directoryProvisionerLoops } from './directory-provisioner/reconcile.ts';
import { disruptionLoops } from './disruption/reconcile.ts';
import { endpointLoops, endpointSliceLoops } from './endpoint-slice/reconcile.ts';
import { endpointSliceMirroringLoops } from './endpoint-slice-mirroring/reconcile.ts';
import { ephemeralVolumeLoops } from './ephemeral-volume/reconcile.ts';
import { garbageCollectionLoops } from './garbage-collection/reconcile.ts';
import { horizontalPodAutoscalerLoops } from './horizontal-pod-autoscaler/reconcile.ts';
import { jobLoops } from './job/reconcile.ts';
import { namespaceLoops } from './namespace/reconcile.ts';
import { nodeLifecycleLoops } from './node-lifecycle/reconcile.ts';
import { nodeTtlLoops } from './node-ttl/reconcile.ts';
import type { ControllerOptions } from './options.ts';
import { persistentVolumeBinderLoops } from './persistent-volume-binder/reconcile.ts';
import { podGarbageCollectionLoops } from './pod-garbage-collection/reconcile.ts';
import { claimProtectionLoops, volumeProtectionLoops } from './protection/reconcile.ts';
import { replicaSetLoops } from './replica-set/reconcile.ts';
import { replicationControllerLoops } from './replication-controller/reconcile.ts';
import { resourceQuotaLoops } from './resource-quota/reconcile.ts';
import { rootCaLoops } from './root-ca/reconcile.ts';
import type { Loop } from './runtime/controller.ts';
import { counted, type EventForm, inSeries } from './runtime/event-forms.ts';
import { hostOf } from './runtime/pods/pods-on-node.ts';
import type { Surroundings } from './runtime/run-loop.ts';
import { schedulerLoops } from './scheduler/reconcile.ts';
import { serviceAccountLoops } from './service-account/reconcile.ts';
import { serviceAccountTokenLoops } from './service-account/reconcile-tokens.ts';
import { statefulSetLoops } from './stateful-set/reconcile.ts';
import { taintEvictionLoops } from './taint-eviction/reconcile.ts';
import { tokenCleanerLoops } from './token-cleaner/reconcile.ts';
import { ttlAfterFinishedLoops } from './ttl-after-finished/reconcile.ts';

/** A controller as `--controllers` knows it. */
export interface Controller {
  readonly name: string;
  /** Whether `*` means it too. */
  readonly byDefault?: boolean;
  /** As whom it tells events, where stock ones of its kind do so by another name than its own with `-controller` behind. */
  readonly component?: string;
  /** Missing: counted. */
  readonly eventForm?: EventForm;
  /** It plays a part that a real cluster has someone for: `*` means it only beside a server of our own. */
  readonly pretends?: boolean;
  readonly loops: (
    options: ControllerOptions,
    surroundings: Omit<Surroundings, 'events'>,
  ) => readonly Loop[] | Promise<readonly Loop[]>;
}

/** All controllers, in the order in which they start. */
export const controllers: readonly Controller[] = [
  { name: 'serviceaccount', loops: () => serviceAccountLoops },
  {
    name: 'serviceaccount-token',
    loops: (options, { client }) => serviceAccountTokenLoops(options, client.connection.certificateAuthority),
  },
  {
    name: 'root-ca-cert-publisher',
    loops: (options, { client }) => rootCaLoops(options, client.connection.certificateAuthority),
  },
  { name: 'nodelifecycle', component: 'node-controller', loops: nodeLifecycleLoops },
  {
    name: 'node-agent',
    component: 'kubelet',
    eventForm: counted(hostOf),
    pretends: true,
    // Loaded only where there is a node: it is as large as all the others.
    loops: async (options, surroundings) =>
      (await import('./node-agent/reconcile.ts')).nodeLoops(options, surroundings),
  },
  {
    name: 'scheduler',
    component: 'default-scheduler',
    eventForm: inSeries,
    pretends: true,
    loops: schedulerLoops,
  },
  { name: 'deployment', loops: () => deploymentLoops },
  { name: 'replicationcontroller', component: 'replication-controller', loops: () => replicationControllerLoops },
  { name: 'replicaset', loops: () => replicaSetLoops },
  { name: 'daemonset', loops: daemonSetLoops },
  { name: 'statefulset', loops: () => statefulSetLoops },
  { name: 'job', loops: () => jobLoops },
  { name: 'cronjob', loops: () => cronJobLoops },
  { name: 'ttl-after-finished', loops: () => ttlAfterFinishedLoops },
  { name: 'endpointslice', loops: () => endpointSliceLoops },
  { name: 'endpoint', loops: () => endpointLoops },
  { name: 'endpointslicemirroring', loops: () => endpointSliceMirroringLoops },
  {
    name: 'ingress',
    byDefault: false,
    loops: async (options, surroundings) =>
      (await import('./ingress/reconcile.ts')).ingressLoops(options, surroundings),
  },
  { name: 'horizontalpodautoscaling', component: 'horizontal-pod-autoscaler', loops: horizontalPodAutoscalerLoops },
  { name: 'disruption', component: 'controllermanager', loops: () => disruptionLoops },
  { name: 'resourcequota', loops: (_options, surroundings) => resourceQuotaLoops(surroundings) },
  { name: 'namespace', loops: () => namespaceLoops },
  {
    name: 'garbagecollector',
    component: 'garbage-collector-controller',
    loops: (_options, surroundings) => garbageCollectionLoops(surroundings),
  },
  { name: 'podgc', loops: podGarbageCollectionLoops },
  { name: 'taint-eviction', component: 'taint-controller', loops: taintEvictionLoops },
  { name: 'ttl', loops: () => nodeTtlLoops },
  { name: 'csrapproving', loops: () => csrApprovingLoops },
  { name: 'csrsigning', loops: csrSigningLoops },
  { name: 'csrcleaner', loops: () => csrCleanerLoops },
  { name: 'example-signer', byDefault: false, loops: exampleSignerLoops },
  { name: 'clusterrole-aggregation', loops: () => clusterRoleAggregationLoops },
  { name: 'ephemeral-volume', component: 'ephemeral_volume', loops: () => ephemeralVolumeLoops },
  {
    name: 'persistentvolume-binder',
    component: 'persistentvolume-controller',
    loops: () => persistentVolumeBinderLoops,
  },
  { name: 'directory-provisioner', byDefault: false, loops: directoryProvisionerLoops },
  { name: 'pv-protection', loops: () => volumeProtectionLoops },
  { name: 'pvc-protection', loops: () => claimProtectionLoops },
  { name: 'bootstrapsigner', byDefault: false, loops: () => bootstrapSignerLoops },
  { name: 'tokencleaner', byDefault: false, loops: () => tokenCleanerLoops },
];
