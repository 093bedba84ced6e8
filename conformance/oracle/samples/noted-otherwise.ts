import type { Json } from '../../verbs/client.ts';

/** Labels and annotations that mean something on objects of a kind, of which no schema tells. */

type Values = Readonly<Record<string, readonly string[]>>;

const said = (where: 'labels' | 'annotations', all: Values): Json[] =>
  Object.entries(all).flatMap(([key, values]) => values.map((value) => ({ metadata: { [where]: { [key]: value } } })));

const yesOrNo = ['true', 'false', ''];
const isDefault = 'is-default-class';

/** By the kind, as merge patches. */
export const notedOtherwise: Readonly<Record<string, readonly Json[]>> = {
  Node: [
    ...said('labels', {
      'kubernetes.io/role': ['front', ''],
      'node-role.kubernetes.io/back': [''],
      'node-role.kubernetes.io/': ['none'],
      'kubernetes.io/hostname': ['one'],
      'node.kubernetes.io/exclude-from-external-load-balancers': ['true'],
    }),
    {
      metadata: {
        labels: { 'node-role.kubernetes.io/b': '', 'node-role.kubernetes.io/a': '', 'kubernetes.io/role': 'a' },
      },
    },
    ...said('annotations', { 'scheduler.alpha.kubernetes.io/preferAvoidPods': ['{}', 'text', ''] }),
  ],
  StorageClass: said('annotations', {
    [`storageclass.kubernetes.io/${isDefault}`]: yesOrNo,
    [`storageclass.beta.kubernetes.io/${isDefault}`]: yesOrNo,
  }),
  IngressClass: said('annotations', { [`ingressclass.kubernetes.io/${isDefault}`]: yesOrNo }),
  PersistentVolumeClaim: [
    ...said('annotations', {
      'volume.beta.kubernetes.io/storage-class': ['none', 'other', ''],
      'volume.kubernetes.io/selected-node': ['one'],
      'volume.kubernetes.io/storage-provisioner': ['one'],
      'pv.kubernetes.io/bind-completed': ['yes'],
    }),
    ...['none', 'other'].map((name) => ({
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': name } },
      spec: { storageClassName: null },
    })),
  ],
  PersistentVolume: said('annotations', {
    'volume.beta.kubernetes.io/storage-class': ['none', 'other', ''],
    'volume.beta.kubernetes.io/mount-options': ['ro'],
    'pv.kubernetes.io/provisioned-by': ['some'],
  }),
  Service: said('annotations', {
    'service.beta.kubernetes.io/load-balancer-source-ranges': ['10.0.0.0/8', '10.0.0.0/8, 11.0.0.0/8', 'text', ' ', ''],
    'service.kubernetes.io/topology-aware-hints': ['auto', 'Auto'],
    'service.alpha.kubernetes.io/tolerate-unready-endpoints': ['true'],
    'endpointslice.kubernetes.io/skip-mirror': ['true'],
  }),
  Secret: said('annotations', {
    'kubernetes.io/service-account.name': ['some', ''],
    'kubernetes.io/service-account.uid': ['some'],
  }),
  Namespace: [
    ...said('labels', { 'kubernetes.io/metadata.name': ['other', ''] }),
    ...said('annotations', {
      'scheduler.alpha.kubernetes.io/node-selector': ['a=b'],
      'scheduler.alpha.kubernetes.io/defaultTolerations': ['[]', 'text'],
    }),
  ],
  Deployment: said('annotations', {
    'deployment.kubernetes.io/revision': ['5', 'text'],
    'deprecated.deployment.rollback.to': ['1', 'text'],
  }),
  DaemonSet: said('annotations', { 'deprecated.daemonset.template.generation': ['7', '0', '-1', 'text', ''] }),
  Job: said('annotations', { 'batch.kubernetes.io/job-tracking': ['', 'some'] }),
  ServiceAccount: said('annotations', { 'kubernetes.io/enforce-mountable-secrets': ['true', 'maybe'] }),
  Endpoints: said('annotations', {
    'endpoints.kubernetes.io/over-capacity': ['truncated', 'warning'],
    'endpoints.kubernetes.io/last-change-trigger-time': ['2024-05-06T07:08:09Z'],
  }),
  Lease: said('labels', { 'k8s.io/component': ['kube-apiserver'] }),
  ClusterRole: [
    ...said('labels', { 'rbac.authorization.k8s.io/aggregate-to-view': ['true'] }),
    ...said('annotations', { 'rbac.authorization.kubernetes.io/autoupdate': ['false'] }),
  ],
  CustomResourceDefinition: said('annotations', {
    'api-approved.kubernetes.io': ['https://example.com/1', 'unapproved, some', 'text', ''],
    'controller-gen.kubebuilder.io/version': ['v1'],
  }),
};
