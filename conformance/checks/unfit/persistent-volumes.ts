import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';
import { sources } from './volumes.ts';

const on = (...nodes: readonly string[]): Json => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'example.com/rack', operator: 'In', values: nodes }] }],
    },
  },
});

/** Of no class that a claim asks for, so that nothing is bound to it. */
const unclaimed: Json = { storageClassName: 'touchstone-nobody' };

const emptied: Json = { persistentVolumeReclaimPolicy: 'Recycle' };

const secretRef = { name: 'a', namespace: 'b' };
/** Of which no server asks a cloud when it takes them, unless it is told to label volumes. */
const kinds = ['azureFile', 'cephfs', 'cinder', 'flexVolume', 'glusterfs', 'iscsi', 'nfs'];
const places: Readonly<Record<string, Json>> = {
  ...Object.fromEntries([...kinds, 'portworxVolume', 'quobyte', 'rbd'].map((kind) => [kind, sources[kind]])),
  csi: { driver: 'a.example.com', volumeHandle: 'a' },
  fc: { wwids: ['a'] },
  local: { path: '/a' },
};

/** With another source than the sample has, which says this, too. */
const kept = (source: string, parts: Json = {}): Json =>
  spec({ hostPath: undefined, [source]: { ...places[source], ...parts } });

/** Each source without each of the fields that it has to have. */
const incomplete = Object.entries(places).flatMap(([source, fields]) =>
  Object.keys(fields as object).map((field): [string, Json] => [
    `${source} without its ${field}`,
    kept(source, { [field]: undefined }),
  ]),
);

/** Secrets of a driver, each with its place. */
const secrets = ['controllerPublishSecretRef', 'nodePublishSecretRef', 'controllerExpandSecretRef'];
const misplaced = secrets.flatMap((field): [string, Json][] => [
  [`${field} without a name`, kept('csi', { [field]: { namespace: 'b' } })],
  [`${field} without a namespace`, kept('csi', { [field]: { name: 'a' } })],
  [`${field} in a bad namespace`, kept('csi', { [field]: { name: 'a', namespace: 'Not_A_Name' } })],
]);

const unfitPlaces: Readonly<Record<string, Json>> = {
  ...Object.fromEntries([...incomplete, ...misplaced]),
  'a disk of a node that is not said': spec({ hostPath: undefined, local: { path: '/a' }, nodeAffinity: undefined }),
  'a disk of a node above': kept('local', { path: '/a/../b' }),
  'a secret of a share in no namespace': kept('azureFile', { secretNamespace: '' }),
  'endpoints in a bad namespace': kept('glusterfs', { endpointsNamespace: 'Not_A_Name' }),
  'a secret of a disk in no namespace': kept('cinder', { secretRef: { name: 'a' } }),
  'a secret of a target without a name': kept('iscsi', { secretRef: {} }),
  'a place of no choice': spec({ nodeAffinity: { required: undefined } }),
  'a place by no terms': spec({ nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
  'a bad class': spec({ storageClassName: 'Not_A_Name' }),
  'no room at all': spec({ capacity: { storage: '0' } }),
  'something beside room': spec({ capacity: { storage: '1Gi', cpu: '1' } }),
  'something that is no room': spec({ capacity: { storage: undefined, cpu: '1' } }),
  'a way to use it that stands alone': spec({ accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }),
};

export const unfitPersistentVolumes: readonly JudgedKind[] = [
  judged(kindPaths.persistentVolumes, {
    base: spec({ ...unclaimed, ...on('one') }),
    refused: {
      'no room': spec({ capacity: undefined }),
      'less than no room': spec({ capacity: { storage: '-1Gi' } }),
      'no way to use it': spec({ accessModes: [] }),
      'an unknown way to use it': spec({ accessModes: ['Other'] }),
      'no source': spec({ hostPath: undefined }),
      'two sources': spec({ nfs: { server: 'a', path: '/a' } }),
      'an unknown policy': spec({ persistentVolumeReclaimPolicy: 'Other' }),
      'an unknown mode': spec({ volumeMode: 'Other' }),
      'the whole of a node to be emptied': spec({ ...emptied, hostPath: { path: '/' } }),
    },
    fixed: {
      'another place': spec({ hostPath: { path: '/tmp/other' } }),
      'another mode': spec({ volumeMode: 'Block' }),
      'other nodes': spec(on('two')),
      'more nodes': spec(on('one', 'two')),
      'any node': spec({ nodeAffinity: undefined }),
    },
    free: {
      'more room': spec({ capacity: { storage: '2Gi' } }),
      'another policy': spec({ persistentVolumeReclaimPolicy: 'Delete' }),
      'another way to use it': spec({ accessModes: ['ReadWriteMany'] }),
    },
    fitting: {
      'several ways to use it': spec({ accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }),
      'a part of a node to be emptied': spec(emptied),
    },
  }),
  judged(kindPaths.persistentVolumes, {
    name: 'persistentvolumes of any node',
    base: spec(unclaimed),
    free: { 'nodes, once': spec(on('one')) },
  }),
  judged(kindPaths.persistentVolumes, {
    name: 'places of persistentvolumes',
    holds: { from: 21 },
    base: spec({ ...unclaimed, ...on('one') }),
    fresh: unfitPlaces,
    fitting: {
      ...Object.fromEntries(Object.keys(places).map((source) => [`no more than a ${source} has to say`, kept(source)])),
      'every secret of a driver': kept('csi', Object.fromEntries(secrets.map((field) => [field, secretRef]))),
      'a secret of a disk': kept('cinder', { secretRef }),
      'endpoints of a namespace': kept('glusterfs', { endpointsNamespace: 'a' }),
    },
  }),
];
