import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const { services } = kindPaths;

const ports = (...all: readonly Json[]): Json => spec({ ports: all });
const affine = (timeoutSeconds: number): Json =>
  spec({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds } } });

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
      'one port of the nodes twice': spec({
        type: 'NodePort',
        ports: ['a', 'b'].map((name, at) => ({ name, port: 80 + at, nodePort: 30_099 })),
      }),
      'no address, and ports of the nodes': spec({ type: 'NodePort', clusterIP: 'None' }),
      'no address that is one': spec({ clusterIP: 'nowhere' }),
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
      'a class of none': spec({ type: 'ClusterIP' }),
      'ports of the nodes of none': spec({
        ...{ type: 'ClusterIP', loadBalancerClass: undefined, allocateLoadBalancerNodePorts: true },
      }),
    },
    fixed: {
      'another class': spec({ loadBalancerClass: 'touchstone.example/other' }),
      'no class': spec({ loadBalancerClass: undefined }),
    },
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
