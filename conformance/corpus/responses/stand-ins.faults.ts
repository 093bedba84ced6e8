import { fault, slip, slips } from '../fault.ts';
import { custom, merging } from '../matches.ts';
import { misread, unsupported } from '../meddling.ts';

/** Writes, deletes and words about them, where something stands in for the server that keeps the objects. */
export default [
  slip(
    'the generation of custom objects without a status below them never rises',
    ['meta', 'component'],
    'custom-resources/custom-rules.ts',
    'generationRises: (next, previous) => !sameContent',
    'generationRises: (next, previous) => splitsStatus && !sameContent',
  ),
  slip(
    'a status of custom objects is written apart though nothing is below them',
    ['meta', 'component'],
    'custom-resources/custom-resource.ts',
    'splitsStatus: version.subresources?.status !== undefined,',
    'splitsStatus: true,',
  ),
  slip(
    'an update may mark an object as going',
    ['deletion', 'meta'],
    'registry/steps/metadata-rules.ts',
    "  'deletionTimestamp',\n  'deletionGracePeriodSeconds',\n] as const;",
    '] as const;',
  ),
  slip(
    'the options of a delete have to be of the core group',
    ['params', 'deletion'],
    'request/verbs/delete.ts',
    '  const { kind } = typeNamedIn(value);',
    "  const { kind, apiVersion } = typeNamedIn(value);\n  if (apiVersion !== undefined && apiVersion !== 'v1') throw badRequest('the options of a delete are of v1');",
  ),
  fault(
    'a dry run of a merge patch of custom objects is real',
    ['dryrun'],
    misread({ method: 'PATCH', path: custom, header: merging, query: { dryRun: 'All' } }, (query) =>
      query.delete('dryRun'),
    ),
  ),
  fault(
    'a Deployment takes no strategic merge patch',
    ['verbs'],
    unsupported({ method: 'PATCH', path: /\/deployments\/[^/]+$/, header: { 'content-type': /strategic-merge/ } }),
  ),
  slips(
    'what a JSON patch adds makes its own way',
    ['verbs'],
    [
      {
        file: 'patch/json-patch.ts',
        from: "if (op === 'add') this.#add(this.#place(path), cloneJson(value));",
        to: "if (op === 'add') this.#add(this.#place(path, true), cloneJson(value));",
      },
      {
        file: 'patch/json-patch.ts',
        from: '#place(pointer: string): Place {',
        to: '#place(pointer: string, makes = false): Place {',
      },
      {
        file: 'patch/json-patch.ts',
        from: '      at = this.#read(at, segment);',
        to: '      if (makes && !Array.isArray(at) && !Object.hasOwn(at, segment)) putMember(at, segment, {});\n      at = this.#read(at, segment);',
      },
    ],
  ),
  slip(
    'discovery tells of what group a Scale is, and of nothing else below an object',
    ['service', 'versioning'],
    'request/discovery.ts',
    '...(sub.group !== resource.group || sub.version !== served.version',
    "...(sub.name === 'scale' && (sub.group !== resource.group || sub.version !== served.version)",
  ),
  slips(
    'a conversion may give objects other finalizers',
    ['versioning', 'deletion'],
    [
      {
        file: 'custom-resources/conversion-review.ts',
        from: 'return { ...kept, ...told };',
        to: "return { ...kept, ...(Array.isArray(given['finalizers']) && { finalizers: given['finalizers'] as string[] }), ...told };",
      },
    ],
  ),
  slip(
    'a Service takes one port of the nodes from its quota, however many it has',
    ['admission'],
    'admission/plugins/resource-quota/services.ts',
    'return ports.length;',
    'return Math.min(1, ports.length);',
  ),
  slip(
    'Events cannot be selected by who reports them',
    ['event', 'params'],
    'kinds/events/event-conversion.ts',
    '    reportingController: selector(({ reportingComponent }) => reportingComponent),\n',
    '',
  ),
];
