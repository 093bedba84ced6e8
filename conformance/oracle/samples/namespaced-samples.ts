import type { Json } from '../../verbs/client.ts';
import type { Sample } from './sample.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Texts that mean something else in YAML where they stand bare, and characters that are written in many ways. */
const words: Json = Object.fromEntries(
  ['yes', 'null', '~', '1e3', '0x1f', '0o14', '12:30', '2001-02-03', '# a', '- a', 'a: b', 'a\n b\n', ' a ', '\ta']
    .concat(["it's", '"', '&a', '*a', '!a', '%a', '@a', '`a', '', '<&>', '\u2028', 'ä😀', '\u0007'])
    .map((word, at) => [`word${at}`, word]),
);

/** Kinds that live in namespaces and run nothing. */
export const namespacedSamples: Readonly<Record<string, Sample>> = {
  ConfigMap: {
    parts: { data: { one: 'first', two: 'second', ...words }, binaryData: { bytes: 'AAEC' } },
    change: { data: { one: 'changed', two: null, three: 'third' } },
  },
  Secret: {
    parts: { type: 'Opaque', data: { one: 'Zmlyc3Q=' }, stringData: { two: 'second' } },
    change: { stringData: { one: 'changed' } },
  },
  ServiceAccount: {
    parts: { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }, { name: 'also' }] },
    change: { imagePullSecrets: [{ name: 'other' }], automountServiceAccountToken: true },
  },
  Endpoints: {
    parts: {
      subsets: [
        {
          addresses: [{ ip: '10.1.2.3' }, { ip: '10.1.2.1', hostname: 'one' }],
          ports: [
            { name: 'http', port: 80 },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        },
      ],
    },
    change: { subsets: [{ addresses: [{ ip: '10.1.2.4' }], ports: [{ name: 'http', port: 81, protocol: 'UDP' }] }] },
    controlled: true,
  },
  LimitRange: {
    parts: { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '500m' } }] } },
    change: { spec: { limits: [{ type: 'Container', max: { cpu: '3' } }] } },
  },
  ResourceQuota: {
    parts: { spec: { hard: { 'count/leases.coordination.k8s.io': '50', cpu: '4' } } },
    change: { spec: { hard: { cpu: '6' } } },
    status: { status: { hard: { cpu: '4' }, used: { cpu: '1' } } },
    controlled: true,
  },
  PersistentVolumeClaim: {
    parts: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' },
    },
    change: { metadata: { annotations: { changed: 'yes' } } },
    status: { status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
    controlled: true,
  },
  Service: {
    parts: {
      spec: {
        selector: { app: 'NAME' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      },
    },
    change: { spec: { sessionAffinity: 'ClientIP', selector: { app: 'other' } } },
    status: { status: { loadBalancer: { ingress: [{ ip: '10.9.8.7' }] } } },
    controlled: true,
  },
  'Event.v1': {
    parts: {
      involvedObject: { kind: 'Pod', namespace: '<own>-1', name: 'NAME', apiVersion: 'v1' },
      reason: 'Tried',
      type: 'Normal',
      message: 'tried it',
      count: 1,
      source: { component: 'touchstone' },
      firstTimestamp: '2024-05-06T07:08:09Z',
      lastTimestamp: '2024-05-06T07:08:09Z',
    },
    change: { count: 2, type: 'Warning' },
  },
  'Event.events.k8s.io': {
    parts: {
      regarding: { kind: 'Pod', namespace: '<own>-1', name: 'NAME', apiVersion: 'v1' },
      eventTime: '2024-05-06T07:08:09.000001Z',
      action: 'Trying',
      reason: 'Tried',
      type: 'Normal',
      note: 'tried it',
      reportingController: 'example.com/touchstone',
      reportingInstance: 'touchstone-1',
    },
    change: { series: { count: 2, lastObservedTime: '2024-05-06T07:08:10.000001Z' } },
  },
  Lease: {
    parts: { spec: { holderIdentity: 'NAME', leaseDurationSeconds: 15, renewTime: '2024-05-06T07:08:09.000001Z' } },
    change: { spec: { holderIdentity: 'other', leaseTransitions: 1 } },
  },
  Role: {
    parts: {
      rules: [
        {
          apiGroups: [''],
          resources: ['secrets', 'configmaps'],
          verbs: ['list', 'get'],
          resourceNames: ['two', 'one'],
        },
        { apiGroups: ['apps', ''], resources: ['*'], verbs: ['*'] },
      ],
    },
    change: { rules: [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] }] },
  },
  RoleBinding: {
    parts: {
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'NAME' },
      subjects: [
        { kind: 'User', apiGroup: rbac, name: 'someone' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
        { kind: 'Group', apiGroup: rbac, name: 'some' },
      ],
    },
    change: { subjects: [{ kind: 'Group', apiGroup: rbac, name: 'some' }] },
  },
  EndpointSlice: {
    parts: {
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.1.2.3', '10.1.2.1'], conditions: { ready: false }, hostname: 'one', zone: 'here' },
        { addresses: ['10.1.2.2'], nodeName: 'some' },
      ],
      ports: [
        { name: 'http', port: 80, protocol: 'TCP', appProtocol: 'example.com/fast' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
    change: { endpoints: [{ addresses: ['10.1.2.4'], conditions: { serving: true, terminating: false } }] },
  },
  Ingress: {
    controlled: true,
    parts: {
      spec: {
        ingressClassName: 'nobody',
        defaultBackend: { service: { name: 'back', port: { name: 'http' } } },
        tls: [{ hosts: ['b.example.com', 'a.example.com'], secretName: 'cert' }, { hosts: ['*.example.com'] }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: { service: { name: 'front', port: { number: 80 } } } },
                { path: '/a', pathType: 'Exact', backend: { service: { name: 'back', port: { name: 'http' } } } },
              ],
            },
          },
        ],
      },
    },
    change: { spec: { defaultBackend: { service: { name: 'other', port: { name: null, number: 81 } } } } },
    status: { status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } } },
  },
  NetworkPolicy: {
    parts: {
      spec: {
        podSelector: { matchLabels: { app: 'NAME' } },
        policyTypes: ['Egress', 'Ingress'],
        ingress: [
          {
            from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }, { namespaceSelector: {} }],
            ports: [{ port: 80, endPort: 90 }],
          },
        ],
      },
    },
    change: { spec: { policyTypes: ['Ingress'], podSelector: { matchLabels: { app: 'other' } } } },
    status: { status: { conditions: [] } },
  },
  CSIStorageCapacity: {
    parts: { storageClassName: 'slow', capacity: '1Gi', nodeTopology: { matchLabels: { zone: 'a' } } },
    change: { capacity: '2Gi' },
  },
};
