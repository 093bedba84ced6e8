import type { Json } from '../../verbs/client.ts';
import { each, type Otherwise, specs, statuses } from './otherwise.ts';

const parameters = (more: Json): Json => ({
  parameters: { apiGroup: 'example.com', kind: 'Front', name: 'one', ...more },
});

const ingressClass: Otherwise = {
  states: specs(parameters({ scope: 'Namespace', namespace: 'default' }), { parameters: null }),
  odd: specs(
    ...each('controller', 'example.com/other', 'plain', '', 'example.com/', 'UPPER/a', null),
    parameters({ scope: 'Cluster' }),
    parameters({ scope: 'Namespace' }),
    parameters({ scope: 'Namespace', namespace: 'Bad Name' }),
    parameters({ scope: 'Cluster', namespace: 'default' }),
    parameters({ scope: 'Other' }),
    parameters({ kind: '' }),
    parameters({ name: '' }),
    parameters({ apiGroup: 'bad group' }),
    parameters({ apiGroup: null }),
  ),
};

const runtimeClass: Otherwise = {
  states: [],
  odd: [
    ...each('handler', 'other', 'Bad Name', '', null),
    ...each('overhead', { podFixed: { cpu: '-1' } }, { podFixed: { none: '1' } }, null),
    ...each(
      'scheduling',
      { tolerations: [{ key: 'a', operator: 'Other' }] },
      { tolerations: [{ key: 'a' }, { key: 'a' }] },
      { nodeSelector: { 'Bad Key!': 'a' } },
      null,
    ),
  ],
};

const on = (node: string): Json => ({
  required: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'example.com/rack', operator: 'In', values: [node] }] }],
  },
});

const volume: Otherwise = {
  states: specs({ volumeMode: 'Block' }, { nodeAffinity: on('one') }),
  odd: specs(
    ...each('accessModes', [], ['Other'], ['ReadOnlyMany', 'ReadWriteOnce'], ['ReadWriteOncePod', 'ReadOnlyMany']),
    ...each('capacity', { storage: null }, { storage: '-1' }, { storage: '2Gi' }, { storage: '1Gi', cpu: '1' }),
    ...each('hostPath', null, { path: '/other' }, { path: '/a/../b' }, { path: '/tmp/volume', type: 'Other' }),
    ...each('nfs', { server: 'a', path: '/' }),
    ...each('persistentVolumeReclaimPolicy', 'Recycle', 'Other', null),
    ...each('volumeMode', 'Filesystem', 'Other'),
    ...each('nodeAffinity', { required: { nodeSelectorTerms: [] } }, {}, on('two'), null),
    ...each('claimRef', { name: 'one', namespace: 'default' }),
    ...each('mountOptions', ['ro']),
  ),
  statuses: statuses(...each('phase', 'Bound', 'Available', 'Other')),
};

const driver: Otherwise = {
  states: specs({ volumeLifecycleModes: ['Ephemeral'] }),
  odd: specs(
    ...each('attachRequired', true, null),
    ...each('podInfoOnMount', false, null),
    ...each('volumeLifecycleModes', ['Other'], ['Persistent', 'Ephemeral'], null),
    ...each('fsGroupPolicy', 'File', 'Other', null),
    ...each('tokenRequests', [{ audience: 'a' }, { audience: 'a' }], [{ audience: 'a', expirationSeconds: 5 }]),
    ...each('storageCapacity', true),
    ...each('requiresRepublish', true),
  ),
};

const attachment: Otherwise = {
  states: [],
  odd: specs(
    ...each('attacher', 'other.example.com', 'Bad Name', ''),
    ...each('nodeName', 'other', ''),
    ...each('source', { persistentVolumeName: null }, { persistentVolumeName: 'other' }),
  ),
  statuses: statuses(
    { attached: true, attachmentMetadata: { a: 'b' } },
    { attached: false, attachError: { message: 'a' } },
  ),
};

/** Kinds of the whole cluster, beside those that say what others may do. */
export const clusterOtherwise: Readonly<Record<string, Otherwise>> = {
  IngressClass: ingressClass,
  RuntimeClass: runtimeClass,
  PersistentVolume: volume,
  CSIDriver: driver,
  CSINode: {
    states: [],
    odd: specs(
      ...each('drivers', [], [{ name: 'Bad Name', nodeID: 'one' }], [{ name: 'example.com-slow', nodeID: 'two' }]),
      ...each('drivers', [{ name: 'example.com-slow', nodeID: '' }], [{ name: 'a', nodeID: 'a', topologyKeys: [''] }]),
    ),
  },
  VolumeAttachment: attachment,
};
