import { slip, slips } from '../fault.ts';

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
  slips(
    'an Ingress that names no class is refused where two are the default',
    ['admission'],
    [
      {
        file: 'admission/plugins/default-ingress-class.ts',
        from: 'const name = newest(',
        to: "if (defaultClasses(followed.ingressClasses.in(''), markers).length > 1)\n      throw forbidden({ group: 'networking.k8s.io', resource: 'ingresses' }, '', 'there are several default classes');\n    const name = newest(",
      },
      {
        file: 'admission/plugins/default-ingress-class.ts',
        from: "import { writes } from '../concern.ts';",
        to: "import { forbidden } from '../../base/status-error.ts';\nimport { writes } from '../concern.ts';",
      },
    ],
  ),
  slip(
    'of several default classes an Ingress gets the oldest',
    ['admission'],
    'admission/plugins/default-ingress-class.ts',
    'if (!found || time(each) > time(found)) found = each;',
    'if (!found || time(each) < time(found)) found = each;',
  ),
  slips(
    'a class of priority that ceases to be the default is still that of all who name none',
    ['admission'],
    [
      {
        file: 'admission/plugins/pods/priority.ts',
        from: '/** The lowest, should there be several after all. */',
        to: 'const once = new Set<unknown>();',
      },
      {
        file: 'admission/plugins/pods/priority.ts',
        from: '.filter((each) => each.globalDefault)',
        to: '.filter(({ globalDefault, metadata }) => (globalDefault ? once.add(metadata.uid) : once).has(metadata.uid))',
      },
    ],
  ),
];
