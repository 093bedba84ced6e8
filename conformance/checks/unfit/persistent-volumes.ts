import type { Json } from '../../verbs/json.ts';
import { kindPaths } from '../../verbs/kinds.ts';
import { type JudgedKind, judged, spec } from './judged-kind.ts';

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
];
