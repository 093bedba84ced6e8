import { base64, signingRequestPem } from '../../../fixtures/certificates.ts';
import type { Sample } from './sample.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Matches nothing, and would be passed over if it did. */
export const webhook = {
  name: 'compare.touchstone.example',
  clientConfig: { url: 'https://127.0.0.1:9/nobody' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
  timeoutSeconds: 3,
  rules: [{ apiGroups: ['none.touchstone.example'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }],
  namespaceSelector: { matchLabels: { 'touchstone/none': 'such' } },
};

const condition = { status: 'True', reason: 'Tried', message: 'tried', lastTransitionTime: '2024-05-06T07:08:09Z' };

/** What a schema may hold in more than one form: schemas, yes and no, lists, and any JSON. */
const ofEachForm = {
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'string', enum: ['a', 'b'], default: 'a' } },
    map: { type: 'object', additionalProperties: { type: 'number', minimum: 0.5, maximum: 5, example: 1.5 } },
    free: { type: 'object', additionalProperties: true },
    kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { a: [1, 'b', null] } },
    either: { 'x-kubernetes-int-or-string': true, nullable: true },
    ruled: { type: 'string', 'x-kubernetes-validations': [{ rule: "self != 'x'", message: 'no' }] },
  },
};

/** Kinds of the whole cluster. */
export const clusterSamples: Readonly<Record<string, Sample>> = {
  Namespace: {
    parts: {},
    change: { metadata: { annotations: { changed: 'yes' } } },
    status: { status: { conditions: [{ type: 'NamespaceContentRemaining', ...condition }] } },
    controlled: true,
  },
  Node: {
    parts: {
      spec: {
        podCIDR: '10.77.0.0/24',
        unschedulable: true,
        taints: [
          { key: 'some', effect: 'PreferNoSchedule', value: 'b' },
          { key: 'none', effect: 'NoSchedule' },
        ],
      },
    },
    change: { spec: { unschedulable: false } },
    status: { status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', ...condition }] } },
    controlled: true,
    clusterWide: true,
  },
  PersistentVolume: {
    parts: {
      spec: {
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/tmp/volume' },
        storageClassName: 'none',
        persistentVolumeReclaimPolicy: 'Retain',
      },
    },
    change: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
    status: { status: { phase: 'Failed', reason: 'Tried' } },
    controlled: true,
    clusterWide: true,
  },
  ClusterRole: {
    parts: {
      rules: [
        { apiGroups: ['apps', ''], resources: ['deployments', 'configmaps'], verbs: ['list', 'get'] },
        { nonResourceURLs: ['/touchstone'], verbs: ['get'] },
      ],
    },
    change: { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] },
  },
  ClusterRoleBinding: {
    parts: {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: '<own>-none' },
      subjects: [
        { kind: 'User', apiGroup: rbac, name: '<own>-someone' },
        { kind: 'Group', apiGroup: rbac, name: '<own>-others' },
        { kind: 'ServiceAccount', name: '<own>-robot', namespace: 'default' },
      ],
    },
    change: { subjects: [{ kind: 'Group', apiGroup: rbac, name: '<own>-some' }] },
  },
  IngressClass: {
    parts: {
      spec: { controller: 'example.com/front', parameters: { apiGroup: 'example.com', kind: 'Front', name: 'one' } },
    },
    change: { metadata: { annotations: { changed: 'yes' } } },
  },
  CertificateSigningRequest: {
    parts: {
      spec: {
        request: base64(signingRequestPem),
        signerName: 'example.com/touchstone',
        usages: ['digital signature', 'client auth'],
        expirationSeconds: 3600,
      },
    },
    change: { metadata: { annotations: { changed: 'yes' } } },
    status: { status: { conditions: [{ type: 'Failed', lastUpdateTime: '2024-05-06T07:08:09Z', ...condition }] } },
    controlled: true,
  },
  ValidatingWebhookConfiguration: { parts: { webhooks: [webhook] }, clusterWide: true },
  MutatingWebhookConfiguration: { parts: { webhooks: [webhook] }, clusterWide: true },
  PriorityClass: {
    parts: { value: 1000, description: 'tried', preemptionPolicy: 'Never' },
    change: { description: 'changed' },
  },
  RuntimeClass: {
    parts: {
      handler: 'plain',
      overhead: { podFixed: { cpu: '10m' } },
      scheduling: { nodeSelector: { kind: 'plain' } },
    },
    change: { scheduling: { nodeSelector: { kind: 'other' } } },
  },
  StorageClass: {
    parts: { provisioner: 'example.com/slow', parameters: { kind: 'slow' }, allowVolumeExpansion: false },
    change: { allowVolumeExpansion: true },
  },
  VolumeAttachment: {
    parts: { spec: { attacher: 'slow.example.com', nodeName: 'nobody', source: { persistentVolumeName: 'none' } } },
    change: { metadata: { annotations: { changed: 'yes' } } },
    status: { status: { attached: false } },
    clusterWide: true,
  },
  CSIDriver: { parts: { spec: { attachRequired: false, podInfoOnMount: true } }, clusterWide: true },
  CSINode: { parts: { spec: { drivers: [{ name: 'example.com-slow', nodeID: 'one' }] } }, clusterWide: true },
  APIService: {
    name: 'v1.WORD-<own>.example',
    parts: { spec: { group: 'NAME-<own>.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 } },
    change: { spec: { versionPriority: 11 } },
    clusterWide: true,
    settles: 'status.conditions',
  },
  CustomResourceDefinition: {
    name: 'WORDs.<own>.touchstone.example',
    parts: {
      spec: {
        group: '<own>.touchstone.example',
        scope: 'Namespaced',
        names: { plural: 'NAMEs', singular: 'NAME', kind: 'KNAME', listKind: 'KNAMEList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' }, more: ofEachForm } } },
          },
        ],
      },
    },
    change: { spec: { names: { shortNames: ['tried'] } } },
    settles: 'status.conditions',
    lingers: 'customresourcecleanup.apiextensions.k8s.io',
  },
  FlowSchema: {
    parts: {
      spec: {
        priorityLevelConfiguration: { name: '<own>-none' },
        matchingPrecedence: 9000,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: '<own>-nobody' } }],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/touchstone'] }],
          },
        ],
      },
    },
    change: { spec: { matchingPrecedence: 9001 } },
    clusterWide: true,
    settles: 'status.conditions',
  },
  PriorityLevelConfiguration: {
    parts: {
      spec: {
        type: 'Limited',
        limited: { assuredConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
      },
    },
    change: { spec: { limited: { assuredConcurrencyShares: 2 } } },
    clusterWide: true,
  },
};
