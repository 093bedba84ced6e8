import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { claimsNothing, flowsOfNobody, spec } from '../unfit/judged-kind.ts';
import { age, type Shown } from './shown-cells.ts';

const container = (name: string): Json => ({ name, image: `registry.example/${name}:1` });
const containers = { Containers: 'one,two', Images: 'registry.example/one:1,registry.example/two:1' };
const template = {
  metadata: { labels: { app: 'shown' } },
  spec: { nodeSelector: { 'touchstone.example/none': 'such' }, containers: [container('one'), container('two')] },
};
const load = { selector: { matchLabels: { app: 'shown' } }, template };
const idle = { ...load, replicas: 0 };
const several = {
  matchLabels: { b: 'c' },
  matchExpressions: [
    { key: 'a', operator: 'In', values: ['two', 'one'] },
    { key: 'c', operator: 'Exists' },
    { key: 'd', operator: 'DoesNotExist' },
  ],
};

const ofLoad: readonly Shown[] = [
  {
    at: kindPaths.deployments,
    parts: spec({ ...idle, paused: true }),
    cells: { Ready: '0/0', 'Up-to-date': 0, Available: 0, Age: age, ...containers, Selector: 'app=shown' },
  },
  {
    at: kindPaths.replicaSets,
    parts: spec(idle),
    cells: { Desired: 0, Current: 0, Ready: 0, Age: age, ...containers, Selector: 'app=shown' },
  },
  {
    at: kindPaths.replicationControllers,
    parts: spec({ template, replicas: 0, selector: { app: 'shown' } }),
    cells: { Desired: 0, Current: 0, Ready: 0, Age: age, ...containers, Selector: 'app=shown' },
  },
  { at: kindPaths.statefulSets, parts: spec(idle), cells: { Ready: '0/0', Age: age, ...containers } },
  {
    at: kindPaths.daemonSets,
    parts: spec(load),
    cells: {
      ...{ Desired: 0, Current: 0, Ready: 0, 'Up-to-date': 0, Available: 0 },
      ...{ 'Node Selector': 'touchstone.example/none=such', Age: age, ...containers, Selector: 'app=shown' },
    },
  },
  { at: kindPaths.podTemplates, parts: { template }, cells: { ...containers, 'Pod Labels': 'app=shown' } },
  { at: kindPaths.controllerRevisions, parts: { revision: 7 }, cells: { Controller: '<none>', Revision: 7, Age: age } },
  {
    at: kindPaths.podDisruptionBudgets,
    parts: spec({ minAvailable: '50%', selector: { matchLabels: { app: 'touchstone-none' } } }),
    cells: { 'Min Available': '50%', 'Max Unavailable': 'N/A', 'Allowed Disruptions': 0, Age: age },
  },
  {
    at: kindPaths.podDisruptionBudgets,
    which: 'of how many may be gone',
    parts: spec({ maxUnavailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }),
    cells: { 'Min Available': 'N/A', 'Max Unavailable': '1' },
  },
];

const ofStorage: readonly Shown[] = [
  {
    at: kindPaths.persistentVolumeClaims,
    parts: claimsNothing,
    cells: {
      ...{ Status: 'Pending', Volume: '', Capacity: '', 'Access Modes': '', StorageClass: 'touchstone-unbound' },
      ...{ Age: age, VolumeMode: 'Filesystem' },
    },
  },
  {
    at: kindPaths.persistentVolumes,
    parts: spec({ storageClassName: 'touchstone-nobody', accessModes: ['ReadWriteMany', 'ReadWriteOnce'] }),
    cells: {
      ...{ Capacity: '1Gi', 'Access Modes': 'RWO,RWX', 'Reclaim Policy': 'Retain', Claim: '' },
      ...{ StorageClass: 'touchstone-nobody', Reason: '', Age: age, VolumeMode: 'Filesystem' },
    },
  },
  {
    at: kindPaths.storageClasses,
    parts: { provisioner: 'touchstone.example/nobody', allowVolumeExpansion: true },
    cells: {
      ...{ Provisioner: 'touchstone.example/nobody', ReclaimPolicy: 'Delete', VolumeBindingMode: 'Immediate' },
      ...{ AllowVolumeExpansion: true, Age: age },
    },
  },
  {
    at: kindPaths.csiDrivers,
    parts: spec({
      tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    }),
    cells: {
      ...{ AttachRequired: true, PodInfoOnMount: false, StorageCapacity: false, TokenRequests: 'a,b' },
      ...{ RequiresRepublish: false, Modes: 'Persistent,Ephemeral', Age: age },
    },
  },
  {
    at: kindPaths.csiNodes,
    parts: spec({ drivers: ['a', 'b'].map((name) => ({ name: `${name}.example.com`, nodeID: name })) }),
    cells: { Drivers: 2, Age: age },
  },
  {
    at: kindPaths.volumeAttachments,
    parts: {},
    cells: {
      ...{ Attacher: 'nobody.touchstone.example', PV: 'touchstone-none', Node: 'touchstone-none' },
      ...{ Attached: false, Age: age },
    },
  },
];

const ofOthers: readonly Shown[] = [
  { at: kindPaths.runtimeClasses, parts: { handler: 'other' }, cells: { Handler: 'other', Age: age } },
  {
    at: kindPaths.networkPolicies,
    which: 'of several labels',
    parts: spec({ podSelector: several }),
    cells: { 'Pod-Selector': 'a in (one,two),b=c,c,!d' },
  },
  {
    at: kindPaths.endpoints,
    parts: {
      // Of one port: in which order several stand is not for all servers the same.
      subsets: [{ addresses: [3, 4, 5, 6].map((last) => ({ ip: `10.1.2.${last}` })), ports: [{ port: 80 }] }],
    },
    cells: { Endpoints: '10.1.2.3:80,10.1.2.4:80,10.1.2.5:80 + 1 more...', Age: age },
  },
  {
    at: kindPaths.flowSchemas,
    parts: merged(flowsOfNobody, spec({ distinguisherMethod: { type: 'ByUser' } })),
    cells: { PriorityLevel: 'touchstone-none', MatchingPrecedence: 9999, DistinguisherMethod: 'ByUser', Age: age },
  },
  { at: kindPaths.mutatingWebhooks, parts: {}, cells: { Webhooks: 1, Age: age } },
  { at: kindPaths.validatingWebhooks, parts: {}, cells: { Webhooks: 1, Age: age } },
];

/** Kinds that run, store and guard things, and what users are shown of them. */
export const shownFurther: readonly Shown[] = [...ofLoad, ...ofStorage, ...ofOthers];
