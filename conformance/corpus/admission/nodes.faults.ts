import { slip } from '../fault.ts';

/** What the agents of nodes may write, whatever rights they have: of pods, of tokens for these, and of what bears their name. */
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
  slip(
    'a node may write the leases of others',
    ['admission'],
    'admission/plugins/node-restriction/node-restriction.ts',
    "  ['leases.coordination.k8s.io', leases],\n",
    '',
  ),
  slip(
    'a node may have a lease of its name anywhere',
    ['admission'],
    'admission/plugins/node-restriction/node-restriction.ts',
    'if (namespace !== leaseNamespace) return',
    "if (namespace === '') return",
  ),
  slip(
    'a node may change the drivers of others, though not make them',
    ['admission'],
    'admission/plugins/node-restriction/node-restriction.ts',
    'const csiNodes: Rule = ({ name, object }, node) =>\n  (name || object?.metadata.name) === node',
    "const csiNodes: Rule = ({ operation, name, object }, node) =>\n  operation !== 'CREATE' || (name || object?.metadata.name) === node",
  ),
  slip(
    'a node may show a pod of its own that takes a Secret for its volume of ScaleIO',
    ['admission'],
    'admission/plugins/service-account/secret-references.ts',
    "  scaleIO: ['secretRef', 'name'],\n",
    '',
  ),
  slip(
    'a node may apply what it may not write',
    ['admission'],
    'admission/plugins/node-restriction/node-restriction.ts',
    "if (node === '') return;",
    "if (node === '' || attributes.object?.metadata.managedFields?.some((each) => each.operation === 'Apply')) return;",
  ),
  slip(
    'a node agent labels its pods through their status',
    ['admission'],
    'admission/plugins/node-restriction/own-pods.ts',
    'return labels(object as Pod) === labels(pod) ? undefined',
    'return labels(pod) === labels(pod) || object ? undefined',
  ),
];
