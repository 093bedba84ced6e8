import type { Json } from '../../verbs/client.ts';
import { condition, long, many, type Otherwise, specs, statuses } from './otherwise.ts';

const backend = { service: { name: 'front', port: { number: 80 } } };
const onPath = (path: Json, more: Json = {}): Json => ({
  rules: [{ host: 'a.example.com', http: { paths: [{ path, pathType: 'Prefix', backend, ...more }] } }],
});
const onHost = (host: string): Json => ({
  rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
});
const toBackend = (other: Json): Json => onPath('/', { backend: other });
const object = { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'one' } };

const ingress: Otherwise = {
  states: specs(
    { tls: [{}] },
    { ingressClassName: null },
    { defaultBackend: object },
    onPath(null, { pathType: 'ImplementationSpecific' }),
  ),
  odd: [
    ...specs(
      ...['', 'a', '/a//b', '/a/../b', '/a/./b', '/..', '/a%2fb', '/a?b', `/${long(300)}`].map((path) => onPath(path)),
      ...['Exact', 'Prefix', 'ImplementationSpecific', 'Other', ''].map((pathType) => onPath('no-slash', { pathType })),
      onPath('/', { pathType: null }),
      ...[
        '*.example.com',
        '*.example',
        '*',
        'a.*.com',
        '*.*.com',
        '10.1.2.3',
        'UPPER.example.com',
        'a_b',
        'a..b',
        '',
      ].map(onHost),
      toBackend({}),
      toBackend({ ...backend, ...object }),
      toBackend({ service: { name: 'front', port: {} } }),
      toBackend({ service: { name: 'front', port: { number: 0 } } }),
      toBackend({ service: { name: 'front', port: { number: 70_000 } } }),
      toBackend({ service: { name: 'front', port: { number: 80, name: 'http' } } }),
      toBackend({ service: { name: 'front', port: { name: 'Not A Name' } } }),
      toBackend({ service: { name: 'Bad Name', port: { number: 80 } } }),
      toBackend({ service: { name: '', port: { number: 80 } } }),
      toBackend({ resource: { kind: '', name: '' } }),
      { rules: [{ host: 'a.example.com', http: { paths: [] } }] },
      { rules: null, defaultBackend: null },
      { rules: null },
      { defaultBackend: null },
      ...['Bad Name', '', 'with.dot', 'with/slash', long(254)].map((secretName) => ({ tls: [{ secretName }] })),
      ...['*.example.com', '*', 'Bad Host', '10.1.2.3'].map((host) => ({
        tls: [{ hosts: [host], secretName: 'cert' }],
      })),
      { ingressClassName: 'Bad Name' },
      { ingressClassName: '' },
    ),
    { metadata: { annotations: { 'kubernetes.io/ingress.class': 'old' } } },
    { metadata: { annotations: { 'kubernetes.io/ingress.class': 'old' } }, spec: { ingressClassName: null } },
  ],
  statuses: statuses(
    ...[
      { ip: '10.1.2.3' },
      { ip: 'nowhere' },
      { hostname: 'a.example.com' },
      { hostname: 'Bad Host' },
      { hostname: '10.1.2.3' },
    ].map((entry) => ({ loadBalancer: { ingress: [entry] } })),
    { loadBalancer: { ingress: [{ ip: '10.1.2.3', hostname: 'a.example.com' }, {}] } },
    { loadBalancer: { ingress: [{ hostname: 'b.example.com' }, ...['10.9.2.3', '10.1.2.3'].map((ip) => ({ ip }))] } },
    ...[
      { port: 80, protocol: 'TCP' },
      { port: 0, protocol: 'TCP' },
      { port: 80, protocol: 'OTHER' },
      { port: 80, protocol: 'TCP', error: 'Bad Error' },
      { protocol: 'UDP' },
      {},
    ].map((port) => ({ loadBalancer: { ingress: [{ ip: '10.1.2.3', ports: [port] }] } })),
  ),
};

