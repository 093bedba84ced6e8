import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { image } from '../../verbs/pods.ts';
import { fittingContainers, unfitContainers } from './container-parts.ts';
import { type JudgedKind, judged, type Parts } from './judged-kind.ts';
import { fittingVolumeParts, unfitVolumeParts } from './volume-parts.ts';
import { podsOf } from './workload-parts.ts';

const container = (parts: Json, more: Json = {}): Json =>
  podsOf({ containers: [{ name: 'c', image, ...parts }], ...more });

/** Names of what a pod is, or has to do with, which are none. */
const names = ['hostname', 'subdomain', 'nodeName', 'serviceAccountName', 'priorityClassName', 'runtimeClassName'];

const ofPods: Parts = {
  ...Object.fromEntries(names.map((field) => [`a bad ${field}`, podsOf({ [field]: 'Not_A_Name' })])),
  ...Object.fromEntries(
    ['hostname', 'subdomain'].map((field) => [`a ${field} with a dot`, podsOf({ [field]: 'a.b' })]),
  ),
  'an unknown way to preempt': podsOf({ preemptionPolicy: 'Other' }),
  'no time to run': podsOf({ activeDeadlineSeconds: 0 }),
  'more time to run than can be counted': podsOf({ activeDeadlineSeconds: 2_147_483_648 }),
  'an overhead below nothing': podsOf({ overhead: { cpu: '-1' } }),
  'an overhead of an unknown resource': podsOf({ overhead: { other: '1' } }),
};

const near = (parts: Json): Json => ({ topologyKey: 'a', labelSelector: {}, ...parts });
const preferred = (side: string, weight: number): Json =>
  podsOf({
    affinity: {
      [side]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: near({}) }] },
    },
  });
const nodes = (expression: Json, list = 'matchExpressions'): Json =>
  podsOf({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ [list]: [expression] }] },
      },
    },
  });
const chosen = (operator: string, ...values: readonly string[]): Json => nodes({ key: 'a', operator, values });
const byName = (operator: string, ...values: readonly string[]): Json =>
  nodes({ key: 'metadata.name', operator, values }, 'matchFields');
const tolerating = (toleration: Json): Json => podsOf({ tolerations: [toleration] });
const sides = ['podAffinity', 'podAntiAffinity'];

const ofPlaces: Parts = {
  ...Object.fromEntries(
    sides.flatMap((side) => [
      [`no weight at all of ${side}`, preferred(side, 0)],
      [`more than all the weight of ${side}`, preferred(side, 101)],
      [
        `namespaces by no selector of ${side}`,
        podsOf({
          affinity: {
            [side]: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                near({ namespaceSelector: { matchLabels: { 'Not A Key': 'a' } } }),
              ],
            },
          },
        }),
      ],
    ]),
  ),
  'nodes that are none of nothing': chosen('NotIn'),
  'nodes that lack a value': chosen('DoesNotExist', 'a'),
  'nodes less than nothing': chosen('Lt'),
  'nodes less than two': chosen('Lt', '1', '2'),
  'nodes by no name': byName('In'),
  'nodes but for two': byName('NotIn', 'a', 'b'),
  'no more than an unknown effect': tolerating({ operator: 'Exists', effect: 'Other' }),
  'a toleration of a time without an effect': tolerating({ operator: 'Exists', tolerationSeconds: 1 }),
  'a toleration of nothing that is something': tolerating({ value: 'a' }),
};

const beyond = 2_147_483_648;
const guarded = (what: string, securityContext: Json): Parts => ({
  [what]: podsOf({ securityContext }),
  [`${what}, of a container`]: container({ securityContext }),
});
const onWindows = (windowsOptions: Json): Json => podsOf({ securityContext: { windowsOptions } });
const host = { windowsOptions: { hostProcess: true } };

const ofRights: Parts = {
  ...guarded('a user beyond the last', { runAsUser: beyond }),
  ...guarded('a group beyond the last', { runAsGroup: beyond }),
  'a group of files beyond the last': podsOf({ securityContext: { fsGroup: beyond } }),
  'a further group beyond the last': podsOf({ securityContext: { supplementalGroups: [beyond] } }),
  ...guarded('a user of Windows without a name', { windowsOptions: { runAsUserName: '' } }),
  'a user of Windows of two domains': onWindows({ runAsUserName: 'a\\b\\c' }),
  'a user of Windows of no domain': onWindows({ runAsUserName: '\\a' }),
  'a domain of Windows and nobody of it': onWindows({ runAsUserName: 'a\\' }),
  'a user of Windows with a sign that is not for names': onWindows({ runAsUserName: 'a:b' }),
  'a user of Windows of dots': onWindows({ runAsUserName: '...' }),
  'a user of Windows of 105 letters': onWindows({ runAsUserName: 'a'.repeat(105) }),
  'a credential of Windows by a bad name': onWindows({ gmsaCredentialSpecName: 'Not_A_Name' }),
  'a credential of Windows that says nothing': onWindows({ gmsaCredentialSpec: '' }),
  'processes of a host in a network of their own': podsOf({ securityContext: host }),
  'a process of a host beside one that is none': podsOf({
    hostNetwork: true,
    containers: ['a', 'b'].map((name) => ({
      ...{ name, image },
      securityContext: { windowsOptions: { hostProcess: name === 'a' } },
    })),
  }),
};

