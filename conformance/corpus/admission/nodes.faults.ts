import { slip } from '../fault.ts';

/** What the agents of nodes may write, whatever rights they have: of pods, and of tokens for these. */
export default [
  slip(
    'a node may show a pod of its own that mounts a claim',
    ['admission'],
    'admission/plugins/node-restriction/own-pods.ts',
    '(spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim)',
    '(spec.volumes ?? []).length > 99',
  ),
  slip(
    'a node may show a pod of a node of its name that is gone',
    ['admission'],
    'admission/plugins/node-restriction/own-pods.ts',
    'return owner.uid === uid ? undefined :',
    'return owner.uid ? undefined :',
  ),
  slip(
    'a node may show a pod that begins with what the cluster has',
    ['admission'],
    'admission/plugins/node-restriction/own-pods.ts',
    '[...containers, ...initContainers].some(readsConfigMaps)',
    '[...containers].some(readsConfigMaps)',
  ),
  slip(
    'a node gets tokens that are bound to pods of other nodes',
    ['admission'],
    'admission/plugins/node-restriction/own-tokens.ts',
    'return pod.spec?.nodeName === node ? undefined :',
    'return pod.spec ? undefined :',
  ),
  slip(
    'a node may evict the pods of others',
    ['admission'],
    'admission/plugins/node-restriction/node-restriction.ts',
    "if (subresource === 'status' || subresource === 'eviction') return",
    "if (subresource === 'eviction') return undefined;\n  if (subresource === 'status') return",
  ),
];