const endpoint = (more: Json): Json => ({ endpoints: [{ addresses: ['10.1.2.3'], ...more }] });
const addresses = (...all: readonly string[]): Json => endpoint({ addresses: all });
const port = (more: Json): Json => ({ ports: [{ name: 'http', port: 80, protocol: 'TCP', ...more }] });
const host = (at: number): string => `10.9.${Math.floor(at / 250)}.${1 + (at % 250)}`;

const endpointSlice: Otherwise = {
  states: [
    port({ protocol: 'SCTP', appProtocol: null }),
    endpoint({ nodeName: 'some', hints: { forZones: [{ name: 'a' }] } }),
  ],
  odd: [
    { addressType: 'IPv6' },
    { addressType: 'FQDN' },
    { addressType: 'Other' },
    { addressType: null },
    { addressType: 'FQDN', ...addresses('a.example.com') },
    { addressType: 'FQDN', ...addresses('Bad_Name.example.com') },
    { addressType: 'FQDN', ...addresses('single') },
    ...['fd00::1', 'fd00:ffff::1', '::fd00:1', 'FD00::a.b', 'fd00::10.1.2.3', 'fd00:1', 'fd00::1::2', '::1'].map(
      (one) => ({
        addressType: 'IPv6',
        ...addresses(one),
      }),
    ),
    ...[
      '127.0.0.1',
      '169.254.1.1',
      '224.0.0.1',
      '0.0.0.0',
      'fd00::1',
      'nowhere',
      '010.1.2.3',
      '',
      '10.1.2,3',
      '10.1.2.',
    ].map((one) => addresses(one)),
    addresses(),
    addresses('10.1.2.3', '10.1.2.3'),
    addresses(...many(101, host)),
    { endpoints: many(1001, (at) => ({ addresses: [host(at)] })) },
    { endpoints: [] },
    { ports: many(101, (at) => ({ name: `p${at}`, port: 1 + at })) },
    { ports: [] },
    {
      ports: [
        { name: '', port: 80 },
        { name: '', port: 81 },
      ],
    },
    { ports: [{ name: 'a' }, { name: 'a', port: 81 }] },
    ...['Upper', long(64), 'a_b', '-a'].map((name) => port({ name })),
    ...['OTHER', 'tcp', ''].map((protocol) => port({ protocol })),
    ...['http', 'Bad Name', 'example.com/fast', 'https', ''].map((appProtocol) => port({ appProtocol })),
    ...[0, -1, 70_000, null].map((number) => port({ port: number })),
    ...['Upper', long(64), 'a.b', ''].map((hostname) => endpoint({ hostname })),
    ...['Bad Name', long(254), ''].map((nodeName) => endpoint({ nodeName })),
    endpoint({ hints: { forZones: many(9, (at) => ({ name: `z${at}` })) } }),
    endpoint({ hints: { forZones: [{ name: 'a' }, { name: 'a' }] } }),
    endpoint({ hints: { forZones: [{ name: 'Bad Name' }] } }),
    endpoint({ hints: { forZones: [] } }),
    endpoint({ deprecatedTopology: { zone: 'here' } }),
    endpoint({ deprecatedTopology: Object.fromEntries(many(17, (at) => [`k${at}`, 'v'])) }),
    endpoint({ deprecatedTopology: { 'kubernetes.io/hostname': 'a' } }),
    endpoint({ targetRef: { kind: 'Pod', name: 'a' } }),
  ],
};

const twoPorts = (...numbers: readonly number[]): Json => numbers.map((one, at) => ({ name: `p${at}`, port: one }));

