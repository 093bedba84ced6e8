import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { elsewhere } from '../pods/node-play.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';
import { template } from './workload-parts.ts';

const { endpoints, nodes, replicationControllers, podTemplates, controllerRevisions } = kindPaths;

const subset = (parts: Json): Json => ({
  subsets: [
    { addresses: [{ ip: '10.1.2.4' }], ports: [{ port: 81 }] },
    { addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }], ...parts },
  ],
});

/** Of an address, be it ready or not, behind one that is sound. */
const address = (what: string, parts: Json): readonly (readonly [string, Json])[] =>
  ['addresses', 'notReadyAddresses'].map((list) => [
    `${what} in ${list}`,
    subset({ [list]: [{ ip: '10.1.2.3' }, { ip: '10.1.2.5', ...parts }] }),
  ]);
const ports = (...all: readonly Json[]): Json => subset({ ports: all });

const ofEndpoints = judged(endpoints, {
  refused: {
    ...Object.fromEntries(
      ['nowhere', '10.1.2', '127.0.0.1', '169.254.1.1', '224.0.0.1', '0.0.0.0'].flatMap((ip) =>
        address(`the address ${ip}`, { ip }),
      ),
    ),
    ...Object.fromEntries([
      ...address('a bad name of a host', { hostname: 'Not_A_Name' }),
      ...address('a bad name of a node', { nodeName: 'Not_A_Name' }),
    ]),
    'no addresses': subset({ addresses: [] }),
    'no port of the network': ports({ port: 0 }),
    'a port beyond the last': ports({ port: 65_536 }),
    'two ports without names': ports({ port: 80 }, { port: 81 }),
    'a bad name of a port': ports({ name: 'Not_A_Name', port: 80 }),
    'an unknown protocol': ports({ port: 80, protocol: 'OTHER' }),
    'what is spoken by no name': ports({ port: 80, appProtocol: 'not a name!' }),
  },
  free: { 'other addresses': { subsets: [{ addresses: [{ ip: '10.1.2.9' }], ports: [{ port: 82 }] }] } },
  fitting: {
    'nobody who is ready': subset({ addresses: undefined, notReadyAddresses: [{ ip: '10.1.2.3' }] }),
    'no ports': subset({ ports: undefined }),
    'addresses of the other family': subset({ addresses: [{ ip: 'fd00::1' }] }),
  },
});

const taints = (...all: readonly Json[]): Json =>
  spec({ taints: all.map((taint) => ({ key: 'example.com/a', effect: 'NoSchedule', ...taint })) });

const ofNodes = judged(nodes, {
  rehearsed: {},
  base: spec(elsewhere),
  refused: {
    'one taint twice': taints({ value: 'a' }, { effect: 'NoExecute' }, { value: 'b' }),
    'a bad key of a taint': taints({ key: 'Not A Key' }),
    'a bad value of a taint': taints({ value: 'not a value' }),
    'a taint without an effect': taints({ effect: '' }),
    'an unknown effect': taints({ effect: 'Other' }),
    'no range of addresses': spec({ podCIDRs: ['nowhere'], podCIDR: 'nowhere' }),
    'two ranges of one family': spec({ podCIDR: '192.0.2.0/25', podCIDRs: ['192.0.2.0/25', '192.0.2.128/25'] }),
  },
  fresh: Object.fromEntries(
    ['capacity', 'allocatable'].flatMap((list) => [
      [`less than nothing of its ${list}`, { status: { [list]: { cpu: '-1' } } }],
      [`half a pod of its ${list}`, { status: { [list]: { pods: '1500m' } } }],
      [`half a device of its ${list}`, { status: { [list]: { 'touchstone.example/device': '500m' } } }],
    ]),
  ),
  fixed: { 'another provider': spec({ providerID: 'touchstone://other' }), 'no provider': spec({ providerID: '' }) },
  free: { 'that it takes no more pods': spec({ unschedulable: true }) },
  fitting: { 'one key with every effect': taints({}, { effect: 'NoExecute' }, { effect: 'PreferNoSchedule' }) },
});

const ofControllers = judged(replicationControllers, {
  base: spec({ selector: { app: 'judged' }, template: template('judged') }),
  refused: {
    'fewer than no pods': spec({ replicas: -1 }),
    'less than no time': spec({ minReadySeconds: -1 }),
    'pods that it does not select': spec({ template: template('other') }),
    'no pods': spec({ template: undefined }),
    'pods that end': spec({ template: template('judged', { restartPolicy: 'Never' }) }),
    'no containers': spec({ template: template('judged', { containers: [] }) }),
  },
  free: { 'other pods': spec({ selector: { app: 'other' }, template: template('other') }) },
});

const ofTemplates = judged(podTemplates, {
  refused: {
    'no containers': { template: template('judged', { containers: [] }) },
    'a bad label': { template: { metadata: { labels: { 'Not A Key': 'a' } } } },
    'an unknown way to restart': { template: template('judged', { restartPolicy: 'Other' }) },
  },
  free: { 'other pods': { template: template('other', { restartPolicy: 'Never' }) } },
});

const ofRevisions = judged(controllerRevisions, {
  refused: { 'no data': { data: undefined }, 'fewer than no revisions': { revision: -1 } },
  fixed: { 'other data': { data: { a: 'other' } }, 'more data': { data: { b: 'two' } } },
  free: { 'another revision': { revision: 7 } },
  fitting: { 'no revision': { revision: 0 } },
});

/** What others are made of, or led to. */
export const unfitParts: readonly JudgedKind[] = [ofEndpoints, ofNodes, ofControllers, ofTemplates, ofRevisions];
