import { edited } from '../../sabotage/edited.ts';
import { notFound, redirectPath, removeIn, requestHeader } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { recalling } from '../meddling.ts';

const namespace = 'kinds/core/namespace.ts';

/** The label, the phase and the conditions of a namespace. */
export default [
  fault(
    'a list of namespaces does not tell their phase',
    ['namespace', 'kinds'],
    removeIn('items.*.status.phase', { method: 'GET', path: /\/namespaces$/ }),
  ),
  fault(
    'the status of a namespace cannot be read',
    ['namespace', 'paths'],
    notFound({ method: 'GET', path: /\/namespaces\/[^/]+\/status$/ }),
  ),
  slip(
    'a namespace may be in any phase',
    ['namespace'],
    namespace,
    'if (phase === fitting) return [];',
    "if (phase !== '') return [];",
  ),
  slip(
    'a namespace keeps no conditions',
    ['namespace'],
    namespace,
    '        keepSpec(next, previous);\n      },\n      validateUpdate: validatePhase,',
    '        keepSpec(next, previous);\n        delete next.status?.conditions;\n      },\n      validateUpdate: validatePhase,',
  ),
  slips(
    'a namespace may lose the label of its name',
    ['namespace'],
    [
      { file: namespace, from: 'if (!namespace.metadata.generateName) labelWithName(namespace);', to: '' },
      {
        file: namespace,
        from: '    labelWithName(next);\n    keepSpec(next, previous);\n    keepStatus(next, previous);',
        to: '    keepSpec(next, previous);\n    keepStatus(next, previous);',
      },
    ],
  ),
  slip(
    'a namespace with a generated name has no label of its name',
    ['namespace'],
    namespace,
    '  labelWithName(namespace);\n  const asked',
    '  const asked',
  ),
  slip(
    'the phase of a namespace may be any word',
    ['namespace'],
    namespace,
    '      validateUpdate: validatePhase,\n',
    '',
  ),
  slip(
    'conditions of a namespace bear no time',
    ['namespace'],
    namespace,
    'condition.lastTransitionTime ??= null;',
    'condition.lastTransitionTime = null;',
  ),
  fault(
    'a strategic patch of the status of a namespace replaces its conditions',
    ['namespace', 'verbs'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      path: /\/namespaces\/[^/]+\/status$/,
      header: { 'content-type': /strategic/ },
    }),
  ),
  fault(
    'finalize does not look at the version',
    ['namespace', 'rv'],
    recalling(() => (body, { method, path }) => {
      if (method !== 'PUT' || !path.endsWith('/finalize')) return body;
      return edited(body, ['metadata', 'resourceVersion'], () => undefined);
    }),
  ),
  fault(
    'the finalize of a namespace can be read',
    ['namespace', 'paths'],
    redirectPath(/\/finalize$/, '', { method: 'GET' }),
  ),
  slip(
    'a namespace whose name was made up loses the label of it through its status',
    ['component'],
    'kinds/core/namespace.ts',
    'prepareUpdate: (next, previous) => {\n        labelWithName(next);\n        keepSpec(next, previous);\n      },\n      validateUpdate: validatePhase,',
    'prepareUpdate: (next, previous) => {\n        keepSpec(next, previous);\n      },\n      validateUpdate: validatePhase,',
  ),
  slips('a namespace is told its name by a label when it is made, and by what it is told later', 'component', [
    {
      file: 'kinds/core/namespace.ts',
      from: 'if (!namespace.metadata.generateName) labelWithName(namespace);',
      to: 'if (!namespace.metadata.generateName && !namespace.metadata.uid) labelWithName(namespace);',
    },
    {
      file: 'kinds/core/namespace.ts',
      from: 'prepareUpdate: (next, previous) => {\n    labelWithName(next);\n',
      to: 'prepareUpdate: (next, previous) => {\n    if (!next.metadata.labels?.[nameLabel]) labelWithName(next);\n',
    },
  ]),
  slip(
    'a namespace may wait for any word',
    ['namespace', 'state', 'deletion'],
    'kinds/core/namespace.ts',
    "if (!name.includes('/') && !standardFinalizers.includes(name))",
    'if (false as boolean)',
  ),
  slip(
    'what a namespace waits for is looked at when it is made alone',
    ['namespace', 'state', 'deletion'],
    'kinds/core/namespace.ts',
    'validateUpdate: ({ spec }) => eachOf(spec?.finalizers, finalizersAt, validateFinalizer),',
    '',
  ),
  slip(
    'a namespace may say that it goes though it stays',
    ['namespace', 'state'],
    'kinds/core/namespace.ts',
    'if (phase === fitting) return [];',
    "if (phase === fitting || phase === 'Terminating') return [];",
  ),
  slip(
    'a namespace may say that it stays though it goes',
    ['namespace', 'state'],
    'kinds/core/namespace.ts',
    'if (phase === fitting) return [];',
    "if (phase === fitting || phase === 'Active') return [];",
  ),
  slip(
    'a namespace may have a dot in its name',
    ['namespace', 'names', 'meta'],
    'kinds/core/namespace.ts',
    'nameRule: labelName,\n',
    '',
  ),
  slip(
    'a namespace loses the label of its name when it is finalized',
    ['namespace'],
    'kinds/core/namespace.ts',
    '        labelWithName(next);\n        keepStatus(next, previous);\n      },\n      validateUpdate: ({ spec })',
    '        keepStatus(next, previous);\n      },\n      validateUpdate: ({ spec })',
  ),
  slip(
    'of what a namespace waits for the first is looked at',
    'namespace',
    'kinds/core/namespace.ts',
    'eachOf(spec?.finalizers, finalizersAt',
    'eachOf(spec?.finalizers?.slice(0, 1), finalizersAt',
  ),
];