const service: Otherwise = {
  states: specs(
    { type: 'NodePort' },
    { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
    { type: 'ExternalName', externalName: 'a.example.com' },
    { clusterIP: 'None' },
    { type: 'NodePort', ports: twoPorts(80, 81) },
  ),
  odd: specs(
    // What a port has been given goes by its name.
    { ports: twoPorts(81, 80) },
    { type: 'ClusterIP' },
    { type: 'Other' },
    { type: 'ExternalName' },
    { externalName: 'Bad Name' },
    ...['a.example.com.', 'a.example.com..', '10.1.2.3', '_a.example.com'].map((externalName) => ({
      ...{ type: 'ExternalName', externalName },
    })),
    { type: 'LoadBalancer', ports: [{ port: 10_250 }] },
    { type: 'NodePort', ports: [{ port: 10_250 }] },
    { clusterIP: 'None', type: 'NodePort' },
    { clusterIP: 'nowhere' },
    { clusterIP: '192.168.99.1' },
    { clusterIP: '' },
    { sessionAffinity: 'Other' },
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
    { sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 9 } } },
    { internalTrafficPolicy: 'Local' },
    { internalTrafficPolicy: 'Other' },
    { externalTrafficPolicy: 'Local' },
    { type: 'NodePort', externalTrafficPolicy: 'Local' },
    { ipFamilies: ['IPv6'] },
    { ipFamilies: ['IPv4', 'IPv4'] },
    { ipFamilyPolicy: 'RequireDualStack' },
    { ipFamilyPolicy: 'PreferDualStack' },
    { externalIPs: ['nowhere'] },
    { loadBalancerSourceRanges: ['10.0.0.0/8'] },
    { ports: [] },
    { ports: [{ port: 80 }, { port: 81 }] },
    {
      ports: [
        { name: 'a', port: 80 },
        { name: 'a', port: 81 },
      ],
    },
    {
      ports: [
        { name: 'a', port: 53, protocol: 'TCP' },
        { name: 'b', port: 53, protocol: 'UDP' },
      ],
    },
    {
      ports: [
        { name: 'a', port: 53 },
        { name: 'b', port: 53 },
      ],
    },
    { ports: [{ port: 0 }] },
    { ports: [{ port: 80, targetPort: 'Not A Port' }] },
    { ports: [{ port: 80, targetPort: '80' }] },
    { ports: [{ port: 80, protocol: 'OTHER' }] },
    {
      type: 'NodePort',
      ports: ['TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol })),
    },
    { type: 'NodePort', ports: [{ port: 80, nodePort: 7 }] },
    { ports: [{ port: 80, nodePort: 30_080 }] },
    { selector: { 'Bad Key!': 'a' } },
    { publishNotReadyAddresses: true },
    { loadBalancerClass: 'example.com/a' },
    { type: 'LoadBalancer', loadBalancerClass: 'Bad Class' },
    { healthCheckNodePort: 30_099 },
  ),
  statuses: statuses(
    ...[{ ip: 'nowhere' }, { hostname: 'Bad Host' }, { hostname: '10.1.2.3' }, {}].map((entry) => ({
      loadBalancer: { ingress: [entry] },
    })),
    { conditions: [condition('Some'), condition('Some')] },
    { conditions: [condition('Bad Type', { status: 'Perhaps' })] },
    // What it becomes next is still told where it is.
    { loadBalancer: { ingress: [{ ip: '10.9.8.7' }] } },
  ),
};

const from = (...entries: readonly Json[]): Json => ({ ingress: [{ from: entries }] });

const networkPolicy: Otherwise = {
  states: specs({ ingress: null, policyTypes: ['Egress'], egress: [{}] }),
  odd: specs(
    from({}),
    from({ ipBlock: { cidr: 'nowhere' } }),
    from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
    from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }),
    from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }),
    from({ podSelector: { matchLabels: { 'Bad Key!': 'a' } } }),
    { ingress: [{ ports: [{ port: 90, endPort: 80 }] }] },
    { ingress: [{ ports: [{ port: 'http', endPort: 80 }] }] },
    { ingress: [{ ports: [{ endPort: 80 }] }] },
    { ingress: [{ ports: [{ port: 0 }] }] },
    { ingress: [{ ports: [{ protocol: 'OTHER' }] }] },
    { policyTypes: ['Other'] },
    { policyTypes: ['Ingress', 'Egress', 'Ingress'] },
    { policyTypes: null },
    { policyTypes: null, ingress: null, egress: [{}] },
    { policyTypes: null, egress: [{ ports: [{ port: 53 }] }, {}] },
    { policyTypes: [], egress: [] },
    { podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] } },
  ),
};

export const networkOtherwise: Readonly<Record<string, Otherwise>> = {
  Ingress: ingress,
  EndpointSlice: endpointSlice,
  Service: service,
  NetworkPolicy: networkPolicy,
};