/** Of another system than that of the pod, in what begins. */
const ofSystems: Parts = {
  'what Windows has, in what begins on Linux': podsOf({
    os: { name: 'linux' },
    initContainers: [{ name: 'i', image, securityContext: { windowsOptions: {} } }],
  }),
  'what Linux has, in what begins on Windows': podsOf({
    os: { name: 'windows' },
    initContainers: [{ name: 'i', image, securityContext: { runAsUser: 1 } }],
  }),
};

const fitting: Parts = {
  'all that a pod is called': podsOf({
    ...{ hostname: 'a', subdomain: 'b', nodeName: 'a.b', serviceAccountName: 'a.b' },
    ...{ priorityClassName: 'a.b', runtimeClassName: 'a.b', preemptionPolicy: 'Never' },
    ...{ activeDeadlineSeconds: beyond - 1, overhead: { cpu: '1', memory: '0' } },
  }),
  'every choice of nodes': podsOf({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                ...['In', 'NotIn'].map((operator) => ({ key: 'a', operator, values: ['a', 'b'] })),
                ...['Exists', 'DoesNotExist'].map((operator) => ({ key: 'a', operator })),
                ...['Gt', 'Lt'].map((operator) => ({ key: 'a', operator, values: ['1'] })),
              ],
              matchFields: ['In', 'NotIn'].map((operator) => ({ key: 'metadata.name', operator, values: ['a'] })),
            },
          ],
        },
      },
    },
  }),
  'every effect that is tolerated': podsOf({
    tolerations: ['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''].map((effect) => ({ key: 'a', effect })),
  }),
  'all the weight and the least': podsOf({
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [1, 100].map((weight) => ({
          ...{ weight, podAffinityTerm: near({ namespaceSelector: {} }) },
        })),
      },
    },
  }),
  'the last user and the last group': podsOf({
    securityContext: { runAsUser: beyond - 1, runAsGroup: beyond - 1, fsGroup: 0, supplementalGroups: [beyond - 1] },
  }),
  'a user of a domain': podsOf({ securityContext: { windowsOptions: { runAsUserName: 'DOMAIN\\user' } } }),
  'a user of Windows of 104 letters': podsOf({
    securityContext: { windowsOptions: { runAsUserName: 'a'.repeat(104) } },
  }),
};

/** As new objects alone, of which no pods are made. */
export const unfitTemplates: readonly JudgedKind[] = [
  judged(kindPaths.podTemplates, {
    ...{ name: 'containers of podtemplates', holds: { from: 23 } },
    ...{ fresh: unfitContainers, fitting: fittingContainers },
  }),
  judged(kindPaths.podTemplates, {
    ...{ name: 'pods of podtemplates', holds: { from: 24 } },
    ...{ fresh: { ...ofPods, ...ofPlaces, ...ofRights, ...ofSystems }, fitting },
  }),
  judged(kindPaths.podTemplates, {
    ...{ name: 'volumes of podtemplates', holds: { from: 23 } },
    ...{ fresh: unfitVolumeParts, fitting: fittingVolumeParts },
  }),
  judged(kindPaths.podTemplates, {
    ...{ name: 'probes of podtemplates', holds: { from: 25 } },
    fresh: {
      'a probe that gives no time to end': container({
        livenessProbe: { httpGet: { port: 80 }, terminationGracePeriodSeconds: 0 },
      }),
      'a probe of readiness that says how to end': container({
        readinessProbe: { httpGet: { port: 80 }, terminationGracePeriodSeconds: 1 },
      }),
      'a probe by gRPC of no port': container({ livenessProbe: { grpc: { port: 0 } } }),
      'a probe by gRPC beyond the last port': container({ livenessProbe: { grpc: { port: 65_536 } } }),
      'a probe of two ways': container({ livenessProbe: { grpc: { port: 80 }, tcpSocket: { port: 80 } } }),
    },
    fitting: {
      'a probe by gRPC, and time to end': container({
        livenessProbe: { grpc: { port: 65_535 }, terminationGracePeriodSeconds: 1 },
      }),
    },
  }),
];
