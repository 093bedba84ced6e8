import { edited } from '../../sabotage/edited.ts';
import { fault, slip } from '../fault.ts';
import { remembering, wherever } from '../meddling.ts';

const systemFields = 'registry/steps/system-fields.ts';

/** Generations are counted by name, and by nothing else. */
const goesOn = remembering(() => {
  const last = new Map<string, { readonly uid: string; readonly generation: number; readonly before: number }>();
  return (body) => {
    const { uid, name, namespace, generation } = body?.metadata ?? {};
    if (!uid || !generation) return body;
    const key = `${body.kind}/${namespace}/${name}`;
    const known = last.get(key);
    const before = known?.uid === uid ? (known?.before ?? 0) : (known?.generation ?? 0);
    last.set(key, { uid, generation: generation + before, before });
    return edited(body, ['metadata', 'generation'], () => generation + before);
  };
});

/** When the generation of an object rises. */
export default [
  fault(
    'lists do not count generations',
    ['meta', 'lists'],
    wherever((body) => edited(body, ['items', '*', 'metadata', 'generation'], () => undefined)),
  ),
  slip(
    'the generation of custom objects rises with their status',
    ['meta', 'verbs'],
    'custom-resources/custom-rules.ts',
    "const apart = (name: string) => name === 'metadata' || (splitsStatus && name === 'status');",
    "const apart = (name: string) => name === 'metadata' || (splitsStatus && name === 'conditions');",
  ),
  slip(
    'the generation of custom objects rises with their labels',
    ['meta'],
    'custom-resources/custom-rules.ts',
    "const apart = (name: string) => name === 'metadata' || (splitsStatus && name === 'status');\n  const content",
    "const apart = (name: string) => splitsStatus && name === 'status';\n  const content",
  ),
  slip(
    'the generation stays when a Scale is written',
    ['meta', 'service'],
    systemFields,
    'if (!stored || !generationRises || (call.subresource && !standInOf(call))) return;',
    'if (!stored || !generationRises || call.subresource) return;',
  ),
  slip(
    'an update may set the generation',
    ['meta', 'verbs'],
    systemFields,
    "const kept = ['creationTimestamp', 'generation', 'resourceVersion'] as const;",
    "const kept = ['creationTimestamp', 'resourceVersion'] as const;",
  ),
  slip(
    'a create may set the generation',
    ['meta', 'responses'],
    systemFields,
    'metadata.generation = 1;',
    'metadata.generation ??= 1;',
  ),
  slip(
    'the generation never rises',
    ['meta', 'responses'],
    systemFields,
    'next.metadata.generation = nextGeneration(stored.metadata.generation);',
    ';',
  ),
  slip(
    'the generation of a slice stays',
    ['endpointslice', 'meta'],
    'kinds/discovery/endpoint-slice.ts',
    'sameValue(next.endpoints, previous.endpoints) &&',
    '',
  ),
  slip(
    'the generation stays when a delete only marks',
    ['meta', 'deletion'],
    'registry/steps/delete-steps.ts',
    '  metadata.generation = nextGeneration(metadata.generation);\n',
    '',
  ),
  slip(
    'the generation of Jobs rises with their labels',
    ['meta', 'job'],
    'kinds/batch/job.ts',
    'generationRises: specChanged,',
    'generationRises: () => true,',
  ),
  slip(
    'to scale is no new generation',
    ['meta', 'kinds', 'versioning'],
    'registry/steps/system-fields.ts',
    '(call.subresource && !standInOf(call))',
    '(call.subresource !== "" && standInOf !== undefined)',
  ),
  slip(
    'a delete of what is held is no new generation',
    ['component', 'meta'],
    'registry/steps/delete-steps.ts',
    'metadata.generation = nextGeneration(metadata.generation);',
    'metadata.generation = metadata.generation ?? 0;',
  ),
  slip(
    'the generation of custom objects stays when something is taken away',
    ['component', 'meta', 'verbs', 'apply'],
    'custom-resources/custom-rules.ts',
    '  return deepEqual(content(next), content(previous));',
    "  const within = (a, b) => typeof a === 'object' && a !== null && !Array.isArray(a) ? Object.entries(a).every(([k, v]) => within(v, b?.[k])) : deepEqual(a, b);\n  return within(content(next), content(previous));",
  ),
  slip(
    'another order of a list in a custom object is no new generation',
    ['component', 'meta'],
    'custom-resources/custom-rules.ts',
    '  return deepEqual(content(next), content(previous));',
    '  const sorted = (value) => Array.isArray(value) ? value.map(sorted).map((each) => JSON.stringify(each)).sort() : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, sorted(v)])) : value;\n  return deepEqual(sorted(content(next)), sorted(content(previous)));',
  ),
  slip(
    'the generation of an EndpointSlice does not rise with its labels',
    ['endpointslice', 'meta'],
    'kinds/discovery/endpoint-slice.ts',
    'sameValue(next.ports, previous.ports) &&\n      sameValue(next.metadata.labels ?? {}, previous.metadata.labels ?? {})',
    'sameValue(next.ports, previous.ports)',
  ),
  slip(
    'annotations of a Deployment are no new generation',
    ['meta'],
    'kinds/apps/deployment.ts',
    'generationRises: isNewGeneration,',
    'generationRises: specChanged,',
  ),
  slip(
    'the generation of a Deployment does not rise with its annotations',
    ['component'],
    'kinds/apps/deployment.ts',
    'specChanged(next, previous) || !sameValue(next.metadata.annotations ?? {}, previous.metadata.annotations ?? {});',
    'specChanged(next, previous);',
  ),
  slip(
    'a new label of an endpoint slice is no new generation',
    ['component'],
    'kinds/discovery/endpoint-slice.ts',
    '      sameValue(next.ports, previous.ports) &&\n      sameValue(next.metadata.labels ?? {}, previous.metadata.labels ?? {})',
    '      sameValue(next.ports, previous.ports)',
  ),
  slip(
    'a PodTemplate that changes is no new generation',
    ['component'],
    'kinds/core/pod-template/pod-template.ts',
    'generationRises: (next, previous) => !sameValue(next.template, previous.template),',
    'generationRises: () => false,',
  ),
  slip(
    'a write that changes nothing is a new generation of a custom object in a version that it is not stored in',
    ['component'],
    'custom-resources/custom-rules.ts',
    'generationRises: (next, previous) => !sameContent(next, previous, splitsStatus),',
    'generationRises: (next, previous) =>\n      !sameContent(next, previous, splitsStatus) || next.apiVersion !== `${definition.spec.group}/${definition.spec.versions.find((each) => each.storage)?.name}`,',
  ),
  fault('what is made anew goes on with the generation of what had its name', ['names'], goesOn),
];
