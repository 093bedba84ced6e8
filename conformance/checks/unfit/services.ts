import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const { services } = kindPaths;

const ports = (...all: readonly Json[]): Json => spec({ ports: all });
const affine = (timeoutSeconds: number): Json =>
  spec({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } });

const elsewhere = { type: 'ExternalName', externalName: 'a.example.com' };
/** Who may come by a balancer, as it was said before there was a field. */
const ranges = (text: string): Json => ({
  metadata: { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': text } },
});

/** Services, with and without a balancer. */
export const unfitServices: readonly JudgedKind[] = [
  judged(services, {
    refused: {
      'no port of the network': ports({ port: 0 }),
      'a port without a number': ports({ protocol: 'TCP' }),
      'an unknown protocol': ports({ port: 80, protocol: 'OTHER' }),
      'two ports of one name': ports(...['a', 'b', 'a'].map((name, at) => ({ name, port: 80 + at }))),
      'an unknown type': spec({ type: 'Other' }),
      'an unknown affinity': spec({ sessionAffinity: 'Other' }),
      'an affinity of more than a day': affine(86_401),
      'an affinity of no time': affine(0),
      'two ports and no names': ports({ port: 80 }, { port: 81 }),
      'two ports of one number': ports({ name: 'a', port: 80 }, { name: 'b', port: 80 }),
      'a bad name of a port': ports({ name: 'Not_A_Name', port: 80 }),
      'a port beyond the last': ports({ port: 80, targetPort: 65_536 }),
      'a port of the nodes that nobody reaches': ports({ port: 80, nodePort: 30_099 }),
      'itself as an address': spec({ externalIPs: ['127.0.0.1'] }),
      'no name of another': spec({ type: 'ExternalName' }),
      'ranges for who balances nothing': spec({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      'a bad name of another': spec({ type: 'ExternalName', externalName: 'Not_A_Name' }),
      'a policy for who comes from elsewhere': spec({ externalTrafficPolicy: 'Local' }),
    },
    fresh: {
      'pods by a bad label': spec({ selector: { 'Not A Key': 'a' } }),
      'pods by a bad value of a label': spec({ selector: { app: 'not a value' } }),
      'what is spoken by no name': ports({ port: 80, appProtocol: 'not a name!' }),
      'a number beyond the last port': ports({ port: 65_536, targetPort: 80 }),
      'no number of a port of its pods': ports({ port: 80, targetPort: -1 }),
      'a port of its pods by a bad name': ports({ port: 80, targetPort: 'Not A Port' }),
      'a port of its pods by no letter': ports({ port: 80, targetPort: '80' }),
      'ranges for who balances nothing, as of old': ranges('10.0.0.0/8'),
      ...Object.fromEntries(
        ['nowhere', '0.0.0.0', '169.254.1.1', '224.0.0.1', '::1'].map((address) => [
          `${address} as an address`,
          spec({ externalIPs: ['192.0.2.1', address] }),
        ]),
      ),
      'one port of the nodes twice': spec({
        type: 'NodePort',
        ports: ['a', 'b'].map((name, at) => ({ name, port: 80 + at, nodePort: 30_099 })),
      }),
      'no address, and ports of the nodes': spec({ type: 'NodePort', clusterIP: 'None' }),
      'no address that is one': spec({ clusterIP: 'nowhere' }),
      'an address before those of the cluster': spec({ clusterIP: '1.1.1.1' }),
      'an address behind those of the cluster': spec({ clusterIP: '203.0.113.1' }),
      'addresses and not the first of them': spec({ clusterIPs: ['192.0.2.1'] }),
      'two first addresses': spec({ clusterIP: '192.0.2.1', clusterIPs: ['192.0.2.2'] }),
      'a port to ask for the health of none': spec({ healthCheckNodePort: 30_099 }),
    },
    fixed: { 'no address': spec({ clusterIP: 'None' }), 'another address': spec({ clusterIP: '192.0.2.1' }) },
    fitting: {
      'two protocols on one number': ports(
        { name: 'a', port: 80, protocol: 'TCP' },
        { name: 'b', port: 80, protocol: 'UDP' },
      ),
      'a port by its name': ports({ port: 80, targetPort: 'web' }),
      'an affinity of a day': affine(86_400),
      'neither an address nor ports': spec({ clusterIP: 'None', ports: null }),
      'the name of another': spec({ type: 'ExternalName', externalName: 'a.example.com' }),
      'the name of another with a dot at its end': spec({ type: 'ExternalName', externalName: 'a.example.com.' }),
      'what is spoken, and by which protocol': ports({ port: 80, protocol: 'SCTP', appProtocol: 'example.com/a' }),
    },
    free: {
      'other ports': ports({ name: 'b', port: 81 }, { name: 'a', port: 80 }),
      'other pods': spec({ selector: { app: 'other' } }),
      'an affinity': affine(1),
    },
  }),
  // Before that what is said of families, and a second address, is left out.
  judged(services, {
    name: 'families of services',
    holds: { from: 21 },
    fresh: {
      'no address, and one': spec({ clusterIP: 'None', clusterIPs: ['None', '192.0.2.1'] }),
      'an unknown family': spec({ ipFamilies: ['IPv5'] }),
      'another name of a family': spec({ ...elsewhere, ipFamilies: ['IPv4'] }),
      'another name of a policy of families': spec({ ...elsewhere, ipFamilyPolicy: 'SingleStack' }),
      'another name at no address': spec({ ...elsewhere, clusterIP: 'None' }),
      'three addresses': spec({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1', '10.0.0.2'] }),
      'two addresses of one stack': spec({
        ...{ ipFamilyPolicy: 'SingleStack', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] },
      }),
      'two families of one stack': spec({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] }),
      'two addresses of one family': spec({
        ...{ ipFamilyPolicy: 'PreferDualStack', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] },
      }),
      'an address of another family': spec({ clusterIP: '10.0.0.1', ipFamilies: ['IPv6'] }),
      'one family twice': spec({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv4'] }),
      'an unknown policy of families': spec({ ipFamilyPolicy: 'Other' }),
    },
  }),
  judged(services, {
    name: 'services with a balancer',
    holds: { from: 22 },
    base: spec({ type: 'LoadBalancer', loadBalancerClass: 'touchstone.example/nobody', ports: [{ port: 80 }] }),
    refused: {
      'a bad class': spec({ loadBalancerClass: 'Not A Class' }),
      'no range of addresses': spec({ loadBalancerSourceRanges: ['nowhere'] }),
      'a second range that is none': spec({ loadBalancerSourceRanges: ['10.0.0.0/8', '10.0.0.0'] }),
      'an unknown policy': spec({ externalTrafficPolicy: 'Other' }),
      'the port of an agent of nodes': ports({ port: 10_250 }),
    },
    fresh: {
      'no address': spec({ clusterIP: 'None' }),
      'no range of addresses, as of old': ranges('10.0.0.0/8,nowhere'),
      'a class of none': spec({ type: 'ClusterIP' }),
      'ports of the nodes of none': spec({
        ...{ type: 'ClusterIP', loadBalancerClass: undefined, allocateLoadBalancerNodePorts: true },
      }),
    },
    fixed: {
      'another class': spec({ loadBalancerClass: 'touchstone.example/other' }),
      'no class': spec({ loadBalancerClass: undefined }),
    },
    fitting: { 'ranges of addresses, as of old': ranges(' 10.0.0.0/8, 192.0.2.0/24 ') },
    free: {
      'who may come': spec({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      'only on their nodes': spec({ externalTrafficPolicy: 'Local' }),
    },
  }),
  judged(services, {
    name: 'services within a node',
    holds: { from: 22 },
    refused: { 'an unknown policy': spec({ internalTrafficPolicy: 'Other' }) },
    fitting: { 'its own node alone': spec({ internalTrafficPolicy: 'Local' }) },
  }),
];
