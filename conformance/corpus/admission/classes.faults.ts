import { slip } from '../fault.ts';

/** What classes give to those that name them, or none. */
export default [
  slip(
    'tolerations of a runtime class are lost',
    ['admission'],
    'admission/plugins/pods/runtime-class.ts',
    'if (merged.length > 0) spec.tolerations = merged;',
    '',
  ),
  slip(
    'nodes of a runtime class take the place of those of a pod',
    ['admission'],
    'admission/plugins/pods/runtime-class.ts',
    'spec.nodeSelector = { ...own, ...nodeSelector };',
    'spec.nodeSelector = { ...nodeSelector };',
  ),
  slip(
    'an Ingress comes to the default class by an update',
    ['admission'],
    'admission/plugins/default-ingress-class.ts',
    "writes('networking.k8s.io', 'ingresses', 'CREATE')",
    "writes('networking.k8s.io', 'ingresses', 'CREATE', 'UPDATE')",
  ),
];
