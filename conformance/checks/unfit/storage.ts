import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec, textOf } from './judged-kind.ts';

const { csiDrivers, csiNodes, csiStorageCapacities, volumeAttachments, storageClasses } = kindPaths;

const tokens = (...tokenRequests: readonly Json[]): Json => spec({ tokenRequests });
const ways = (...volumeLifecycleModes: readonly string[]): Json => spec({ volumeLifecycleModes });

const ofDrivers: readonly JudgedKind[] = [
  judged(csiDrivers, {
    holds: { from: 23 },
    refused: {
      'one audience of tokens twice': tokens(...['a', 'b', 'a'].map((audience) => ({ audience }))),
      'tokens of less than ten minutes': tokens({ audience: 'a', expirationSeconds: 599 }),
      'tokens for more than a lifetime': tokens({ audience: 'a', expirationSeconds: 2 ** 32 + 1 }),
      'an unknown way to live': ways('Other'),
      'an unknown policy': spec({ fsGroupPolicy: 'Other' }),
    },
    fixed: {
      'that nothing is attached': spec({ attachRequired: false }),
      'other ways to live': ways('Persistent', 'Ephemeral'),
    },
    free: {
      tokens: tokens({ audience: 'a', expirationSeconds: 600 }, { audience: 'b', expirationSeconds: 2 ** 32 }),
      'that it is asked again': spec({ requiresRepublish: true }),
      'that it tells of its room': spec({ storageCapacity: true }),
    },
    fitting: {
      'every way to live': ways('Ephemeral', 'Persistent'),
      'no policy': spec({ fsGroupPolicy: 'None' }),
      'that of files': spec({ fsGroupPolicy: 'File' }),
    },
  }),
  judged(csiDrivers, {
    name: 'what csidrivers were told for good',
    holds: { from: 22, to: 28 },
    fixed: {
      'that it is told of pods': spec({ podInfoOnMount: true }),
      'another policy': spec({ fsGroupPolicy: 'File' }),
    },
  }),
];

const driver = (more: Json = {}): Json => ({
  ...{ name: 'a.example.com', nodeID: 'one', topologyKeys: ['example.com/rack'] },
  ...more,
});
const drivers = (...all: readonly Json[]): Json => spec({ drivers: all });

const ofNodes = judged(csiNodes, {
  base: drivers(driver()),
  refused: {
    'a driver without a name': drivers(driver({ name: '' })),
    'a bad name of a driver': drivers(driver({ name: 'Not_A_Name' })),
    'a driver that does not know the node': drivers(driver({ nodeID: '' })),
    'a node by more than 256 letters': drivers(driver({ nodeID: 'x'.repeat(257) })),
    'one driver twice': drivers(driver(), driver({ name: 'b.example.com' }), driver()),
    'one key twice': drivers(driver({ topologyKeys: ['a', 'b', 'a'] })),
    'a bad key': drivers(driver({ topologyKeys: ['Not A Key'] })),
    'fewer than no volumes': drivers(driver({ allocatable: { count: -1 } })),
  },
  fixed: {
    'another name of the node': drivers(driver({ nodeID: 'two' })),
    'other keys': drivers(driver({ topologyKeys: ['example.com/row'] })),
  },
  free: { 'one more driver': drivers(driver(), driver({ name: 'b.example.com' })) },
  fitting: { 'no volumes at no place': drivers(driver({ topologyKeys: undefined, allocatable: { count: 0 } })) },
});

const ofRoom = judged(csiStorageCapacities, {
  base: { nodeTopology: { matchLabels: { rack: 'one' } }, capacity: '1Gi' },
  refused: {
    'no class': { storageClassName: '' },
    'a bad name of a class': { storageClassName: 'Not_A_Name' },
    'less than no room': { capacity: '-1Gi' },
    'nodes by no selector': { nodeTopology: { matchLabels: { 'Not A Key': 'a' } } },
  },
  fixed: {
    'another class': { storageClassName: 'touchstone-other' },
    'other nodes': { nodeTopology: { matchLabels: { rack: 'two' } } },
  },
  free: { 'more room': { capacity: '2Gi', maximumVolumeSize: '1Gi' } },
  fitting: { 'no room': { capacity: '0' }, 'nothing of the room': { capacity: undefined } },
});

const source = (persistentVolumeName: string | undefined, more: Json = {}): Json =>
  spec({ source: { persistentVolumeName, ...more } });
