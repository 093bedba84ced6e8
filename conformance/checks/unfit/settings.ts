import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

const { leases, networkPolicies, ingressClasses, priorityClasses } = kindPaths;

const ipBlock = { cidr: '10.0.0.0/8' };
const from = (peer: Json): Json => spec({ ingress: [{ from: [{ ipBlock }, peer] }] });
const to = (peer: Json): Json => spec({ egress: [{}, { to: [{ ipBlock }, peer] }] });

/** Peers that are none, wherever they stand. */
const peers: Readonly<Record<string, Json>> = {
  'no range of addresses': { ipBlock: { cidr: 'nowhere' } },
  'an exception beyond the range': { ipBlock: { ...ipBlock, except: ['10.1.0.0/16', '11.0.0.0/16'] } },
  'an exception that is all': { ipBlock: { ...ipBlock, except: ['10.0.0.0/8'] } },
  'an exception that is no range': { ipBlock: { ...ipBlock, except: ['nowhere'] } },
  'addresses and pods at once': { ipBlock, podSelector: {} },
  'addresses and namespaces at once': { ipBlock, namespaceSelector: {} },
  'nobody at all': {},
  'pods by no selector': { podSelector: { matchLabels: { 'Not A Key': 'a' } } },
  'namespaces by no selector': { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Other' }] } },
};
const unfitPeers = Object.entries(peers).flatMap(([what, peer]) => [
  [`${what}, who comes`, from(peer)],
  [`${what}, who is reached`, to(peer)],
]);
const admitted = (...ports: readonly Json[]): Json =>
  spec({ ingress: [{ ports: ports.map((port) => ({ protocol: 'TCP', ...port })) }] });
const parameters = (more: Json): Json =>
  spec({ parameters: { apiGroup: 'example.com', kind: 'Parameters', name: 'a', ...more } });

/** Of a runtime class. */
const borne = (...all: readonly Json[]): Json => ({
  scheduling: { tolerations: all.map((one) => ({ key: 'a', operator: 'Exists', effect: 'NoExecute', ...one })) },
});

/** Of a budget, in place of those that are there. */
const gone = (maxUnavailable: number | string): Json => spec({ minAvailable: undefined, maxUnavailable });

const ofScale: readonly JudgedKind[] = [
  judged(kindPaths.horizontalPodAutoscalers, {
    base: spec({ maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } }),
    refused: {
      'more at least than at most': spec({ minReplicas: 4 }),
      'none at most': spec({ maxReplicas: 0 }),
      'nothing at most': spec({ maxReplicas: undefined }),
      'fewer than none': spec({ minReplicas: -1 }),
      'nothing to scale': spec({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: '' } }),
      'an unknown measure': spec({ metrics: [{ type: 'Other' }] }),
      'a measure of nothing': spec({ metrics: [{ type: 'Resource' }] }),
    },
    fitting: { 'as many at least as at most': spec({ minReplicas: 3 }) },
    free: { 'another to scale': spec({ maxReplicas: 7, scaleTargetRef: { name: 'other' } }) },
  }),
  judged(kindPaths.podDisruptionBudgets, {
    base: spec({ minAvailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }),
    refused: {
      'both limits': spec({ maxUnavailable: 1 }),
      'fewer than none': spec({ minAvailable: -1 }),
      'more than all': spec({ minAvailable: '101%' }),
      'no number': spec({ minAvailable: 'some' }),
      'less than none that are gone': gone(-1),
      'more than all that are gone': gone('101%'),
      'pods by no selector': spec({ selector: { matchLabels: { 'Not A Key': 'a' } } }),
    },
    fitting: {
      'none and all': spec({ minAvailable: '0%' }),
      'all of them': spec({ minAvailable: '100%' }),
      'none that are gone': gone(0),
      'all that are gone': gone('100%'),
    },
    free: { 'another limit': spec({ minAvailable: '50%' }) },
  }),
  judged(leases, {
    refused: {
      'no time': spec({ leaseDurationSeconds: 0 }),
      'fewer than no transitions': spec({ leaseTransitions: -1 }),
    },
    fitting: { 'the least of both': spec({ leaseDurationSeconds: 1, leaseTransitions: 0 }) },
  }),
];

