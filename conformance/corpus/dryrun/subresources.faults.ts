import { ignoreQuery } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { inProtobuf } from '../matches.ts';

/** Dry runs of a write to a subresource. */
export default [
  fault(
    'a rehearsed JSON patch of the status of an Ingress is real',
    ['dryrun'],
    ignoreQuery('dryRun', {
      method: 'PATCH',
      path: /\/ingresses\/[^/]+\/status$/,
      header: { 'content-type': /json-patch/ },
    }),
  ),
  fault(
    'a rehearsed apply to a scale is real',
    ['dryrun', 'apply'],
    ignoreQuery('dryRun', { method: 'PATCH', path: /\/scale$/, header: { 'content-type': /apply/ } }),
  ),
  fault(
    'containers that are added to a running pod are added though it is only rehearsed',
    ['dryrun'],
    ignoreQuery('dryRun', { path: /\/ephemeralcontainers$/ }),
  ),
  fault(
    'a rehearsed patch of the scale of custom objects is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', path: /touchstone\.example.*\/scale$/ }),
  ),
  ...['scale', 'eviction', 'approval', 'finalize', 'binding'].map((sub) =>
    fault(`a dry run is ignored by ${sub}`, 'dryrun', ignoreQuery('dryRun', { path: new RegExp(`/${sub}$`) })),
  ),
  fault(
    'a dry run is ignored by patches of a status',
    'dryrun',
    ignoreQuery('dryRun', { method: 'PATCH', path: /\/status$/ }),
  ),
  slips(
    'a rehearsed eviction is real unless its body says so as well',
    ['dryrun'],
    [
      {
        file: 'kinds/core/pod/eviction.ts',
        from: "const dryRun = context.dryRun || options.dryRun?.includes('All') === true;",
        to: "const dryRun = options.dryRun?.includes('All') === true;",
      },
      {
        file: 'registry/operation.ts',
        from: '{ ...asked, dryRun: asked.dryRun || call.options.dryRun },',
        to: 'asked,',
      },
    ],
  ),
  slip(
    'a rehearsed finalize is real',
    ['dryrun', 'namespace'],
    'registry/write.ts',
    '  const store = options.dryRun ? rehearsing(services.store) : services.store;\n  const attempt',
    "  const store = options.dryRun && call.subresource !== 'finalize' ? rehearsing(services.store) : services.store;\n  const attempt",
  ),
  slip(
    'a dry run of an update of the status of custom objects is real',
    ['dryrun'],
    'registry/replace.ts',
    'await write(call, proposed,',
    'await write(call.resource.custom && call.subresource ? { ...call, options: { ...call.options, dryRun: false } } : call, proposed,',
  ),
  slip(
    'a rehearsal in the body of an eviction is real',
    ['dryrun', 'names'],
    'kinds/core/pod/eviction.ts',
    "context.dryRun || options.dryRun?.includes('All') === true;",
    'context.dryRun;\n  delete options.dryRun;',
  ),
  fault(
    'a dry run of a status is real where its answer is to be protobuf',
    ['dryrun'],
    ignoreQuery('dryRun', { path: /\/status$/, header: inProtobuf }),
  ),
  slip(
    'a dry-run binding through the collection of bindings binds the pod',
    ['dryrun', 'verbs'],
    'registry/operation.ts',
    "const there = { ...call, resource: other, subresource: '', namespace, name };",
    "const there = { ...call, resource: other, subresource: '', namespace, name, options: { ...call.options, dryRun: false } };",
  ),
  slip(
    'an eviction that only its options call a rehearsal uses up what a budget allows',
    ['dryrun'],
    'kinds/core/pod/eviction.ts',
    'await askBudgets(pod, dryRun, input);',
    'await askBudgets(pod, context.dryRun, input);',
  ),
];