const inlineVolumeSpec = {
  accessModes: ['ReadWriteOnce'],
  csi: { driver: 'nobody.touchstone.example', volumeHandle: 'a' },
};

/** A volume that stands there instead of its name. */
const itself = (more: Json): Json => source(undefined, { inlineVolumeSpec: { ...inlineVolumeSpec, ...more } });

const ofAttachments = judged(volumeAttachments, {
  refused: {
    'nobody who attaches': spec({ attacher: '' }),
    'no node': spec({ nodeName: '' }),
    'a bad name of a node': spec({ nodeName: 'Not_A_Name' }),
    'nothing to attach': source(undefined),
    'a volume by name and by itself': source('a', { inlineVolumeSpec }),
  },
  fresh: {
    'a bad name of a volume': source('Not_A_Name'),
    'a bad name of a driver': spec({ attacher: 'Not_A_Name' }),
    'a volume by itself without a driver': itself({ csi: undefined }),
    'a volume by itself in no way': itself({ accessModes: undefined }),
    'a volume by itself that has room': itself({ capacity: { storage: '1Gi' } }),
    'a volume by itself that somebody claims': itself({ claimRef: { namespace: 'a', name: 'b' } }),
    'a volume by itself of another source': itself({ csi: undefined, hostPath: { path: '/a' } }),
  },
  fixed: {
    'another who attaches': spec({ attacher: 'other.touchstone.example' }),
    'another node': spec({ nodeName: 'touchstone-other' }),
    'another volume': source('touchstone-other'),
  },
  fitting: { 'a volume by itself': itself({}) },
});

/** Of a storage class: so many beside the one that it has. */
const parametersOf = (count: number): Json => ({
  parameters: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'a'])),
});

/** Bytes that the names and the texts of all of them take together. */
const mostParameters = 262_144;
/** One beside the one that it has, so that all take so many bytes. */
const parameterOf = (bytes: number): Json => ({ parameters: { p: textOf(bytes - 'kindslowp'.length) } });

const ofClasses = judged(storageClasses, {
  base: { provisioner: 'touchstone.example/nobody', parameters: { kind: 'slow' } },
  refused: { 'nobody who provides': { provisioner: '' }, 'an unknown policy': { reclaimPolicy: 'Other' } },
  fresh: {
    'more parameters than there may be': parametersOf(512),
    'a parameter without a name': { parameters: { '': 'a' } },
    'a byte more in parameters than there may be': parameterOf(mostParameters + 1),
    'an unknown time to bind': { volumeBindingMode: 'Other' },
    'a bad name of who provides': { provisioner: 'not a name' },
  },
  fitting: {
    'as many parameters as there may be': parametersOf(511),
    'as much in parameters as there may be': parameterOf(mostParameters),
    'that they stay, and wait': { reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
    'a name in capitals of who provides': { provisioner: 'Touchstone.Example/Nobody' },
  },
  free: { 'that they grow': { allowVolumeExpansion: true } },
  fixed: {
    'another who provides': { provisioner: 'touchstone.example/other' },
    'other parameters': { parameters: { kind: 'fast' } },
    'another policy': { reclaimPolicy: 'Retain' },
    'another time to bind': { volumeBindingMode: 'WaitForFirstConsumer' },
  },
});

const places = (...all: readonly (readonly Json[])[]): Json => ({
  allowedTopologies: all.map((matchLabelExpressions) => ({ matchLabelExpressions })),
});
const place = (key: string, ...values: readonly string[]): Json => ({ key, values });

const ofPlaces = judged(storageClasses, {
  name: 'places of storageclasses',
  base: { provisioner: 'touchstone.example/nobody' },
  refused: {
    'one place twice': places([place('rack', 'a', 'b')], [place('row', 'a')], [place('rack', 'b', 'a')]),
    'one key twice': places([place('rack', 'a'), place('row', 'a'), place('rack', 'b')]),
    'one value twice': places([place('rack', 'a', 'b', 'a')]),
    'no value': places([place('rack')]),
    'a bad key': places([place('Not A Key', 'a')]),
  },
  fitting: {
    'several places': places([place('rack', 'a', 'b')], [place('rack', 'a'), place('row', 'a')]),
    'several values of one key': places([place('rack', 'a')], [place('rack', 'b')], [place('rack', 'a', 'b')]),
  },
});

/** What drivers of storage say of themselves, what is asked of them, and classes of it. */
export const unfitStorage: readonly JudgedKind[] = [...ofDrivers, ofNodes, ofRoom, ofAttachments, ofClasses, ofPlaces];