const ofPolicy: readonly JudgedKind[] = [
  judged(networkPolicies, {
    refused: {
      ...Object.fromEntries(unfitPeers),
      'no pods by no selector': spec({ podSelector: { matchLabels: { 'Not A Key': 'a' } } }),
      'an unknown direction': spec({ policyTypes: ['Other'] }),
      'an unknown protocol': spec({ egress: [{ ports: [{ protocol: 'OTHER', port: 80 }] }] }),
      'one direction too many': spec({ policyTypes: ['Ingress', 'Egress', 'Ingress'] }),
      'no port of the network': admitted({ port: 0 }),
      'a port beyond the last': admitted({ port: 65_536 }),
      'a bad name of a port': admitted({ port: 'Not_A_Name' }),
    },
    fitting: {
      'ports of every protocol': admitted(
        ...['TCP', 'UDP', 'SCTP'].flatMap((protocol) => [1, 65_535, 'web'].map((port) => ({ protocol, port }))),
      ),
      'what goes out alone': spec({ policyTypes: ['Egress'] }),
      'a range of the other family': to({ ipBlock: { cidr: 'fd00::/8', except: ['fd00::/9'] } }),
      'some namespaces to reach': to({ namespaceSelector: {} }),
      'a range without a part of it': to({ ipBlock: { ...ipBlock, except: ['10.1.0.0/16'] } }),
      'some pods of some namespaces': from({ podSelector: {}, namespaceSelector: {} }),
    },
  }),
  judged(networkPolicies, {
    name: 'ports of networkpolicies',
    holds: { from: 22 },
    refused: {
      'an end before the beginning': admitted({ port: 90, endPort: 80 }),
      'an end before the beginning, outwards': spec({ egress: [{ ports: [{ port: 90, endPort: 80 }] }] }),
      'an end beyond the last': admitted({ port: 90, endPort: 65_536 }),
      'an end without a beginning': admitted({ endPort: 80 }),
      'an end of what has a name': admitted({ port: 'web', endPort: 80 }),
    },
    fitting: { 'one port and no more': admitted({ port: 80, endPort: 80 }) },
  }),
  judged(ingressClasses, {
    refused: {
      'a controller without a domain': spec({ controller: 'plain' }),
      'a controller of a bad domain': spec({ controller: 'Example_Com/a' }),
      'a controller that is a domain alone': spec({ controller: 'example.com/' }),
      'a controller with a blank': spec({ controller: 'example.com/a b' }),
      'a controller of 251 letters': spec({ controller: `example.com/${'a'.repeat(239)}` }),
      'parameters without a name': parameters({ name: '' }),
    },
    fixed: { 'another controller': spec({ controller: 'example.com/other' }) },
    fitting: {
      parameters: parameters({}),
      'a controller of 250 letters': spec({ controller: `example.com/${'a'.repeat(238)}` }),
    },
  }),
  judged(ingressClasses, {
    name: 'where parameters of ingressclasses are',
    holds: { from: 22 },
    refused: {
      'parameters in no namespace': parameters({ scope: 'Namespace' }),
      'parameters of the cluster in a namespace': parameters({ scope: 'Cluster', namespace: 'default' }),
      'parameters in a namespace by a bad name': parameters({ scope: 'Namespace', namespace: 'Not_A_Name' }),
      'parameters in an unknown place': parameters({ scope: 'Other' }),
    },
    fitting: {
      'parameters in a namespace': parameters({ scope: 'Namespace', namespace: 'default' }),
      'parameters of the cluster': parameters({ scope: 'Cluster' }),
    },
  }),
  judged(priorityClasses, {
    refused: {
      'more than users may have': { value: 2_000_000_000 },
      'a little more than users may have': { value: 1_000_000_001 },
      'an unknown policy': { preemptionPolicy: 'Other' },
    },
    fixed: { 'another value': { value: 1001 }, 'another way to preempt': { preemptionPolicy: 'Never' } },
    fitting: {
      'less than nothing': { value: -7 },
      'as much as users may have': { value: 1_000_000_000 },
      'that nobody gives way': { preemptionPolicy: 'Never' },
    },
  }),
  judged(kindPaths.runtimeClasses, {
    refused: {
      'a bad handler': { handler: 'Not_A_Handler' },
      'a handler of 64 letters': { handler: 'a'.repeat(64) },
      'no handler': { handler: '' },
      'one toleration twice': borne({}, { key: 'b' }, { tolerationSeconds: 7 }),
      'a toleration of another sort': borne({ operator: 'Other' }),
      'an unknown effect': borne({ effect: 'Other' }),
      'nodes by a bad label': { scheduling: { nodeSelector: { 'Not A Key': 'a' } } },
      'less than nothing beside': { overhead: { podFixed: { cpu: '-1' } } },
    },
    fixed: { 'another handler': { handler: 'other' } },
    free: {
      'other nodes': { scheduling: { nodeSelector: { a: 'b' } } },
      'more beside': { overhead: { podFixed: { cpu: '1' } } },
    },
    fitting: {
      'a handler of 63 letters': { handler: 'a'.repeat(63) },
      'several tolerations': borne({}, { key: 'b' }),
      'tolerations of every effect': borne(
        { operator: 'Equal', value: 'b', tolerationSeconds: 7 },
        { effect: 'NoSchedule' },
        { effect: 'PreferNoSchedule' },
      ),
    },
  }),
];

/** What sets limits, and says how others are to be served. */
export const unfitSettings: readonly JudgedKind[] = [...ofScale, ...ofPolicy];
